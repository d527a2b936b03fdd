import { toReadingMinutes } from '../../shared/reading-time.js';
import { FOOTNOTE } from './attribute-rules.js';
import { blockModels } from './element-rules.js';
import { readTokens } from './html-tokens.js';

/** The words of sanitized HTML on one line, without markup. */
export function toPlainText(html: string): string {
  let text = '';
  const addBreak = (tag: string, attributes?: ReadonlyMap<string, string>) => {
    if (attributes?.get('class') === FOOTNOTE || blockModels.has(tag) || tag === 'br' || tag === 'pre' || tag === 'hr')
      text += ' ';
  };
  readTokens(html, { open: addBreak, close: addBreak, text: (part) => void (text += part) });
  return text.replace(/\s+/g, ' ').trim();
}

/** How long sanitized HTML takes to read, in whole minutes, at least one. */
export function readingMinutes(html: string): number {
  const text = toPlainText(html);
  return toReadingMinutes(text === '' ? 0 : text.split(' ').length);
}

/** Returns true for sanitized HTML that shows nothing: no word, no picture, no video. */
export function isEmptyContent(html: string): boolean {
  if (/<(?:img|iframe|hr)[ >]/.test(html)) return false;
  return html.replace(/<[^>]*>|&nbsp;/g, '').trim() === '';
}
