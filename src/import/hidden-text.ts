import { splitAtCode } from './html-text.js';

const hidden =
  /<(?!(?:iframe|img|input|noscript|script|style|template|svg|video|audio|source|br|hr|link|meta)[\s>])[a-z][a-z0-9-]{0,30}(?=\s)(?:[^<>"']|"[^"]*"|'[^']*'){0,2000}?\s(?:hidden(?=[\s>=])|style\s{0,5}=\s{0,5}(?:"[^"]{0,500}?\b(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden)\b|'[^']{0,500}?\b(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden)\b))/gi;

/** Names text that styles of its own hide on the old site until a script shows it, if ever: posts have no such styles, and everybody reads it. */
export function noteHiddenText(html: string, warnings: string[]): void {
  if (!/\shidden[\s>=]|display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden/i.test(html)) return;
  let count = 0;
  for (const { text, isRaw } of splitAtCode(html)) if (!isRaw) count += text.match(hidden)?.length ?? 0;
  if (count > 0) warnings.push(`parts that are hidden there are shown here, look at them: ${count}`);
}
