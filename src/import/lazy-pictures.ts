import { splitAtCode } from './html-text.js';

const picture = /<img\s(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const source = /(\ssrc\s{0,5}=\s{0,5})(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i;
const later = /\sdata-(?:lazy-src|src|original)\s{0,5}=\s{0,5}(?:"([^"]{1,4000})"|'([^']{1,4000})')/i;
/** The picture as it was uploaded, which stands beside one that is shown. */
const uploaded = /\sdata-orig-file\s{0,5}=\s{0,5}(?:"([^"]{1,4000})"|'([^']{1,4000})')/i;
const sizes = /\s(?:data-(?:lazy-)?)?srcset\s{0,5}=\s{0,5}(?:"([^"]{1,8000})"|'([^']{1,8000})')/i;
const marked = /\sclass\s{0,5}=\s{0,5}(?:"[^"]*\blazy|'[^']*\blazy|lazy)/i;
/** A picture that stands in for another one: one in the text itself, or one with such a name. */
const standIn =
  /^(?:data:|$)|(?:^|\/)(?:blank|spacer|pixel|transparent|trans|placeholder|lazy(?:load)?|load(?:ing|er)|1x1(?:\.trans)?)\.(?:gif|png|svg|webp|jpe?g)(?:[?#]|$)/i;

/**
 * Pictures that scripts of the old site load when they come into sight, as those that they are: what stands in their place until then is
 * empty, or a blurred copy.
 */
export function showLazyPictures(html: string): string {
  if (!/\s(?:data-(?:lazy-src|src|original|orig-file)|(?:data-(?:lazy-)?)?srcset)\s{0,5}=/i.test(html)) return html;
  return splitAtCode(html)
    .map(({ text, isRaw }) => (isRaw ? text : text.replace(picture, show)))
    .join('');
}

function show(tag: string): string {
  const [, start, quoted, single, bare] = source.exec(tag) ?? [];
  const now = (quoted ?? single ?? bare)?.trim();
  const awaited = valueOf(later, tag);
  const isLate = now === undefined || standIn.test(now) || (awaited !== undefined && marked.test(tag));
  const address = isLate ? (awaited ?? valueOf(uploaded, tag) ?? largestOf(valueOf(sizes, tag))) : undefined;
  if (address === undefined || address.startsWith('data:')) return tag;
  if (start !== undefined) return tag.replace(source, () => `${start}"${address}"`);
  return tag.replace(/^<img/i, () => `<img src="${address}"`);
}

function valueOf(attribute: RegExp, tag: string): string | undefined {
  const [, quoted, single] = attribute.exec(tag) ?? [];
  return quoted ?? single?.replaceAll('"', '&quot;');
}

/** The largest picture of a list such as `a.jpg 300w, b.jpg 600w`. */
function largestOf(list: string | undefined): string | undefined {
  const listed = (list ?? '').split(/,\s+|,$/).map((entry) => entry.trim().split(/\s+/));
  const given = listed.filter(([address = '']) => address !== '');
  given.sort(([, a = '1x'], [, b = '1x']) => Number.parseFloat(b) - Number.parseFloat(a));
  return given[0]?.[0];
}
