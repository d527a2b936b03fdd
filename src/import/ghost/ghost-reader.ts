import { readGhostPost } from './ghost-post.js';
import { addRow, emptyTables, smallTables, type GhostTables } from './ghost-tables.js';
import { noteDescriptions, withFileNotes } from '../file-notes.js';
import { ImportSourceError, isTooDeep, RefusedError, TOO_DEEP } from '../import.errors.js';
import { JsonSlicer, type JsonPath, type JsonSlice } from '../json-slices.js';
import { parseSlice } from '../rows/json-value.js';
import {
  BrokenOffError,
  findExport,
  readBytes,
  readHead,
  type ExportFile,
  type ReaderSettings,
} from '../source-bytes.js';
import { addressOfName, nameOfAddress } from '../source-name.js';
import type { PostSource, SourceIdentity, SourceItem } from '../source-post.js';

/**
 * Opens an export of Ghost: one file of JSON with the rows of its tables. It is read twice, first for tags and authors,
 * which come after the posts.
 * @throws ImportSourceError if it is none
 */
export async function openGhost(path: string, settings: ReaderSettings): Promise<PostSource> {
  const file = await findExport(path);
  const head = (await readHead(file)).toString('latin1');
  if (!/^\s*\{\s*"(?:db"\s*:\s*\[|data"\s*:\s*\{|meta"\s*:\s*\{)/.test(head)) {
    throw new ImportSourceError(`${file.name}: is no export of Ghost: neither "db" nor "data" comes first in it`);
  }
  let known: Promise<GhostTables> | null = null;
  const tables = (handleProgress: (done: number) => void) => (known ??= readTables(file, settings, handleProgress));
  return {
    format: 'ghost',
    root: file.root,
    total: file.bytes * 2,
    identify: async () => identify((await tables(() => undefined)).address),
    read: (handleProgress, sourceName) =>
      readExport(file, settings, withAddress(tables(handleProgress), sourceName ?? ''), handleProgress),
  };
}

function identify(address: string): SourceIdentity {
  return { name: address === '' ? null : nameOfAddress(address), isNeeded: true };
}

/** Exports say the address of their site only in old versions; it is what links between posts begin with. */
async function withAddress(reading: Promise<GhostTables>, sourceName: string): Promise<GhostTables> {
  const tables = await reading;
  return tables.address === '' ? { ...tables, address: addressOfName(sourceName) ?? '' } : tables;
}

async function* readExport(
  file: ExportFile,
  settings: ReaderSettings,
  reading: Promise<GhostTables>,
  handleProgress: (done: number) => void,
): AsyncGenerator<SourceItem, void, undefined> {
  const tables = await reading;
  const notes = noteDescriptions(tables.described, 'tags and authors');
  let ordinal = 0;
  const posts = slices(file, new Set(['posts']), (done) => handleProgress(file.bytes + done));
  for await (const slice of posts) {
    ordinal += 1;
    const place = `${file.name}: post ${ordinal} in line ${slice.line}`;
    yield withFileNotes(readItem(slice, place, { ...settings, file: file.name, tables }), notes);
  }
  if (ordinal === 0) throw new ImportSourceError(`${file.name}: holds no posts`);
}

function readItem(
  slice: JsonSlice,
  place: string,
  settings: ReaderSettings & { readonly file: string; readonly tables: GhostTables },
): SourceItem {
  try {
    return readGhostPost(parseSlice(slice), place, settings);
  } catch (error) {
    if (isTooDeep(error)) return { file: place, refusal: new RefusedError([TOO_DEEP]) };
    if (!(error instanceof RefusedError)) throw error;
    return { file: error.slug === null ? place : `${place} (${error.slug})`, refusal: error };
  }
}

async function readTables(
  file: ExportFile,
  settings: ReaderSettings,
  handleBytes: (done: number) => void,
): Promise<GhostTables> {
  const tables = emptyTables();
  try {
    for await (const slice of slices(file, smallTables, handleBytes)) {
      // A row that cannot be read names nobody; the posts it belongs to come without it, and say so.
      if (slice.bytes !== null) addRow(tables, tableOf(slice.path), rowOf(slice), settings);
    }
  } catch (error) {
    // A file that breaks off is read up to there, and says so the second time.
    if (!(error instanceof BrokenOffError)) throw error;
    tables.isComplete = false;
  }
  return tables;
}

/** The table of a row; `meta` is one object, beside the tables. */
function tableOf(path: JsonPath): string {
  return path.at(-1) === 'meta' ? 'meta' : String(path.at(-2));
}

function rowOf(slice: JsonSlice): unknown {
  try {
    return parseSlice(slice);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return null;
  }
}

async function* slices(
  file: ExportFile,
  names: ReadonlySet<unknown>,
  handleBytes: (done: number) => void,
): AsyncGenerator<JsonSlice, void, undefined> {
  const slicer = new JsonSlicer(file.name, (path, isContainer) => {
    const inner = path[0] === 'db' ? path.slice(2) : path;
    if (inner.length === 1 && inner[0] === 'meta' && names.has('meta')) return 'take';
    if (inner.length === 3 && inner[0] === 'data' && names.has(inner[1])) return 'take';
    return isContainer && isOnTheWay(path, inner, names) ? 'enter' : 'skip';
  });
  for await (const chunk of readBytes(file, handleBytes)) yield* slicer.push(chunk);
  slicer.end();
}

/** `{"db": [{"data": {"posts": [...]}}]}`, or the same without the first two. */
function isOnTheWay(path: JsonPath, inner: JsonPath, names: ReadonlySet<unknown>): boolean {
  if (path.length === 0 || (path[0] === 'db' && path.length <= 2)) return true;
  return inner[0] === 'data' && (inner.length === 1 || (inner.length === 2 && names.has(inner[1])));
}
