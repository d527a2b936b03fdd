import { FOOTNOTE } from './attribute-rules.js';

const part = /<a [^>]*>|<\/a>|<span[^>]*>|<\/span>/g;
const start = `<span class="${FOOTNOTE}">`;

/**
 * Puts numbers in the place of notes, and the notes at the end, each with a link back. Within a link, where no other
 * link can be, the number leads nowhere.
 * @param html the output of `sanitizeContent`, whose spelling of tags this relies on
 */
export function renderFootnotes(html: string): string {
  if (!html.includes(start)) return html;
  const notes: string[] = [];
  let text = '';
  let at = 0;
  let note: { readonly from: number; depth: number } | null = null;
  let isInLink = false;
  for (const { 0: tag, index } of html.matchAll(part)) {
    if (note === null) {
      if (tag === start) {
        text += html.slice(at, index);
        note = { from: index + tag.length, depth: 1 };
      } else if (!tag.includes('span')) {
        isInLink = tag !== '</a>';
      }
      continue;
    }
    if (tag.startsWith('<span')) note.depth += 1;
    if (tag === '</span>') note.depth -= 1;
    if (note.depth > 0) continue;
    notes.push(html.slice(note.from, index));
    text += reference(notes.length, isInLink);
    at = index + tag.length;
    note = null;
  }
  const items = notes.map((words, place) => item(words, place + 1)).join('');
  return `${text}${html.slice(at)}<section class="post-notes" aria-label="Footnotes"><ol>${items}</ol></section>`;
}

function reference(number: number, isInLink: boolean): string {
  const label = `<span class="visually-hidden">Footnote </span>${number}`;
  if (isInLink) return `<sup class="post-note">${label}</sup>`;
  return `<sup class="post-note" id="note-${number}-place"><a href="#note-${number}">${label}</a></sup>`;
}

function item(words: string, number: number): string {
  const back = `<a href="#note-${number}-place" aria-label="Back to the place of footnote ${number}">↩</a>`;
  return `<li id="note-${number}" tabindex="-1">${words} ${back}</li>`;
}
