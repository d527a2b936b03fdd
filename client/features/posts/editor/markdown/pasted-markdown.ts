/** Signs that hardly stand in a text by chance. */
const strong: readonly RegExp[] = [
  /^#{1,6} \S/m,
  /^ {0,3}(?:```|~~~)/m,
  /^\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:?)? *\|? *$/m,
  /!?\[[^\][\n]+\]\([^()\s]+\)/,
  /^ {0,3}[-*+] \[[ xX]\] \S/m,
  /\*\*[^\s*][^*\n]*\*\*/,
  /^\[\^[^\]\s]+\]: /m,
];

/** Signs that count when they come together. */
const weak: readonly RegExp[] = [
  /^ {0,3}[-*+] \S.*\n+ {0,3}[-*+] \S/m,
  /^ {0,3}\d+[.)] \S.*\n+ {0,3}\d+[.)] \S/m,
  /^> \S/m,
  /^(?:-{3,}|\*{3,})$/m,
  /(?:^|[^\w`])`[^`\n]+`(?![\w`])/,
  /(?:^|[^\w*])[*_][^\s*_][^*_\n]*[*_](?!\w)/,
];

/** Elements that say something about a text; others, as code editors write them, only draw it. */
const meaning = /<(?:p|h[1-6]|[uod]l|li|table|t[dh]|blockquote|pre|strong|b|em|i|a|img|u|s|figure)[\s>]/i;

/** Says whether a text is written in Markdown, and not one that has a star in it by chance. */
export function isMarkdown(text: string): boolean {
  if (strong.some((sign) => sign.test(text))) return true;
  return weak.filter((sign) => sign.test(text)).length > 1;
}

/**
 * The Markdown on a clipboard, with line breaks as the editor has them; null if the text is none, or comes formatted
 * already.
 */
export function readPastedMarkdown({ text = '', html = '' }: { text?: string; html?: string }): string | null {
  const markdown = text.replace(/\r\n?/g, '\n');
  return !meaning.test(html) && isMarkdown(markdown) ? markdown : null;
}
