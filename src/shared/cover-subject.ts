import type { GlyphName } from './glyphs.js';
import { hashText } from './cables.js';

/** Finds what a category is about by the words of its name. */
const subjects: readonly (readonly [words: RegExp, glyph: GlyphName])[] = [
  [/mail|phish|spam/i, 'mail'],
  [/secur|attack|threat|passw|fraud/i, 'shield'],
  [/privacy|compliance|law|audit/i, 'lock'],
  [/backup|recover|storage|data/i, 'backup'],
  [/network|wi-?fi|internet|router/i, 'network'],
  [/remote|travel|home/i, 'support'],
  [/server|cloud|infrastructure|hosting/i, 'server'],
  [/phone|mobile/i, 'phone'],
  [/device|laptop|computer|hardware|windows|mac\b/i, 'devices'],
  [/support|help|ticket/i, 'headset'],
  [/price|pricing|cost|budget|finance/i, 'price'],
  [/office|print/i, 'office'],
  [/team|people|compan|hiring|culture/i, 'people'],
  [/update|maintenance|repair/i, 'wrench'],
];

/** For categories that say nothing of these. */
const others: readonly GlyphName[] = ['book', 'chat', 'monitoring', 'question', 'secretary'];

/** Returns the drawing for a category; the same category always has the same one. */
export function findCoverSubject(category: string | null): GlyphName {
  if (category === null) return 'book';
  const known = subjects.find(([words]) => words.test(category));
  return known?.[1] ?? others[hashText(category) % others.length] ?? 'book';
}
