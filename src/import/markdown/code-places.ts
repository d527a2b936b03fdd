import { Parser } from 'htmlparser2';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import type { Construct } from './template-constructs.js';

/** Elements whose text means what it says. */
const literal = new Set(['pre', 'code', 'kbd', 'samp', 'script', 'style', 'textarea']);
const nesting = new Set(['li', 'blockquote']);

/** The place of a construct in the page. */
export interface Place {
  readonly isCode: boolean;
  /** In a list or a quotation, whose lines have marks or spaces in front. */
  readonly isNested: boolean;
}

/**
 * Finds out which constructs are part of code: with a word in place of each, the text is made into the page that it will be,
 * and code is what is code there, whatever made it so.
 * @returns the places, in the order of the constructs
 */
export function findPlaces(markdown: string, constructs: readonly Construct[], isHtml = false): Place[] {
  const word = unusedWord(markdown);
  let masked = '';
  let at = 0;
  for (const [index, { start, end }] of constructs.entries()) {
    masked += `${markdown.slice(at, start)}${word}${index}z`;
    at = end;
  }
  const places: Place[] = constructs.map(() => ({ isCode: false, isNested: false }));
  const whole = masked + markdown.slice(at);
  readPlaces(isHtml ? whole : markdownToHtml(whole), new RegExp(`${word}(\\d+)z`, 'g'), places);
  return places;
}

function readPlaces(html: string, pattern: RegExp, places: Place[]): void {
  let code = 0;
  let depth = 0;
  const note = (text: string) => {
    for (const [, index] of text.matchAll(pattern)) {
      // A link is written once and can be read twice, as its text and as its address.
      const isCode = code > 0 || places[Number(index)]?.isCode === true;
      places[Number(index)] = { isCode, isNested: depth > 0 };
    }
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (literal.has(name)) code += 1;
      if (nesting.has(name)) depth += 1;
      for (const value of Object.values(attributes)) note(value);
    },
    // A word at a time may come in parts, which end at entities only.
    ontext: note,
    onclosetag(name) {
      if (literal.has(name)) code -= 1;
      if (nesting.has(name)) depth -= 1;
    },
  });
  parser.end(html);
}

/** Letters and digits alone: nothing that Markdown or an address would change. */
function unusedWord(markdown: string): string {
  let word = 'xqtemplate';
  while (markdown.includes(word)) word += 'q';
  return word;
}
