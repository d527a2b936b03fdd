import { escapeHtml, splitAtCode, unescapeHtml } from '../html-text.js';

const dollars = /\$latex(?:=|\s|(?=\\))((?:\\[^]|[^$\\]){1,5000}?)\$/g;
const tags = /\[latex\]([^[\]<]{1,5000}?(?:[[\]](?!\/latex\])[^[\]<]{0,500}?){0,200})\[\/latex\]/gi;
/** How large a formula is there, and its colours: they follow it. */
const looks = /(?:&(?:bg|fg|s|zoom)=[^&$]{0,30})+$/;

/** Writes the formulas of WordPress.com, Jetpack and WP LaTeX as such. */
export function placeFormulas(html: string): string {
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
