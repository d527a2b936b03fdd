import { linkHeadings } from './link-headings.js';
import type { OwnAddresses } from './remote-images.js';
import { renderAnew } from './render-content.js';
import { renderFootnotes } from './render-footnotes.js';

const heading = /<h([2-6])(?: [^>]*)?>.*?<\/h\1>/gs;
const id = / id="([^"]*)"/;

/**
 * Finds the places of a text that links can name, as its page has them: headings and footnotes.
 * @param html the output of `sanitizeContent`
 */
export async function findAnchors(html: string, own: OwnAddresses): Promise<ReadonlySet<string>> {
  const places = [...(await findHeadingIds(html, own)), ...idsOf(renderFootnotes(html), /<(?:sup|li) [^>]*>/g)];
  return new Set(places.filter((name) => name !== null));
}

/**
 * Finds the ids that the page of a text gives its headings, in their order; null for one without a word. Ids go by the words of
 * headings as they are drawn, so these are rendered; the rest of a text only if formulas could run out in it.
 * @param html the output of `sanitizeContent`
 */
export async function findHeadingIds(html: string, own: OwnAddresses): Promise<(string | null)[]> {
  const headings = (html.match(heading) ?? []).join('');
  const rendered = await renderAnew(headings.includes('ql-formula') ? html : headings, own);
  return idsOf(linkHeadings(rendered).html, /<h[2-6](?: [^>]*)?>/g);
}

function idsOf(html: string, tag: RegExp): (string | null)[] {
  return (html.match(tag) ?? []).map((found) => id.exec(found)?.[1] ?? null);
}
