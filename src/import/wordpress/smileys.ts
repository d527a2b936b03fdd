import { showEmojiPictures } from '../emoji-pictures.js';
import { splitAtCode } from '../html-text.js';

/** The smileys of WordPress that it shows as emoji; the one that is a picture of its own, `:mrgreen:`, stays. */
const emoji: ReadonlyMap<string, string> = new Map([
  ...[':)', ':-)', ':smile:'].map((typed) => [typed, '🙂'] as const),
  ...[':(', ':-(', ':sad:'].map((typed) => [typed, '🙁'] as const),
  ...[';)', ';-)', ':wink:'].map((typed) => [typed, '😉'] as const),
  ...[':D', ':-D', ':grin:'].map((typed) => [typed, '😀'] as const),
  ...[':P', ':-P', ':razz:'].map((typed) => [typed, '😛'] as const),
  ...[':o', ':-o', ':eek:'].map((typed) => [typed, '😮'] as const),
  ...['8O', '8-O', ':shock:'].map((typed) => [typed, '😯'] as const),
  ...[':?', ':-?', ':???:'].map((typed) => [typed, '😕'] as const),
  ...['8-)', ':cool:'].map((typed) => [typed, '😎'] as const),
  ...[':x', ':-x', ':mad:'].map((typed) => [typed, '😡'] as const),
  ...[':|', ':-|', ':neutral:'].map((typed) => [typed, '😐'] as const),
  [':twisted:', '😈'],
  [':evil:', '👿'],
  [':oops:', '😳'],
  [':roll:', '🙄'],
  [':cry:', '😥'],
  [':lol:', '😆'],
  [':arrow:', '➡'],
  [':idea:', '💡'],
  [':!:', '❗'],
  [':?:', '❓'],
]);
/** Signs that may be one: they stand between spaces, or at an end of a line or of the text between two tags. */
const typed = /(?<=^|[ \t\n\r\u00a0]|&nbsp;)[:;8][-a-z!?()|]{1,10}:?(?=[ \t\n\r\u00a0]|&nbsp;|$)/gim;

/**
 * Replaces smileys by the emoji that WordPress shows for them unless somebody has changed its settings, and its pictures of emoji by
 * these; not in code.
 */
export function placeSmileys(written: string, warnings: string[] = []): string {
  const html = showEmojiPictures(written, (typedSign) => emoji.get(typedSign));
  if (!/[:;8][-a-z!?()|]/i.test(html)) return html;
  let count = 0;
  const show = (typedSign: string) => {
    const sign = emoji.get(typedSign);
    if (sign !== undefined) count += 1;
    return sign ?? typedSign;
  };
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    if (isRaw) return text;
    return text
      .split(/(<[^<>]*>)/)
      .map((part, index) => (index % 2 === 1 ? part : part.replace(typed, show)))
      .join('');
  });
  if (count > 0) warnings.push(`smileys are emoji here, as WordPress shows them: ${count}`);
  return parts.join('');
}
