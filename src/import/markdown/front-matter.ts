import { parse as readToml, TomlDate, TomlError } from 'smol-toml';
import { LineCounter, parseDocument } from 'yaml';
import { RefusedError } from '../import.errors.js';
import { readTextHeader } from './text-header.js';

/** The two parts of a Markdown post. */
export interface MarkdownSource {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** True for YAML, which Jekyll and Eleventy read; others use TOML and JSON. */
  readonly isYaml: boolean;
  /** Names of YAML that stand there more than once; the last of each counts, as it does for Jekyll and Hugo. */
  readonly repeated?: readonly string[];
  /** True for a text without front matter, of which nothing is known but its words. */
  readonly isBare?: true;
}

/** Lines of JSON that end with a brace, after which its end is looked for no further. */
const MAX_BRACES = 50;

/** In front of what can be front matter only. */
const emptyLines = /^(?:[ \t]*\n){1,100}(?=(?:---|\+\+\+)[ \t]*\n|\{\s*["}])/;

/** More aliases than any post has a use for: a file that has them means to blow up. */
const MAX_ALIASES = 20;

/**
 * Splits a post into its front matter and its text: YAML between two lines of three hyphens, TOML between two lines of
 * three plus signs (Hugo, Zola), JSON that the file begins with (Hugo), or lines like `Title: A post` (Pelican). Hugo and Zola let lines without text stand in front, and
 * Eleventy lets the first hyphens name another language (`---json`).
 * @throws RefusedError when there is no front matter or it is not valid, with the line in the file
 */
export function parseFrontMatter(written: string): MarkdownSource {
  const empty = emptyLines.exec(written)?.[0] ?? '';
  const text = written.slice(empty.length);
  const first = empty.split('\n').length;
  if (/^\{\s*["}]/.test(text)) return parseJson(text, first);
  const opening = /^(---|\+\+\+)[ \t]*(json|ya?ml|toml|js|javascript)?[ \t]*\n/.exec(text);
  const header = opening === null ? readTextHeader(text) : null;
  if (header !== null) return { ...header, isYaml: false };
  if (opening === null) throw new RefusedError(['the file has no front matter (a block between two lines of ---)']);
  const [, marks = '', language] = opening;
  if (language?.startsWith('j') === true && language !== 'json')
    throw new RefusedError(['the front matter is a program (---js), which is not run here']);
  const isToml = marks === '+++' || language === 'toml';
  const closing = marks === '+++' ? /^\+\+\+[ \t]*(?:\n|$)/gm : /^(?:---|\.\.\.)[ \t]*(?:\n|$)/gm;
  closing.lastIndex = opening[0].length;
  const end = closing.exec(text);
  if (end === null) {
    throw new RefusedError([`the front matter, opened in line ${first}, is never closed with a line of ${marks}`]);
  }
  const fields = text.slice(opening[0].length, end.index);
  const body = text.slice(closing.lastIndex);
  if (language === 'json')
    return { frontMatter: parseJson(`${fields.trim()}\n`, first + 1).frontMatter, body, isYaml: false };
  if (isToml) return { frontMatter: parseToml(fields, first), body, isYaml: false };
  const { values, repeated } = parseYaml(indentQuotedText(fields), first);
  return { frontMatter: values, body, isYaml: true, ...(repeated.length === 0 ? {} : { repeated }) };
}

/** @param first the line of +++ */
function parseToml(toml: string, first: number): Record<string, unknown> {
  try {
    return datesAsText(readToml(toml)) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.split('\n');
    throw new RefusedError([`the front matter is broken in line ${error.line + first}: ${message}`]);
  }
}

/** Dates as they are written, which is how they come from YAML. */
function datesAsText(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(datesAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]: [string, unknown]) => [name, datesAsText(entry)]),
  );
}

/** The object ends with the first closing brace at the end of a line after which it can be read. */
function parseJson(text: string, first: number): MarkdownSource {
  const closing = /\}[ \t]*(?:\n|$)/g;
  for (let attempt = 0; attempt < MAX_BRACES; attempt += 1) {
    if (closing.exec(text) === null) break;
    try {
      const frontMatter = JSON.parse(text.slice(0, closing.lastIndex)) as Record<string, unknown>;
      return { frontMatter, body: text.slice(closing.lastIndex), isYaml: false };
    } catch {
      continue;
    }
  }
  throw new RefusedError([`the front matter, which begins like JSON in line ${first}, cannot be read`]);
}

interface YamlValues {
  readonly values: Record<string, unknown>;
  readonly repeated: readonly string[];
}

/** @param first the line of --- */
function parseYaml(yaml: string, first: number): YamlValues {
  const lineCounter = new LineCounter();
  // Without pretty errors: their messages would carry line numbers of their own, counted from the wrong line.
  const document = parseDocument(yaml, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: true,
    merge: true,
    // Warnings, as of a template in place of a value, would go to the operator's terminal, without the name of the file.
    logLevel: 'error',
  });
  const [repetitions, [error]] = partition(document.errors, ({ code }) => code === 'DUPLICATE_KEY');
  if (error !== undefined) {
    const unclosed = /^Missing closing ["']/.test(error.message) ? findUnclosedQuote(yaml) : null;
    const line = (unclosed ?? lineCounter.linePos(error.pos[0]).line) + first;
    const message = unclosed === null ? error.message : 'a quotation mark is opened and never closed';
    throw new RefusedError([`the front matter is broken in line ${line}: ${message}`]);
  }
  const value = readValue(() => document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown);
  if (value === null || value === undefined) return { values: {}, repeated: [] };
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new RefusedError([`the front matter is broken in line ${first + 1}: it is not a list of names and values`]);
  }
  const names = repetitions.map(({ pos }) => /^[^\n:]{1,100}/.exec(yaml.slice(pos[0]))?.[0].trim() ?? '');
  return { values: value as Record<string, unknown>, repeated: [...new Set(names)] };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
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
