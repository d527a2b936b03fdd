import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, type Duplex, type Readable } from 'node:stream';
import { isRecord } from '../../shared/is-record.js';

/** A row of an export, as it says it: texts from CSV, any value from JSON. */
export interface SourceRow {
  /** For reports: 'row 3', as spreadsheets and editors count. */
  readonly name: string;
  /** Null for a row without names and values, or with another number of values. */
  readonly values: Readonly<Record<string, unknown>> | null;
}

/** Thrown when a file cannot be read, or no further; the message says where. */
export class UserSourceError extends Error {
  override readonly name = 'UserSourceError';
}

/** No account is larger; a larger row is a quotation mark that is never closed. */
const MAX_ROW_BYTES = 2 * 1024 * 1024;

/**
 * Reads the rows of a CSV file with a header, or of a JSON array, holding one of them in memory at a time.
 * @param handleProgress told how many bytes of how many were read
 * @throws UserSourceError
 */
export async function* readUserRows(
  path: string,
  handleProgress: (done: number, total: number) => void,
): AsyncGenerator<SourceRow> {
  const { size, isJson } = await look(path);
  const bytes = createReadStream(path);
  let done = 0;
  const text = decode(bytes, (count) => handleProgress((done += count), size));
  let last = 'its beginning';
  try {
    for await (const row of isJson ? readJson(text) : readCsv(text)) {
      last = row.name;
      yield row;
    }
  } catch (error) {
    if (error instanceof UserSourceError) throw error;
    throw new UserSourceError(`the file cannot be read after ${last}: ${messageOf(error)}`);
  } finally {
    bytes.destroy();
  }
}

/** A list in brackets is JSON. */
async function look(path: string): Promise<{ readonly size: number; readonly isJson: boolean }> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isFile() !== true) throw new UserSourceError(`${path}: there is no such file`);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    const start = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
    if (/^\s*\{/.test(start)) throw new UserSourceError(`${path}: is not a list of users ([{...}, ...])`);
    return { size: stats.size, isJson: /^\s*\[/.test(start) };
  } finally {
    await file.close();
  }
}

async function* readJson(text: AsyncIterable<string>): AsyncGenerator<SourceRow> {
  // The parsers are large, and servers need neither.
  const { streamArray } = await import('stream-json/streamers/stream-array.js');
  const items = pipeThrough(text, streamArray.withParserAsStream());
  for await (const { key, value } of items as AsyncIterable<{ key: number; value: unknown }>) {
    yield { name: `row ${key + 1}`, values: isRecord(value) ? value : null };
  }
}

async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<SourceRow> {
  const { parse } = await import('csv-parse');
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_ROW_BYTES };
  let names: readonly string[] | null = null;
  let number = 0;
  for await (const row of pipeThrough(text, parse(options)) as AsyncIterable<readonly string[]>) {
    number += 1;
    if (names === null) {
      names = row.map((name) => name.trim());
      if (!names.includes('id')) throw new UserSourceError('the first line names no column id');
      continue;
    }
    const isWhole = row.length === names.length;
    const values = isWhole ? Object.fromEntries(names.map((name, index) => [name, toValue(row[index])])) : null;
    yield { name: `row ${number}`, values };
  }
}

/** How databases and their tools write null into CSV. */
function toValue(text: string | undefined): string | null {
  return text === undefined || /^(?:\\N|null)?$/i.test(text) ? null : text;
}

/** Connects a text with a stream so that an error of either ends the other and reaches the reader. */
function pipeThrough(text: AsyncIterable<string>, through: Duplex): Duplex {
  return pipeline(text, through, () => undefined);
}

/**
 * Reads bytes as text when somebody asks for it, and no sooner: what a stream gives before is lost.
 * @param handleBytes told how many bytes came
 * @throws Error when the bytes are not in UTF-8: read as if they were, names would lose each letter beyond ASCII
 */
async function* decode(bytes: Readable, handleBytes: (count: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      handleBytes(chunk.length);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? new Error('it is not in UTF-8', { cause: error }) : error;
  }
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
