import { isRecord } from '../../shared/is-record.js';
import { RefusedError } from '../import.errors.js';

export type FrontMatter = Readonly<Record<string, unknown>>;

/** The first of the fields that has a value, as text; empty when none has. */
export function readText(frontMatter: FrontMatter, ...names: string[]): string {
  for (const name of names) {
    const text = toText(name, frontMatter[name]);
    if (text !== '') return text;
  }
  return '';
}

/** @throws RefusedError for what is no text, number, yes or no */
export function toText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new RefusedError([`${name} in the front matter is not a text`]);
}

/** The first of the fields that has entries: a list, also one of lists (Hexo) or of entries that have a name (Docusaurus), or a text with commas. */
export function readList(frontMatter: FrontMatter, ...names: string[]): string[] {
  for (const name of names) {
    const value = frontMatter[name];
    const parts: unknown[] = Array.isArray(value) ? value.flat(MAX_NESTED) : toText(name, value).split(',');
    const texts = parts.map((part) => toText(name, isRecord(part) ? nameIn(part) : part)).filter((text) => text !== '');
    if (texts.length > 0) return texts;
  }
  return [];
}

const MAX_NESTED = 5;

function nameIn(entry: Record<string, unknown>): unknown {
  return entry['label'] ?? entry['name'] ?? entry['title'] ?? entry;
}

/** Themes of Astro write a date where Jekyll writes whether a post is published; empty where that is no date. */
export function readPublishedDate(frontMatter: FrontMatter): string {
  const { published } = frontMatter;
  return typeof published === 'string' && /\d{4}/.test(published) ? published.trim() : '';
}

/** Undefined when nothing is said. */
export function readFlag(frontMatter: FrontMatter, name: string): boolean | undefined {
  const text = toText(name, frontMatter[name]).toLowerCase();
  if (text === '') return undefined;
  if (/^(?:true|yes|y|on|1)$/.test(text)) return true;
  if (/^(?:false|no|n|off|0)$/.test(text)) return false;
  throw new RefusedError([`${name} in the front matter is neither true nor false`]);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
