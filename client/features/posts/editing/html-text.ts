import { parseDocument } from '../../../lib/parse-html.js';

/** Elements that begin a line of their own. */
const BLOCKS =
  'p, h1, h2, h3, h4, h5, h6, li, blockquote, pre, tr, caption, figcaption, dt, dd, summary, .ql-code-block';

/**
 * Returns the text of a post's HTML as readers see it, line by line, for comparing versions; pictures, videos, sound,
 * formulas and footnotes are named in brackets. For the browser: the document it makes is inert, nothing in it runs or loads.
 * @param hasAddresses with the names of the files of pictures, and where links lead
 */
export function htmlToText(html: string, hasAddresses = false): string {
  const { body } = parseDocument(html);
  for (const image of body.querySelectorAll('img')) {
    const file = hasAddresses ? `, ${image.getAttribute('src')?.split('/').at(-1)}` : '';
    image.replaceWith(`[Picture: ${image.alt || 'no description'}${file}]`);
  }
  if (hasAddresses) for (const link of body.querySelectorAll('a')) link.append(` (${link.getAttribute('href')})`);
  for (const frame of body.querySelectorAll('iframe, .ql-video')) {
    frame.replaceWith(`[Video: ${frame.getAttribute('src') ?? ''}]`);
  }
  for (const player of body.querySelectorAll('audio, video')) {
    const kind = player.tagName === 'AUDIO' ? 'Sound' : 'Video';
    player.replaceWith(`[${kind}: ${player.getAttribute('title') ?? player.getAttribute('src') ?? ''}]\n`);
  }
  for (const formula of body.querySelectorAll('.ql-formula')) {
    formula.replaceWith(`[Formula: ${formula.getAttribute('data-value') ?? formula.textContent}]`);
  }
  for (const note of body.querySelectorAll('.ql-footnote')) note.replaceWith(`[Footnote: ${note.textContent}]`);
  for (const cell of body.querySelectorAll('td, th')) if (cell.nextElementSibling) cell.append(' ');
  for (const line of body.querySelectorAll('br')) line.replaceWith('\n');
  for (const block of body.querySelectorAll(BLOCKS)) block.append('\n');
  return body.textContent.replace(/\n{2,}/g, '\n').trim();
}
