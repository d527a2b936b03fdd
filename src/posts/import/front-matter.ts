import { LineCounter, parseDocument } from 'yaml';
import { RefusedError } from './import.errors.js';

/** The two parts of a Markdown post. */
export interface MarkdownSource {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** More aliases than any post has a use for: a file that has them means to blow up. */
const MAX_ALIASES = 20;

/**
 * Splits a post into its YAML front matter, between two lines of three hyphens, and its text.
 * @throws RefusedError when there is no front matter or it is not valid, with the line in the file
 */
export function parseFrontMatter(text: string): MarkdownSource {
  const opening = /^---[ \t]*\n/.exec(text);
  if (opening === null) throw new RefusedError(['the file has no front matter (a block between two lines of ---)']);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/gm;
  closing.lastIndex = opening[0].length;
  const end = closing.exec(text);
  if (end === null) throw new RefusedError(['the front matter, opened in line 1, is never closed with a line of ---']);
  const yaml = text.slice(opening[0].length, end.index);
  return { frontMatter: parseYaml(indentQuotedText(yaml)), body: text.slice(closing.lastIndex) };
}

function parseYaml(yaml: string): Record<string, unknown> {
  const lineCounter = new LineCounter();
  // Without pretty errors: their messages would carry line numbers of their own, counted from the wrong line.
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const unclosed = /^Missing closing ["']/.test(error.message) ? findUnclosedQuote(yaml) : null;
    // The line of --- is the first.
    const line = (unclosed ?? lineCounter.linePos(error.pos[0]).line) + 1;
    const message = unclosed === null ? error.message : 'a quotation mark is opened and never closed';
    throw new RefusedError([`the front matter is broken in line ${line}: ${message}`]);
  }
  const value = readValue(() => document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown);
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new RefusedError(['the front matter is broken in line 2: it is not a list of names and values']);
  }
  return value as Record<string, unknown>;
}

function readValue(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new RefusedError([`the front matter is broken: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/**
 * Quoted text that goes on over several lines has to be indented, says YAML. Jekyll and its kin do not insist, so many
 * posts do not; their lines are indented here. Lines stay what and where they are in every other respect.
 */
function indentQuotedText(yaml: string): string {
  const lines = yaml.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const last = findEndOfQuote(lines, index);
    if (last === null || last === undefined) continue;
    for (let at = index + 1; at <= last; at += 1) {
      const line = lines[at] ?? '';
      if (/^\S/.test(line)) lines[at] = `  ${line}`;
    }
    index = last;
  }
  return lines.join('\n');
}

/** The line, counted from 1, of the first field whose quoted text never ends; null if there is none. */
function findUnclosedQuote(yaml: string): number | null {
  const lines = yaml.split('\n');
  const index = lines.findIndex((_line, at) => findEndOfQuote(lines, at) === null);
  return index < 0 ? null : index + 1;
}

/**
 * The line on which the quoted text of the field in this line ends. Null when it never ends, or something other than
 * a comment follows it; undefined when this line starts no quoted text.
 */
function findEndOfQuote(lines: readonly string[], first: number): number | null | undefined {
  const opening = /^[\w-]+[ \t]*:[ \t]+(["'])/.exec(lines[first] ?? '');
  if (opening === null) return undefined;
  const closing = opening[1] === '"' ? /^(?:[^"\\]|\\.|\\$)*"/ : /^(?:[^']|'')*'(?!')/;
  for (let at = first; at < lines.length; at += 1) {
    const rest = (lines[at] ?? '').slice(at === first ? opening[0].length : 0);
    const match = closing.exec(rest);
    if (match !== null) return /^[ \t]*(?:#.*)?$/.test(rest.slice(match[0].length)) ? at : null;
  }
  return null;
}
