import { countTextWords, toReadingMinutes } from '../../shared/reading-time.js';
import { FOOTNOTE, UNNAMED_VIDEO } from './attribute-rules.js';
import { blockModels } from './element-rules.js';
import { readTokens } from './html-tokens.js';

const played: ReadonlySet<string> = new Set(['iframe', 'audio', 'video']);

/** The words of sanitized HTML on one line, without markup. */
export function toPlainText(html: string): string {
  return readBlocks(html).join(' ');
}

/**
 * The words of sanitized HTML on one line, with a dot between blocks where no sentence ends: those of lists and headings
 * would read as one sentence. Titles of videos and sound are among them, as pages show them.
 */
export function toPlainLine(html: string): string {
  const blocks = readBlocks(html, true);
  // Only the end of a block is looked at: looked for in the line so far, it would take time with the square of its length.
  const endsSentence = (block = '') => /\p{P}$/u.test(block.slice(-2));
  return blocks.map((block, at) => (at === 0 ? '' : endsSentence(blocks[at - 1]) ? ' ' : ' · ') + block).join('');
}

/** Returns the words of each block of sanitized HTML that has some. */
function readBlocks(html: string, hasTitles = false): string[] {
  const blocks = [''];
  const addBreak = (tag: string, attributes?: ReadonlyMap<string, string>) => {
    if (
      attributes?.get('class') === FOOTNOTE ||
      blockModels.has(tag) ||
      tag === 'br' ||
      tag === 'pre' ||
      tag === 'hr' ||
      tag === 'audio' ||
      tag === 'video'
    )
      blocks.push('');
    const title = hasTitles && attributes !== undefined && played.has(tag) ? attributes.get('title') : undefined;
    if (title !== undefined && title !== UNNAMED_VIDEO) blocks.push(title, '');
  };
  const addText = (part: string) => void (blocks[blocks.length - 1] += part);
  readTokens(html, { open: addBreak, close: addBreak, text: addText });
  return blocks.map((block) => block.replace(/\s+/g, ' ').trim()).filter(Boolean);
}

/** How long sanitized HTML takes to read, in whole minutes, at least one. */
export function readingMinutes(html: string): number {
  return toReadingMinutes(countTextWords(toPlainText(html)));
}

/** Returns true for sanitized HTML that shows nothing: no word, no picture, no video, no sound. */
export function isEmptyContent(html: string): boolean {
  if (/<(?:img|iframe|hr|audio|video)[ >]/.test(html)) return false;
  // Signs without a shape, such as a space of no width, are what some editors leave in an empty paragraph.
  return html.replace(/<[^>]*>|&nbsp;|\p{Default_Ignorable_Code_Point}/gu, '').trim() === '';
}
