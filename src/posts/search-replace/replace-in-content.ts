import { blockModels } from '../content/element-rules.js';
import { serializeChildren, type MarkupElement } from '../content/markup-tree.js';
import { parseContent } from '../content/parse-content.js';
import { countPlaces, replaceWords, type FoundPlace, type Replacing } from './text-pattern.js';

/** The parts of the text of a post in which words are replaced. Markup is none of them. */
export interface ContentParts {
  readonly isInText: boolean;
  /** Code counts as text. */
  readonly isInCode: boolean;
  /** The addresses that links lead to. */
  readonly isInLinks: boolean;
}

/** The text of a post with words replaced. */
export interface ReplacedContent {
  readonly html: string;
  readonly inText: readonly FoundPlace[];
  readonly inLinks: readonly FoundPlace[];
  /** Places that go over the border of an element, as where one of two words is bold: they are left. */
  readonly acrossMarkup: number;
  /** Places in code that were left. */
  readonly inCode: number;
}

const codeTags: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp']);

/** Replaces words in the text of a post, and in nothing that is markup. */
export function replaceInContent(
  html: string,
  pattern: RegExp,
  replacing: Replacing,
  parts: ContentParts,
): ReplacedContent {
  const inText: FoundPlace[] = [];
  const inLinks: FoundPlace[] = [];
  const runs = new TextRuns(pattern);
  let inCode = 0;
  const replace = (text: string, places: FoundPlace[]) => {
    const replaced = replaceWords(text, pattern, replacing);
    // One by one: a text may have more places than a function can be given.
    for (const place of replaced.places) places.push(place);
    return replaced.text;
  };
  const visit = (element: MarkupElement, isCode: boolean): void => {
    if (parts.isInLinks && element.tag === 'a') {
      element.attributes = element.attributes.map(([name, value]) => [
        name,
        name === 'href' ? replace(value, inLinks) : value,
      ]);
    }
    if (isBreak(element)) runs.end();
    element.children = element.children.map((child) => {
      if (typeof child !== 'string') {
        // The text of a formula is its source, which its attribute has as well.
        if (isFormula(child)) runs.end();
        else visit(child, isCode || codeTags.has(child.tag));
        return child;
      }
      if (!parts.isInText) return child;
      if (isCode && !parts.isInCode) {
        inCode += countPlaces(child, pattern);
        runs.end();
        return child;
      }
      runs.add(child);
      return replace(child, inText);
    });
    if (isBreak(element)) runs.end();
  };
  const tree = parseContent(html);
  visit(tree, false);
  runs.end();
  return { html: serializeChildren(tree, false).trim(), inText, inLinks, acrossMarkup: runs.across, inCode };
}

/** Texts that stand beside each other on one line, whatever markup they are in. */
class TextRuns {
  across = 0;
  private texts: string[] = [];

  constructor(private readonly pattern: RegExp) {}

  add(text: string): void {
    this.texts.push(text);
  }

  end(): void {
    const { texts, pattern } = this;
    this.texts = [];
    if (texts.length < 2) return;
    const alone = texts.reduce((sum, text) => sum + countPlaces(text, pattern), 0);
    this.across += Math.max(0, countPlaces(texts.join(''), pattern) - alone);
  }
}

function isBreak({ tag }: MarkupElement): boolean {
  return blockModels.has(tag) || tag === 'pre' || tag === 'br' || tag === 'hr' || tag === 'img';
}

function isFormula({ attributes }: MarkupElement): boolean {
  return attributes.some(([name, value]) => name === 'class' && value === 'ql-formula');
}
