import { plainLine } from './plain-line.js';

const first =
  /^(?:\s|<!--[^]*?-->)*(?:<h1(?:\s[^<>]*)?>([^]{1,500}?)<\/h1>[ \t]*(?:\n|$)|#[ \t]+([^\n]+?)(?:[ \t]+#+)?[ \t]*(?:\n|$)|([^\s#>|`~<:*+-][^\n]*)\n=+[ \t]*(?:\n|$))/;
const id = /\s*\{:?\s*#[\w:.-]+\s*\}\s*$/;

/** A text whose first line is its only title, and the text without it. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** Returns the heading 1 with which a text begins, which is the title in generators of documentation; null for another text. */
export function readFirstHeading(markdown: string): TitledText | null {
  const match = first.exec(markdown);
  const title = plainLine((match?.[1] ?? match?.[2] ?? match?.[3] ?? '').replace(/\s+/g, ' ').trim().replace(id, ''));
  return match === null || title === '' ? null : { title, text: markdown.slice(match[0].length) };
}
