import { escapeHtml, splitAtCode, unescapeHtml } from '../html-text.js';

const dollars = /\$latex(?:=|\s|(?=\\))((?:\\[^]|[^$\\]){1,5000}?)\$/g;
const tags = /\[latex\]([^[\]<]{1,5000}?(?:[[\]](?!\/latex\])[^[\]<]{0,500}?){0,200})\[\/latex\]/gi;
/** How large a formula is there, and its colours: they follow it. */
const looks = /(?:&(?:bg|fg|s|zoom)=[^&$]{0,30})+$/;

const drawn = /<math(\s[^<>]{0,5000})?>((?:(?!<\/?math\b)[^]){0,50000})<\/math>/gi;
const ofDrawn = /<annotation\s[^<>]{0,200}?application\/x-tex[^<>]{0,200}>([^<>]{1,5000})<\/annotation>/i;

/** Writes the formulas of WordPress, WordPress.com, Jetpack and WP LaTeX as such. */
export function placeFormulas(written: string): string {
  const html = written.includes('<math')
    ? written.replace(drawn, (all, attributes: string | undefined, inside: string) => {
        const tex = /\sdata-latex="([^"]{1,5000})"/.exec(attributes ?? '')?.[1] ?? ofDrawn.exec(inside)?.[1];
        return tex === undefined ? all : formulaHtml(tex);
      })
    : written;
  if (!/\$latex|\[latex\]/i.test(html)) return html;
  const toFormula = (_written: string, tex: string) => formulaHtml(tex);
  const parts = splitAtCode(html).map(({ text, isRaw }) =>
    isRaw ? text : text.replace(dollars, toFormula).replace(tags, toFormula),
  );
  return parts.join('');
}

/** In a text that is HTML, signs of a formula may be written out, and lines may be broken in it. */
function formulaHtml(written: string): string {
  const text = unescapeHtml(written.replace(/<br\s*\/?>/gi, ' ').replaceAll('&#038;', '&'));
  const tex = text.replace(looks, '').replace(/\s+/g, ' ').trim();
  return `<span class="ql-formula" data-value="${escapeHtml(tex)}"></span>`;
}
