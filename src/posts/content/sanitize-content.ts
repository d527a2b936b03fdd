import { inlineTags } from './element-rules.js';
import { readTokens } from './html-tokens.js';
import { serializeChildren } from './markup-tree.js';
import type { RemovalLog } from './removal-log.js';
import { TreeBuilder } from './tree-builder.js';

/**
 * The sanitizer of every post, on every write path: rebuilds the HTML from a strict allow-list that holds everything
 * the editor can produce (product.md 2.13) and nothing that runs, loads or escapes.
 *
 * What it gives is a fixed point: sanitizing it again changes nothing. It takes time in proportion to the length.
 * @param log notes what is taken out
 */
export function sanitizeContent(html: string, log: RemovalLog | null = null): string {
  const clean = rebuild(html, log);
  log?.check(clean);
  return hasSpacesReplaced(clean) ? rebuild(clean.replaceAll('&nbsp;', ' '), null) : clean;
}

function rebuild(html: string, log: RemovalLog | null): string {
  const builder = new TreeBuilder(log);
  readTokens(html, builder);
  return serializeChildren(builder.finish(), false).trim();
}

/** Tags within a line; all others, and line breaks, end it. */
const INLINE_TAG = new RegExp(`</?(?:${[...inlineTags.keys()].join('|')})(?: [^>]*)?>`, 'g');

/**
 * The editor's HTML export writes every space as `&nbsp;`, so that no line could ever break. Such a text has next to
 * no plain spaces; in a text by hand, no-break spaces are the exception and stay. Only those between two words count: texts in
 * Chinese or Japanese have no plain spaces either, but no-break ones that indent a line or are alone in an empty one.
 */
function hasSpacesReplaced(html: string): boolean {
  if (!html.includes('&nbsp;')) return false;
  const text = html
    .replace(INLINE_TAG, '')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('&nbsp;', '\u00a0');
  const betweenWords = text.match(/(?<=\S)\u00a0(?=\S)/g)?.length ?? 0;
  const spaces = text.split(' ').length - 1;
  return betweenWords >= 3 && betweenWords > spaces * 4;
}
