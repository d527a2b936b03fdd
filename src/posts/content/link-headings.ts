import type { PostSection } from '../../shared/contracts/posts.js';
import { Anchors } from '../../shared/heading-anchors.js';
import { unescapeMarkup } from './markup-tree.js';

/** A text whose headings are places that links can name. */
export interface LinkedText {
  readonly html: string;
  /** The headings of its two upper levels that stand between blocks, in order. */
  readonly sections: PostSection[];
}

interface Heading {
  readonly id: string;
  readonly title: string;
  readonly level: number;
}

const block = /<(\/?)(?:blockquote|ul|ol|dl|table|details|figure)\b[^>]*>/.source;
const heading = /<h([2-6])((?: [^>]*)?)>(.*?)<\/h[2-6]>/.source;
const blockOrHeading = new RegExp(`${block}|${heading}`, 'gs');

/**
 * Gives headings of rendered content an id made of their words, and makes them links to themselves, unless they hold
 * links. Headings of the same words are counted: `costs`, `costs-1`. Those without a word stay as they are.
 */
export function linkHeadings(html: string): LinkedText {
  const anchors = new Anchors();
  const headings: Heading[] = [];
  let depth = 0;
  const link = (tag: string, slash?: string, level?: string, attributes?: string, content?: string): string => {
    if (level === undefined || content === undefined) {
      depth += slash === '/' ? -1 : 1;
      return tag;
    }
    const title = wordsOf(content);
    if (title === '') return tag;
    const id = anchors.take(title);
    if (depth === 0) headings.push({ id, title, level: Number(level) });
    const words = content.includes('<a ') ? content : `<a class="heading-link" href="#${id}">${content}</a>`;
    return `<h${level} id="${id}"${attributes}>${words}</h${level}>`;
  };
  return { html: html.replace(blockOrHeading, link), sections: toSections(headings) };
}

/** The words of a heading: no number of a footnote, and a formula as it is drawn. */
function wordsOf(content: string): string {
  const text = content.replace(/<sup class="post-note".*?<\/sup>|<annotation.*?<\/annotation>|<[^>]*>/gs, '');
  return unescapeMarkup(text).replace(/\s+/g, ' ').trim();
}

/** Posts that were brought here begin at any level: the highest that a text has is its first. */
function toSections(headings: readonly Heading[]): PostSection[] {
  const [first, second] = [...new Set(headings.map(({ level }) => level))].sort();
  const sections: PostSection[] = [];
  for (const { id, title, level } of headings) {
    const above = sections.at(-1);
    if (level === first || (level === second && above === undefined)) sections.push({ id, title, parts: [] });
    else if (level === second) above?.parts.push({ id, title });
  }
  return sections;
}
