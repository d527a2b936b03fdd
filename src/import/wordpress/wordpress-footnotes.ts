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

const section =
  /(?:<hr[^<>]{0,200}>\s{0,50})?<(div|section)\s[^<>]{0,200}?class="[^"]{0,200}?\bfootnotes\b[^<>]{0,200}>\s{0,50}(?:<hr[^<>]{0,200}>\s{0,50})?<ol[^<>]{0,200}>((?:(?!<\/?(?:ol|ul|div|section|pre|table|blockquote)\b)[^]){0,100000})<\/ol>\s{0,50}<\/\1>/;
const note = /<li\s[^<>]{0,200}?\bid=["']([^"'<>]{1,100})["'][^<>]{0,200}>((?:(?!<\/?li\b)[^])*)<\/li>/gi;
/** The way back, which leads to the place of the number. */
const back =
  /(?:\s|&nbsp;|&#160;)*<a\s[^<>]{0,300}?href=["']#[^"'<>]{0,100}["'][^<>]{0,200}>(?:&#?[a-z0-9]{1,10};|[^<>&a-z]){0,20}<\/a>(?=\s*(?:<\/p>\s*)?$)/i;
const reference =
  /<sup(?:\s[^<>]{0,200})?>\s{0,20}<a\s[^<>]{0,300}?href=["']#([^"'<>]{1,100})["'][^<>]{0,200}>[^<>]{1,20}<\/a>\s{0,20}<\/sup>/gi;

/**
 * Puts footnotes that Markdown has made of a text of WordPress, a list at its end to which numbers lead, where their numbers stand. The list
 * stays if one of its notes would be gone with it.
 */
export function placeListedFootnotes(html: string): string {
  const list = html.includes('footnotes') ? section.exec(html) : null;
  if (list === null) return html;
  const [whole, , items = ''] = list;
  const notes = new Map([...items.matchAll(note)].map(([, id = '', text = '']) => [id, toLine(text)] as const));
  const used = new Set<string>();
  const rest = html.slice(0, list.index) + html.slice(list.index + whole.length);
  const text = rest.replace(reference, (written, id: string) => {
    const found = notes.get(id);
    if (found === undefined) return written;
    used.add(id);
    return `<span class="ql-footnote">${found}</span>`;
  });
  const count = items.match(/<li\b/gi)?.length ?? 0;
  return used.size === count && count > 0 ? text : html;
}

/** The text of a note in one line, without the way back. */
function toLine(text: string): string {
  return text
    .trim()
    .replace(back, '')
    .replace(/<\/p>\s*<p(?:\s[^<>]*)?>/gi, '<br>')
    .replace(/^\s*<p(?:\s[^<>]*)?>|<\/p>\s*$/gi, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
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
