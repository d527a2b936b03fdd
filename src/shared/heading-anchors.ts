import { decodeEscapes } from './decode-escapes.js';

/** Longest anchor, in characters. */
const MAX_ANCHOR = 80;
/** An anchor of headings that are made of signs only. */
const NAMELESS = 'section';
/** Ids of the parts of the page below the text of a post. */
const PARTS = 'related-posts|post-comments';
/** Ids of the page around the text, of footnotes, and of React. A test finds others: test/pages/blog-pages.test.ts. */
const TAKEN = new RegExp(`^(?:main|[a-z]+-menu|page-state|first-script|note-\\d+(?:-place)?|_r_.*_|${PARTS})$`);
/** Ids that are on every page of a kind, or on many. */
const AROUND = { post: new RegExp(`^(?:main|${PARTS})$`), site: /^main$/ };

/** The ids of the headings of one text, each given once. */
export class Anchors {
  private readonly taken = new Set<string>();
  private readonly counts = new Map<string, number>();

  /** Returns the id of the next heading, whose words these are. */
  take(title: string): string {
    const anchor = toAnchor(title);
    // Every number behind one dash is that of a footnote for 'note'.
    const counted = `${anchor}${TAKEN.test(`${anchor}-1`) ? '--' : '-'}`;
    let count = this.counts.get(anchor) ?? 0;
    let free = count === 0 ? anchor : `${counted}${count}`;
    while (this.taken.has(free) || TAKEN.test(free)) free = `${counted}${++count}`;
    this.taken.add(free);
    this.counts.set(anchor, count + 1);
    return free;
  }
}

/** An anchor as GitHub makes it, and with it most tools for Markdown: links within an imported post go on working. */
function toAnchor(title: string): string {
  const anchor = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');
  return Array.from(anchor).slice(0, MAX_ANCHOR).join('') || NAMELESS;
}

/**
 * Returns true when a browser finds the place that the end of an address names, as HTML says
 * (https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element): the id as it is
 * written, then decoded; 'top' and nothing are the top, and the part after ':~:' looks for words.
 * @param hash with or without its sign
 * @param ids those of the text of a post, or of a page of the site; what is around it counts as well
 */
export function hasAnchor(ids: ReadonlySet<string>, hash: string, page: 'post' | 'site' = 'post'): boolean {
  const name = hash.replace(/^#/, '').replace(/:~:.*$/s, '');
  const decoded = decodeEscapes(name);
  if (name === '' || decoded.toLowerCase() === 'top') return true;
  return [name, decoded].some((id) => ids.has(id) || AROUND[page].test(id));
}
