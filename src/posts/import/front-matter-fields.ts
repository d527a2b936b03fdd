import { toTags } from '../../shared/contracts/post-input.js';
import { slugify } from '../../shared/slug.js';
import { RefusedError } from './import.errors.js';
import { dateInName, parsePostDate } from './post-date.js';

type FrontMatter = Readonly<Record<string, unknown>>;

/** What the front matter and the file's name say, under the names of the post input. */
export interface FrontMatterFields {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string | null;
  readonly author: string;
  readonly category: string | null;
  readonly tags: string[] | null;
  /** As written: an address, or the path of a file. */
  readonly image: string | null;
  /** Undefined when neither the front matter nor the file's name has one. */
  readonly date: Date | undefined;
  readonly isPublished: boolean | undefined;
}

interface Defaults {
  /** Who wrote a post that names nobody. */
  readonly author: string;
  readonly timeZone: string;
}

/**
 * Reads the fields, whatever they are called in the generators that posts come from.
 * @param file relative path with `/`; its name gives slug and date when the front matter does not
 * @throws RefusedError for values that are no text, no date, no yes or no
 */
export function readFields(frontMatter: FrontMatter, file: string, defaults: Defaults): FrontMatterFields {
  const title = oneLine(readText(frontMatter, 'title'));
  const name = postName(file);
  const date = readText(frontMatter, 'date') || dateInName(name);
  const slug = readText(frontMatter, 'slug') || name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
  return {
    title,
    slug: slugify(slug) || slugify(title),
    excerpt: oneLine(readText(frontMatter, 'excerpt', 'description')) || null,
    author: oneLine(readAuthors(frontMatter)) || defaults.author,
    category: oneLine(readList(frontMatter, 'category', 'categories')[0] ?? '') || null,
    tags: toTags(readList(frontMatter, 'tags').map(oneLine)) as string[] | null,
    image: readImage(frontMatter),
    date: date === undefined ? undefined : parsePostDate(date, defaults.timeZone),
    isPublished: readPublished(frontMatter),
  };
}

/** The file's name without its ending; that of its folder for an index file. */
function postName(file: string): string {
  const parts = file.split('/');
  const name = (parts.at(-1) ?? '').replace(/\.[^.]+$/, '');
  return name === 'index' ? (parts.at(-2) ?? name) : name;
}

/** The first of the fields that has a value, as text; empty when none has. */
function readText(frontMatter: FrontMatter, ...names: string[]): string {
  for (const name of names) {
    const text = toText(name, frontMatter[name]);
    if (text !== '') return text;
  }
  return '';
}

function toText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new RefusedError([`${name} in the front matter is not a text`]);
}

/** A list, or a text with commas. */
function readList(frontMatter: FrontMatter, ...names: string[]): string[] {
  for (const name of names) {
    const value = frontMatter[name];
    const parts: unknown[] = Array.isArray(value) ? value : toText(name, value).split(',');
    const texts = parts.map((part) => toText(name, part)).filter((text) => text !== '');
    if (texts.length > 0) return texts;
  }
  return [];
}

/** One name, or several joined by commas; a name may be an entry with a `name` in it. */
function readAuthors(frontMatter: FrontMatter): string {
  for (const field of ['author', 'authors']) {
    const value = frontMatter[field];
    const people: unknown[] = Array.isArray(value) ? value : [value];
    const names = people.map((person) => toText(field, nameOf(person))).filter((name) => name !== '');
    if (names.length > 0) return names.join(', ');
  }
  return '';
}

function nameOf(person: unknown): unknown {
  return isRecord(person) && 'name' in person ? person['name'] : person;
}

function readImage(frontMatter: FrontMatter): string | null {
  for (const name of ['image', 'featured_image', 'featuredImage']) {
    const value = frontMatter[name];
    const address = isRecord(value) ? (value['path'] ?? value['src'] ?? value['url']) : value;
    const text = toText(name, address);
    if (text !== '') return text;
  }
  return null;
}

function readPublished(frontMatter: FrontMatter): boolean | undefined {
  const isDraft = readFlag(frontMatter, 'draft');
  if (isDraft === true) return false;
  return readFlag(frontMatter, 'published') ?? (isDraft === false ? true : undefined);
}

function readFlag(frontMatter: FrontMatter, name: string): boolean | undefined {
  const text = toText(name, frontMatter[name]).toLowerCase();
  if (text === '') return undefined;
  if (text === 'true' || text === 'yes') return true;
  if (text === 'false' || text === 'no') return false;
  throw new RefusedError([`${name} in the front matter is neither true nor false`]);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
