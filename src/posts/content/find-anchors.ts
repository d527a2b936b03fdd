import { linkHeadings } from './link-headings.js';
import type { OwnAddresses } from './remote-images.js';
import { renderAnew } from './render-content.js';
import { renderFootnotes } from './render-footnotes.js';

const heading = /<h([2-6])(?: [^>]*)?>.*?<\/h\1>/gs;
const id = / id="([^"]*)"/g;

/**
 * Finds the places of a text that links can name, as its page has them: headings and footnotes. Ids go by the words of
 * headings as they are drawn, so these are rendered; the rest of a text only if formulas could run out in it.
 * @param html the output of `sanitizeContent`
 */
export async function findAnchors(html: string, own: OwnAddresses): Promise<ReadonlySet<string>> {
  const headings = (html.match(heading) ?? []).join('');
  const rendered = await renderAnew(headings.includes('ql-formula') ? html : headings, own);
  return new Set([
    ...idsOf(linkHeadings(rendered).html, /<h[2-6] /g),
    ...idsOf(renderFootnotes(html), /<(?:sup|li) /g),
  ]);
}

function idsOf(html: string, start: RegExp): string[] {
  const tags = html.match(new RegExp(`${start.source}[^>]*>`, 'g')) ?? [];
  return tags.flatMap((tag) => [...tag.matchAll(id)].map(([, name = '']) => name));
}
