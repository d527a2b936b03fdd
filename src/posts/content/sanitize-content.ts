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

/**
 * The editor's HTML export writes every space as `&nbsp;`, so that no line could ever break. Such a text has next to
 * no plain spaces; in a text by hand, no-break spaces are the exception and stay.
 */
function hasSpacesReplaced(html: string): boolean {
  if (!html.includes('&nbsp;')) return false;
  const text = html.replace(/<[^>]*>/g, '');
  const noBreakSpaces = text.split('&nbsp;').length - 1;
  const spaces = text.split(' ').length - 1;
  return noBreakSpaces >= 3 && noBreakSpaces > spaces * 4;
}
