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
    // The line of --- is the first.
    const line = lineCounter.linePos(error.pos[0]).line + 1;
    throw new RefusedError([`the front matter is broken in line ${line}: ${error.message}`]);
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
    const quote = /^[\w-]+[ \t]*:[ \t]+(["'])/.exec(lines[index] ?? '');
    if (quote === null) continue;
    const last = findClosingLine(lines, index, quote[0].length, quote[1] as '"' | "'");
    if (last === null) continue;
    for (let at = index + 1; at <= last; at += 1) {
      const line = lines[at] ?? '';
      if (/^\S/.test(line)) lines[at] = `  ${line}`;
    }
    index = last;
  }
  return lines.join('\n');
}

/** The line on which quoted text ends; null when nothing but a comment may follow it and something else does. */
function findClosingLine(lines: readonly string[], first: number, from: number, quote: '"' | "'"): number | null {
  const closing = quote === '"' ? /^(?:[^"\\]|\\.|\\$)*"/ : /^(?:[^']|'')*'(?!')/;
  for (let at = first; at < lines.length; at += 1) {
    const rest = at === first ? (lines[at] ?? '').slice(from) : (lines[at] ?? '');
    const match = closing.exec(rest);
    if (match !== null) return /^[ \t]*(?:#.*)?$/.test(rest.slice(match[0].length)) ? at : null;
  }
  return null;
}
