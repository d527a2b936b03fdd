import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { RedirectFormat, RedirectInput, RedirectOrigin } from '../shared/contracts/redirects.js';
import { isPattern } from './redirect-patterns.js';

/** An entry of a file: a redirect, or a problem with the text that is none. */
export type FileEntry = { readonly place: string } & (
  | { readonly redirect: RedirectInput; readonly problem: null }
  | { readonly redirect: null; readonly problem: string; readonly text: string }
);

/** Thrown for a file of which nothing can be read. */
export class RedirectFileError extends Error {
  override readonly name = 'RedirectFileError';
}

/** The names that programs give to both addresses. */
const fieldNames = {
  path: ['path', 'from', 'source', 'old', 'old_url', 'source url'],
  target: ['target', 'to', 'destination', 'new', 'new_url', 'target url'],
} as const;

/**
 * Reads the redirects of a file, in its order.
 * @param format undefined to detect it by the file's name and content
 * @throws RedirectFileError
 */
export function readRedirects(text: string, name: string, format?: RedirectFormat): FileEntry[] {
  const plain = text.replace(/^\uFEFF/, '');
  switch (format ?? detectFormat(plain, name)) {
    case 'json':
      return readJson(plain);
    case 'csv':
      return readCsv(plain);
    case 'hosts':
      return readHosts(plain);
  }
}

/** Redirects as the text of a file that {@link readRedirects} reads. Only those of operators may be patterns. */
export function writeRedirects(
  redirects: readonly (RedirectInput & { readonly origin: RedirectOrigin })[],
  format: RedirectFormat,
): string {
  const pairs = redirects.map(({ path, target, origin }) => {
    const isMeant = origin === 'operator' && isPattern(path);
    return { path: isMeant ? path : withoutPatterns(path), target };
  });
  switch (format) {
    case 'json':
      return `${JSON.stringify(pairs, null, 2)}\n`;
    case 'csv':
      return ['path,target', ...pairs.map(({ path, target }) => `${toCell(path)},${toCell(target)}`), ''].join('\n');
    case 'hosts':
      return pairs.map(({ path, target }) => `${path} ${target} 301\n`).join('');
  }
}

/** Returns the format that the name of a file stands for; undefined for a name that says nothing. */
export function formatOfName(name: string): RedirectFormat | undefined {
  if (/\.json$/i.test(name)) return 'json';
  if (/\.csv$/i.test(name)) return 'csv';
  return basename(name) === '_redirects' ? 'hosts' : undefined;
}

function detectFormat(text: string, name: string): RedirectFormat {
  const named = formatOfName(name);
  if (named === 'json' || /^\s*[[{]/.test(text)) return 'json';
  if (named !== undefined) return named;
  const first = text.split(/\r?\n/).find((line) => /^\s*[^\s#]/.test(line)) ?? '';
  return /[,;\t]/.test(first) ? 'csv' : 'hosts';
}

function readJson(text: string): FileEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RedirectFileError(`The file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (Array.isArray(value)) return value.map((item, index) => toEntry(`item ${index + 1}`, pickFields(item)));
  if (typeof value !== 'object' || value === null) throw new RedirectFileError('The file holds no list of redirects.');
  return Object.entries(value).map(([path, target], index) => toEntry(`item ${index + 1}`, { path, target }));
}

function pickFields(item: unknown): { path?: unknown; target?: unknown } {
  if (typeof item !== 'object' || item === null) return {};
  const fields = new Map<string, unknown>(Object.entries(item));
  const pick = (names: readonly string[]) => fields.get(names.find((name) => fields.has(name)) ?? '');
  return { path: pick(fieldNames.path), target: pick(fieldNames.target) };
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function readCsv(text: string): FileEntry[] {
  const delimiter = /[,;\t]/.exec(text.split(/\r?\n/, 1)[0] ?? '')?.[0] ?? ',';
  const rows = parseCsv(text, delimiter);
  const head = rows[0]?.record.map((cell) => cell.trim().toLowerCase()) ?? [];
  const columnOf = (names: readonly string[]) => head.findIndex((cell) => names.includes(cell));
  const columns = { path: columnOf(fieldNames.path), target: columnOf(fieldNames.target) };
  const hasHead = columns.path >= 0 && columns.target >= 0;
  const { path, target } = hasHead ? columns : { path: 0, target: 1 };
  return rows
    .slice(hasHead ? 1 : 0)
    .map(({ record, info }) => toEntry(`line ${info.lines}`, { path: record[path], target: record[target] }));
}

function parseCsv(text: string, delimiter: string): CsvRecord[] {
  try {
    const options = { delimiter, info: true, relax_column_count: true, skip_empty_lines: true };
    return parse(text, options) as unknown as CsvRecord[];
  } catch (error) {
    throw new RedirectFileError(`The file is not CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Lines like `/old /new 301`, as the file `_redirects` of static hosts has them. */
function readHosts(text: string): FileEntry[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const words = line
      .replace(/(^|\s)#.*$/, '')
      .split(/\s+/)
      .filter(Boolean);
    return words.length === 0 ? [] : [readHostsLine(`line ${index + 1}`, words)];
  });
}

function readHostsLine(place: string, words: readonly string[]): FileEntry {
  const [path = '', target = '', status = '301', ...rest] = words;
  const problem = (reason: string): FileEntry => ({ place, redirect: null, problem: reason, text: words.join(' ') });
  if (target !== '' && !/^(?:\/|https?:)/i.test(target)) {
    return problem(`${target} is no target: spaces in addresses are written as %20, and conditions are not supported`);
  }
  if (rest.length > 0 || !/^\d{3}!?$/.test(status)) return problem('conditions are not supported');
  if (!/^30[18]/.test(status)) return problem(`${status} is no lasting redirect: those are 301 and 308`);
  return toEntry(place, { path, target });
}

function toEntry(place: string, { path, target }: { path?: unknown; target?: unknown }): FileEntry {
  if (typeof path === 'string' && typeof target === 'string' && path.trim() !== '' && target.trim() !== '') {
    return { place, redirect: { path, target }, problem: null };
  }
  const text = [path, target].filter((cell) => typeof cell === 'string').join(' ');
  return { place, redirect: null, problem: 'there must be a path and a target', text };
}

function toCell(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Escapes the characters that static hosts, and this site, would read as patterns. */
function withoutPatterns(path: string): string {
  return path.replaceAll('*', '%2A').replaceAll('/:', '/%3A').replaceAll('(.', '%28.');
}
