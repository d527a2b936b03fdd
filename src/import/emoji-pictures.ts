import { escapeHtml, splitAtCode, unescapeHtml } from './html-text.js';

const picture = /<img\s(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const attribute = (name: string) => new RegExp(`\\s${name}\\s{0,5}=\\s{0,5}(?:"([^"]{0,2000})"|'([^']{0,2000})')`, 'i');
const [source, alternative] = [attribute('src'), attribute('alt')];
/** Pictures that scripts of WordPress put in the place of emoji, named by their code points. */
const emojiFile =
  /^(?:https?:)?\/\/(?:s\.w\.org\/images\/core\/emoji|twemoji\.maxcdn\.com|s\d?\.wp\.com\/wp-content\/mu-plugins\/wpcom-smileys\/twemoji)\/(?:[\w.-]{1,30}\/){0,4}([0-9a-f]{2,5}(?:-[0-9a-f]{2,5}){0,15})\.(?:png|svg)(?:[?#][^"']*)?$/i;
/** Smileys of WordPress before it had emoji. */
const smileyFile = /\/wp-includes\/images\/smilies\/[\w-]{1,50}\.(?:gif|png)(?:[?#]|$)/i;
const symbol = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[\d#*]\u{FE0F}?\u{20E3})/u;

/**
 * The emoji that pictures of WordPress stand for: as pictures, they would be between the lines of a sentence.
 * @param smiley the emoji of a smiley that is typed, such as `:)`; undefined where there is none
 */
export function showEmojiPictures(html: string, smiley: (typed: string) => string | undefined = () => undefined) {
  if (!/<img\s[^>]*(?:emoji|smil)/i.test(html)) return html;
  const show = (tag: string): string => {
    const address = valueOf(source, tag);
    const [, codes] = emojiFile.exec(address) ?? [];
    if (codes === undefined && !smileyFile.test(address)) return tag;
    const alt = valueOf(alternative, tag).trim();
    if (symbol.test(alt) && alt.length <= 40) return escapeHtml(alt);
    return (codes === undefined ? smiley(alt) : ofCodes(codes)) ?? tag;
  };
  return splitAtCode(html)
    .map(({ text, isRaw }) => (isRaw ? text : text.replace(picture, show)))
    .join('');
}

function valueOf(pattern: RegExp, tag: string): string {
  const [, double, single] = pattern.exec(tag) ?? [];
  return unescapeHtml(double ?? single ?? '');
}

/** Undefined for what are no code points of an emoji. */
function ofCodes(written: string): string | undefined {
  const codes = written.split('-').map((code) => Number.parseInt(code, 16));
  if (codes.some((code) => code > 0x10ffff)) return undefined;
  const emoji = String.fromCodePoint(...codes);
  return symbol.test(emoji) ? emoji : undefined;
}
