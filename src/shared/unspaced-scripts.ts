/** Signs of scripts without blanks between words, most of which have one or two of them: the inside of a class of a pattern. */
export const UNSPACED_SIGNS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
