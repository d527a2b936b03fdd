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
 * Gives headings of rendered content an id made of their words and their place in the outline, and makes them links to themselves, unless they hold
 * links. Headings of the same words are counted: `costs`, `costs-1`. Those without a word stay as they are.
 */
export function linkHeadings(html: string): LinkedText {
  const anchors = new Anchors();
  const headings: Heading[] = [];
  const outline = new Outline();
  let depth = 0;
  const link = (tag: string, slash?: string, level?: string, attributes?: string, content?: string): string => {
    if (level === undefined || content === undefined) {
      depth += slash === '/' ? -1 : 1;
      return tag;
    }
    const title = wordsOf(content);
    const place = outline.take(Number(level));
    if (title === '') return `<h${level}${attributes}${place}>${content}</h${level}>`;
    const id = anchors.take(title);
    if (depth === 0) headings.push({ id, title, level: Number(level) });
    const words = content.includes('<a ') ? content : `<a class="heading-link" href="#${id}">${content}</a>`;
    return `<h${level} id="${id}"${attributes}${place}>${words}</h${level}>`;
  };
  return { html: html.replace(blockOrHeading, link), sections: toSections(headings) };
}

/**
 * The outline of a page whose title is its only heading 1. Posts that were brought here begin at any level and leave
 * some out, which programs that read pages aloud would call missing parts: such headings say in an attribute how deep they
 * are. They stay the elements that the writer chose, look so, and are stored so.
 */
class Outline {
  /** Levels of the headings that the last one stands below, and its own. */
  private readonly open: number[] = [];

  /** Returns the attribute of the next heading; empty where its element says it. */
  take(level: number): string {
    while ((this.open.at(-1) ?? 0) >= level) this.open.pop();
    this.open.push(level);
    const depth = this.open.length + 1;
    return depth === level ? '' : ` aria-level="${depth}"`;
  }
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
