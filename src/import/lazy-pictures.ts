import { splitAtCode } from './html-text.js';

const picture = /<img\s(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const shown =
  /(\ssrc\s{0,5}=\s{0,5})(?:"(?:data:image\/(?:gif|svg\+xml|png)[^"]{0,2000})?"|'(?:data:image\/(?:gif|svg\+xml|png)[^']{0,2000})?')/i;
const later = /\sdata-(?:lazy-src|src|original|orig-file)\s{0,5}=\s{0,5}(?:"([^"]{1,4000})"|'([^']{1,4000})')/i;

/**
 * Pictures that scripts of the old site load when they come into sight, as those that they are: what stands in their place until then is
 * empty.
 */
export function showLazyPictures(html: string): string {
  if (!/\sdata-(?:lazy-src|src|original|orig-file)\s{0,5}=/i.test(html)) return html;
  const show = (tag: string) => {
    const [, quoted, single] = later.exec(tag) ?? [];
    const address = quoted ?? single?.replaceAll('"', '&quot;');
    if (address === undefined || address.startsWith('data:')) return tag;
    if (shown.test(tag)) return tag.replace(shown, (_all, start: string) => `${start}"${address}"`);
    return /\ssrc\s{0,5}=/i.test(tag) ? tag : tag.replace(/^<img/i, () => `<img src="${address}"`);
  };
  return splitAtCode(html)
    .map(({ text, isRaw }) => (isRaw ? text : text.replace(picture, show)))
    .join('');
}
