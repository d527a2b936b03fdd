import { CsvSlicer, type CsvRecord } from './csv-records.js';
import { readRow, rowColumns } from './hosted-row.js';
import { identifyRows } from './identify-rows.js';
import { ImportSourceError, RefusedError } from '../import.errors.js';
import { findExport, readBytes, readHead, type ExportFile, type ReaderSettings } from '../source-bytes.js';
import type { PostSource, SourceItem } from '../source-post.js';

const requiredColumns = ['title', 'content'];
/** The values that tools write for a missing one. */
const missing: ReadonlySet<string> = new Set(['', '\\N', 'NULL', 'null']);

/**
 * Opens a table of posts: the hosted table as databases and spreadsheets write it, its columns in any order, separated
 * by commas, semicolons or tabs.
 * @throws ImportSourceError if it has no columns that posts have
 */
export async function openCsv(path: string, settings: ReaderSettings): Promise<PostSource> {
  const file = await findExport(path);
  const head = await readHead(file);
  const delimiter = findDelimiter(head);
  const columns = readColumns(file.name, firstRecord(new CsvSlicer(file.name, delimiter), head));
  return {
    format: 'csv',
    root: file.root,
    total: file.bytes,
    identify: () => identifyRows(readTable(file, { delimiter, columns }, settings, () => undefined)),
    read: (handleProgress) => readTable(file, { delimiter, columns }, settings, handleProgress),
  };
}

interface Table {
  readonly delimiter: number;
  readonly columns: readonly string[];
}

async function* readTable(
  file: ExportFile,
  { delimiter, columns }: Table,
  settings: ReaderSettings,
  handleProgress: (done: number) => void,
): AsyncGenerator<SourceItem, void, undefined> {
  const slicer = new CsvSlicer(file.name, delimiter);
  const unknown = columns.filter((column) => column !== '' && !rowColumns.has(column));
  const notes = unknown.length === 0 ? [] : [`the file has columns that are not taken: ${unknown.join(', ')}`];
  let isHeader = true;
  const read = function* (records: Iterable<CsvRecord>): Generator<SourceItem, void, undefined> {
    for (const record of records) {
      if (!isHeader) yield readRecord(record, columns, file.name, settings, notes.splice(0));
      isHeader = false;
    }
  };
  for await (const chunk of readBytes(file, handleProgress)) yield* read(slicer.push(chunk));
  yield* read(slicer.end());
}

function readRecord(
  record: CsvRecord,
  columns: readonly string[],
  name: string,
  settings: ReaderSettings,
  notes: readonly string[],
): SourceItem {
  const label = `${name}: line ${record.line}`;
  try {
    const post = readRow(toRow(record, columns), label, settings);
    const warnings = record.isEnded ? [] : ['it is the end of the file, without a line break: see that it is complete'];
    return { ...post, warnings: [...post.warnings, ...warnings], ...(notes.length === 0 ? {} : { fileNotes: notes }) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { file: label, refusal: new RefusedError(error.reasons, error.slug, notes) };
  }
}

function toRow({ fields, problem }: CsvRecord, columns: readonly string[]): Map<string, unknown> {
  if (problem !== null) throw new RefusedError([problem]);
  if (fields.length !== columns.length) {
    throw new RefusedError([`it has ${fields.length} columns, the first line has ${columns.length}`]);
  }
  return new Map(columns.map((column, index) => [column, toValue(fields[index] ?? Buffer.alloc(0), column)]));
}

function toValue(field: Buffer, column: string): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(field);
    return missing.has(text) ? null : text;
  } catch {
    throw new RefusedError([`${column} holds bytes that are not UTF-8; save the table as UTF-8 and try again`]);
  }
}

function firstRecord(slicer: CsvSlicer, head: Buffer): CsvRecord | undefined {
  const [first = [...slicer.end()][0]] = slicer.push(head);
  return first;
}

function readColumns(name: string, header: CsvRecord | undefined): string[] {
  if (header?.problem !== null) {
    throw new ImportSourceError(`${name}: its first line does not name columns`);
  }
  const columns = header.fields.map((field) => field.toString().trim().toLowerCase().replace(/[ -]/g, '_'));
  const twice = columns.find((column, index) => column !== '' && columns.indexOf(column) !== index);
  if (twice !== undefined) throw new ImportSourceError(`${name}: has two columns '${twice}'`);
  const absent = requiredColumns.filter((column) => !columns.includes(column));
  if (absent.length > 0) throw new ImportSourceError(`${name}: has no column '${absent.join("', '")}'`);
  return columns;
}

/** The separator that the first line has most of. */
function findDelimiter(head: Buffer): number {
  const line = head.subarray(0, head.indexOf('\n') < 0 ? head.length : head.indexOf('\n')).toString('latin1');
  const names = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: names.split(sign).length }));
  return (counts.sort((a, b) => b.count - a.count)[0]?.sign ?? ',').charCodeAt(0);
}
