import { withoutControls } from './ghost-controls.js';
import { withoutGatedBlocks } from './ghost-cards.js';
import { placeFootnotes } from './ghost-footnotes.js';
import { replaceHtmlCards } from './ghost-html-cards.js';
import { lexicalToHtml } from './ghost-lexical.js';
import { mobiledocToHtml } from './ghost-mobiledoc.js';
import { replaceGhostGalleries } from '../gallery.js';
import { escapeHtml } from '../html-text.js';
import { RefusedError } from '../import.errors.js';
import { showEmojiPictures } from '../emoji-pictures.js';
import { showLazyPictures } from '../lazy-pictures.js';
import { replacePlayers } from '../media-links.js';
import { readText, type Row } from '../rows/row-values.js';

/**
 * The text of a post of Ghost: the HTML that it was shown as, or else made from what its editors store.
 * @throws RefusedError when neither can be read
 */
export function readGhostContent(row: Row, warnings: string[]): string {
  return replacePlayers(showEmojiPictures(showLazyPictures(readHtml(row, warnings))), warnings);
}

function readHtml(row: Row, warnings: string[]): string {
  const html = withoutGatedBlocks(readText(row, 'html') ?? '', warnings);
  if (html.trim() !== '')
    return replaceGhostGalleries(placeFootnotes(replaceHtmlCards(withoutControls(html), warnings)), warnings);
  const lexical = readText(row, 'lexical') ?? '';
  if (lexical.trim() !== '') return lexicalToHtml(parse(lexical, 'lexical'), warnings);
  const mobiledoc = readText(row, 'mobiledoc') ?? '';
  if (mobiledoc.trim() !== '') return mobiledocToHtml(parse(mobiledoc, 'mobiledoc'), warnings);
  const plain = readText(row, 'plaintext') ?? '';
  if (plain.trim() === '') return '';
  warnings.push('only the plain text of it is in the file');
  const paragraphs = plain.split('\n').map((line) => line.trim());
  return paragraphs
    .filter((line) => line !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('\n');
}

function parse(text: string, column: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RefusedError([`${column} cannot be read, and there is no html`]);
  }
}
