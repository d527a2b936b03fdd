import { metaOf } from './wordpress-site.js';
import type { XmlElement } from './xml-tree.js';

const place = /<sup\s[^<>]{0,200}?data-fn="([^"<>]{1,100})"[^<>]{0,200}>(?:(?!<\/?sup)[^]){0,1000}?<\/sup>/g;
const list = /<!-- wp:footnotes[^>]{0,500}?-->/g;

/**
 * Puts the footnotes of the block editor, which are in a custom field, where their numbers stand. Notes to which nothing leads
 * are no longer shown there and are left out.
 */
export function placeFootnotes(html: string, item: XmlElement, warnings: string[]): string {
  if (!html.includes('data-fn=')) return html;
  const notes = readNotes(metaOf(item, 'footnotes'));
  if (notes.size === 0) return html;
  const missing = new Set<string>();
  const text = html.replace(place, (written, id: string) => {
    const note = notes.get(id);
    if (note === undefined) missing.add(id);
    return note === undefined ? written : `<span class="ql-footnote">${note}</span>`;
  });
  if (missing.size > 0) warnings.push(`${missing.size} of its footnotes have no text in the file`);
  return text.replace(list, '');
}

function readNotes(field: string): Map<string, string> {
  const notes = new Map<string, string>();
  for (const note of parse(field)) {
    if (typeof note !== 'object' || note === null || !('id' in note) || !('content' in note)) continue;
    const { id, content } = note;
    if (typeof id === 'string' && typeof content === 'string') notes.set(id, content);
  }
  return notes;
}

function parse(field: string): unknown[] {
  try {
    const value: unknown = JSON.parse(field);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
