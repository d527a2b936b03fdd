import { decodeEscapes } from '../../shared/decode-escapes.js';
import { splitAtCode, unescapeHtml } from '../html-text.js';

const linkedPicture = /<a\s([^<>]{0,3000})>(\s*<img\s([^<>]{1,5000})>\s*)<\/a>/gi;

/**
 * Takes links off that lead to the very picture that they stand around: its file has another address here, and a picture opens by itself.
 * @param hosts of the site, without `www.`; the same picture on another site stays a link to where it is from
 */
export function takeLinksOffSame(html: string, hosts: ReadonlySet<string>, warnings: string[]): string {
  if (!/<a\s[^<>]*>\s*<img\s/i.test(html)) return html;
  let count = 0;
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    if (isRaw) return text;
    return text.replace(linkedPicture, (written, link: string, picture: string, shown: string) => {
      const href = pathIn(link, 'href', hosts);
      if (href === null || href !== pathIn(shown, 'src', hosts)) return written;
      count += 1;
      return picture;
    });
  });
  if (count > 0) {
    warnings.push(`${count} of its pictures led to the same picture on the old site; here they open by themselves`);
  }
  return parts.join('');
}

/** The path in an attribute, in one spelling; null where it leads to another site, or there is none. */
function pathIn(attributes: string, name: string, hosts: ReadonlySet<string>): string | null {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s{0,5}=\\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
  const [, quoted, single, bare] = pattern.exec(attributes) ?? [];
  const address = unescapeHtml(quoted ?? single ?? bare ?? '').trim();
  // Both are relative to the same place, wherever that is.
  const base = 'https://inner.invalid/a/b/c/d/e/';
  if (address === '' || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  const isInner = url.host === 'inner.invalid' || hosts.has(url.host.replace(/^www\./, ''));
  return isInner && /^https?:$/.test(url.protocol) ? decodeEscapes(url.pathname).normalize('NFC') : null;
}
