import { exportMark, readExportedRow } from '../exported/exported-row.js';
import { readRow, rowColumns } from './hosted-row.js';
import { identifyRows } from './identify-rows.js';
import { ImportSourceError, RefusedError } from '../import.errors.js';
import { JsonSlicer, type JsonPath } from '../json-slices.js';
import { parseSlice } from './json-value.js';
import { LineSlicer } from '../line-slices.js';
import {
  BrokenOffError,
  findExport,
  readBytes,
  readHead,
  type ExportFile,
  type ReaderSettings,
} from '../source-bytes.js';
import type { Row } from './row-values.js';
import type { PostSource, SourceItem, SourcePost } from '../source-post.js';

/** Under which a list of rows may be found. */
const listNames: ReadonlySet<unknown> = new Set(['blog_posts', 'posts', 'rows', 'data']);

/** How the rows lie in the file: a list, a list in an object, or one in each line. */
type Layout = 'list' | 'object' | 'lines';

type ReadRow = (row: Row, label: string) => SourcePost;

/** A row, or why there is none. */
interface RowSlice {
  readonly line: number;
  readonly bytes: Buffer | null;
  readonly problem: string | null;
}

/**
 * Opens posts in JSON: rows of the hosted table as a list, in an object ({"blog_posts": [...]}), or one in each line; or
 * what `posts export` wrote.
 * @throws ImportSourceError if it is no JSON or has no list of posts
 */
export async function openJson(path: string, settings: ReaderSettings): Promise<PostSource> {
  const file = await findExport(path);
  const head = await readHead(file);
  const layout = findLayout(file, head);
  const isExport = exportMark.test(head.toString('latin1', 0, 200));
  const read: ReadRow = isExport ? readExportedRow : (row, label) => readRow(row, label, settings);
  return {
    format: 'json',
    root: file.root,
    total: file.bytes,
    identify: () => identifyRows(readRows(file, layout, read, () => undefined)),
    read: (handleProgress) => readRows(file, layout, read, handleProgress),
  };
}

async function* readRows(
  file: ExportFile,
  layout: Layout,
  read: ReadRow,
  handleProgress: (done: number) => void,
): AsyncGenerator<SourceItem, void, undefined> {
  const known = new Set(rowColumns);
  let ordinal = 0;
  for await (const slice of layout === 'lines' ? lines(file, handleProgress) : values(file, handleProgress)) {
    ordinal += 1;
    yield readItem(slice, `${file.name}: item ${ordinal} in line ${slice.line}`, known, read);
  }
}

async function* values(file: ExportFile, handleBytes: (done: number) => void): AsyncGenerator<RowSlice> {
  const slicer = new JsonSlicer(file.name, (path, isContainer) => {
    if (isRow(path)) return 'take';
    return isContainer && isOnTheWay(path) ? 'enter' : 'skip';
  });
  for await (const chunk of readBytes(file, handleBytes)) yield* slicer.push(chunk);
  slicer.end();
}

function isRow(path: JsonPath): boolean {
  return (
    typeof path[path.length - 1] === 'number' && (path.length === 1 || (path.length === 2 && listNames.has(path[0])))
  );
}

function isOnTheWay(path: JsonPath): boolean {
  return path.length === 0 || (path.length === 1 && listNames.has(path[0]));
}

async function* lines(file: ExportFile, handleBytes: (done: number) => void): AsyncGenerator<RowSlice> {
  const slicer = new LineSlicer();
  for await (const chunk of readBytes(file, handleBytes)) yield* slicer.push(chunk);
  for (const slice of slicer.end()) {
    if (slice.bytes !== null && isObject(slice.bytes)) yield slice;
    else throw new BrokenOffError(`${file.name}: breaks off in line ${slice.line}`);
  }
}

function readItem(slice: RowSlice, label: string, known: Set<string>, read: ReadRow): SourceItem {
  const notes: string[] = [];
  try {
    const row = toRow(slice, known, notes);
    const post = read(row, label);
    return { ...post, ...(notes.length === 0 ? {} : { fileNotes: notes }) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { file: label, refusal: new RefusedError(error.reasons, error.slug, notes) };
  }
}

function toRow(slice: RowSlice, known: Set<string>, notes: string[]): Map<string, unknown> {
  const value = parseSlice(slice);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RefusedError(['it is not a row: an object with the columns of a post']);
  }
  const row = new Map<string, unknown>(Object.entries(value));
  const unknown = [...row.keys()].filter((column) => !known.has(column)).slice(0, 20);
  if (unknown.length > 0) notes.push(`the file has columns that are not taken: ${unknown.join(', ')}`);
  // Said once.
  for (const column of unknown) known.add(column);
  return row;
}

/** @throws ImportSourceError if there is no list of rows */
function findLayout(file: ExportFile, head: Buffer): Layout {
  const first = /^\s*([^])/.exec(head.toString('latin1'))?.[1];
  if (first === '[') return 'list';
  if (first === '{' && hasList(file, head)) return 'object';
  if (first === '{' && startsWithObject(head)) return 'lines';
  throw new ImportSourceError(`${file.name}: has no list of posts: neither a list of rows nor "blog_posts" with one`);
}

function hasList(file: ExportFile, head: Buffer): boolean {
  let isFound = false;
  const slicer = new JsonSlicer(file.name, (path, isContainer) => {
    if (path.length === 1 && isContainer && listNames.has(path[0])) isFound = true;
    return path.length === 0 ? 'enter' : 'skip';
  });
  try {
    for (const slice of slicer.push(head)) void slice;
  } catch (error) {
    // One row in each line is no JSON as a whole.
    if (!(error instanceof BrokenOffError)) throw error;
  }
  return isFound;
}

function startsWithObject(head: Buffer): boolean {
  const end = head.indexOf('\n');
  // The first row may be larger than the head.
  return end < 0 || isObject(head.subarray(0, end)) || /^\s*\{/.test(head.toString('latin1', end + 1, end + 100));
}

function isObject(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
