import { RefusedError } from '../import.errors.js';
import { parseRowDate } from './row-date.js';

/** A row by its columns; null and undefined both mean that there is no value. */
export type Row = ReadonlyMap<string, unknown>;

/**
 * The text in a column; null for none.
 * @throws RefusedError for anything else, and for characters that no text can hold
 */
export function readText(row: Row, column: string): string | null {
  const value = row.get(column) ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') throw new RefusedError([`${column} is ${kindOf(value)}, not a text`]);
  if (value.includes('\0')) throw new RefusedError([`${column} holds zero characters`]);
  return value;
}

/**
 * The id of a row, which may be a number; null for none.
 * @throws RefusedError for anything else
 */
export function readId(row: Row): string | null {
  const value = row.get('id');
  if (typeof value !== 'number') return readText(row, 'id')?.trim() || null;
  if (Number.isSafeInteger(value)) return String(value);
  throw new RefusedError(['id is a number that is larger than can be read; write it as a text']);
}

/**
 * Yes or no, as databases and spreadsheets write it; undefined for neither.
 * @throws RefusedError for anything else
 */
export function readFlag(row: Row, column: string): boolean | undefined {
  const value = row.get(column) ?? '';
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === '') return undefined;
  if (text === true || text === 1 || (typeof text === 'string' && /^(?:t|true|1|y|yes|on)$/.test(text))) return true;
  if (text === false || text === 0 || (typeof text === 'string' && /^(?:f|false|0|n|no|off)$/.test(text))) return false;
  throw new RefusedError([`${column} is neither true nor false: ${quote(text)}`]);
}

/**
 * A moment; undefined for none.
 * @throws RefusedError for anything that is none, or could be two
 */
export function readMoment(row: Row, column: string, timeZone: string): Date | undefined {
  const text = readText(row, column)?.trim() ?? '';
  if (text === '') return undefined;
  try {
    return parseRowDate(text, timeZone);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new RefusedError(error.reasons.map((reason) => `${column}: ${reason}`));
  }
}

/**
 * A list of texts: a list, PostgreSQL's `{a,"b, c",NULL}`, JSON's `["a"]`, or words with commas between them; null for
 * none.
 * @throws RefusedError for anything else
 */
export function readTags(row: Row, column: string): string[] | null {
  const value = row.get(column) ?? null;
  if (value === null) return null;
  const parts = Array.isArray(value) ? (value as unknown[]) : splitList(readText(row, column) ?? '', column);
  const texts = parts.filter((part) => part !== null).map((part) => toTag(part, column));
  const tags = [...new Set(texts.map((text) => text.trim()))].filter(Boolean);
  return tags.length > 0 ? tags : null;
}

function toTag(part: unknown, column: string): string {
  if (typeof part !== 'string') throw new RefusedError([`${column} has ${kindOf(part)} in it, not a text`]);
  if (part.includes('\0')) throw new RefusedError([`${column} holds zero characters`]);
  return part;
}

function splitList(written: string, column: string): unknown[] {
  const text = written.trim();
  if (text.startsWith('{') && text.endsWith('}')) return splitArray(text, column);
  if (!text.startsWith('[') || !text.endsWith(']')) return text.split(',');
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Said below.
  }
  throw new RefusedError([`${column} is not a list that can be read: ${quote(text)}`]);
}

/** The output form of one-dimensional arrays: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function splitArray(text: string, column: string): (string | null)[] {
  const inner = text.slice(1, -1);
  if (inner.trim() === '') return [];
  const items: (string | null)[] = [];
  const item = /\s*(?:"((?:[^"\\]|\\[^])*)"|([^",{}\\]+))\s*(,|$)/y;
  while (item.lastIndex < inner.length) {
    const [whole, quoted, bare, end] = item.exec(inner) ?? [];
    if (whole === undefined || (end === ',' && item.lastIndex === inner.length)) {
      throw new RefusedError([`${column} is not an array that can be read: ${quote(text)}`]);
    }
    const isNull = quoted === undefined && bare?.trim().toUpperCase() === 'NULL';
    items.push(isNull ? null : (quoted?.replace(/\\([^])/g, '$1') ?? bare?.trim() ?? null));
  }
  return items;
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? 'true or false' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.length > 100 ? `${text.slice(0, 100)}...` : text}'`;
}
