import { blockModels } from './element-rules.js';
import { readTokens } from './html-tokens.js';

const WORDS_PER_MINUTE = 220;

/** The words of sanitized HTML on one line, without markup. */
export function toPlainText(html: string): string {
  let text = '';
  const addBreak = (tag: string) => {
    if (blockModels.has(tag) || tag === 'br' || tag === 'pre' || tag === 'hr') text += ' ';
  };
  readTokens(html, { open: addBreak, close: addBreak, text: (part) => void (text += part) });
  return text.replace(/\s+/g, ' ').trim();
}

/** How long sanitized HTML takes to read, in whole minutes, at least one. */
export function readingMinutes(html: string): number {
  const text = toPlainText(html);
  const words = text === '' ? 0 : text.split(' ').length;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}

/** Returns true for sanitized HTML that shows nothing: no word, no picture, no video. */
export function isEmptyContent(html: string): boolean {
  if (/<(?:img|iframe|hr)[ >]/.test(html)) return false;
  return html.replace(/<[^>]*>|&nbsp;/g, '').trim() === '';
}
