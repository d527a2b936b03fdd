import { toPlainText } from '../../posts/content/plain-text.js';
import { escapeHtml } from '../html-text.js';

const codeSpan = /(`{1,9}[^`\n]{1,500}`{1,9})/;
const link = /!?\[([^[\]]{1,500})\]\((?:[^()\s]|\([^()\s]{0,100}\)){1,500}(?:\s+"[^"]*")?\)/g;
const strong = /\*\*(?=[^\s*])([^*]{0,500}[^\s*])\*\*/g;
const emphasis = /(?<![\w*\\])\*(?=[^\s*])([^*]{0,500}[^\s*]|[^\s*])\*(?![\w*])/g;
/** Types in angle brackets, as in `Vec<T>`, are words. */
const noTag =
  /<(?!\/?(?:em|strong|b|i|u|s|del|ins|mark|small|sub|sup|code|kbd|tt|span|font|a|br|p|div|q|cite|abbr|wbr)(?:\s[^<>]*)?\/?>)/gi;

/** A line of Markdown or HTML, such as a title, without markup. */
export function plainLine(written: string): string {
  if (!/[`*<&[]/.test(written)) return written;
  const parts = written.split(codeSpan).map((part, index) => {
    if (index % 2 === 1) return escapeHtml(part.replace(/^`+ ?| ?`+$/g, ''));
    const words = part.replace(link, '$1').replace(strong, '$1').replace(emphasis, '$1');
    return words.replace(noTag, '&lt;');
  });
  return toPlainText(parts.join(''));
}
