import { basename, posix } from 'node:path';
import { isUuid } from '../../shared/uuid.js';
import { bodyFormats, exportedBodyToHtml } from './exported-body.js';
import { RefusedError } from '../import.errors.js';
import { readNamed, type SourceImage, type SourcePost } from '../source-post.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The post of a Markdown file that `posts export` wrote (decision 27), to the letter: nothing is trimmed, folded or
 * guessed. Null for every other file.
 * @param file relative path with `/`
 * @throws RefusedError for values that are not of their kind
 */
export function readExportedPost(frontMatter: Values, body: string, file: string): SourcePost | null {
  const format = bodyFormats.find((name) => name === frontMatter['format']);
  const { id } = frontMatter;
  if (format === undefined || !isId(id)) return null;
  return {
    ...readTexts(frontMatter, id),
    ...readDates(frontMatter, { createdAt: 'created', updatedAt: 'updated', scheduledAt: 'scheduled' }),
    file,
    slug: readText(frontMatter, 'slug') ?? basename(file).replace(/\.[^.]+$/, ''),
    image: readImage(frontMatter, 'image'),
    date: readDate(frontMatter, 'date'),
    isPublished: !readFlag(frontMatter, 'draft'),
    html: exportedBodyToHtml(body, format),
    folder: posix.dirname(file),
    oldPaths: readList(frontMatter, 'aliases') ?? [],
  };
}

function readTexts(values: Values, id: string) {
  return {
    // The same wherever the export lies, and in whatever format.
    itemKey: `export:${id}`,
    isUniqueKey: true,
    id,
    title: readText(values, 'title') ?? '',
    excerpt: readText(values, 'excerpt'),
    author: readText(values, 'author') ?? '',
    category: readText(values, 'category'),
    tags: readList(values, 'tags'),
    ...readNamed((name, { kind, frontMatter = name }) =>
      kind === 'words' ? readList(values, frontMatter) : readText(values, frontMatter),
    ),
    baseUrl: null,
    warnings: [],
    isExact: true,
  } as const;
}

type Dates = Pick<SourcePost, 'createdAt' | 'updatedAt' | 'scheduledAt'>;

function readDates(values: Values, names: Readonly<Record<keyof Dates, string>>): Dates {
  const dates = Object.entries(names).map(([field, name]) => [field, readDate(values, name)] as const);
  return Object.fromEntries(dates.filter(([, date]) => date !== undefined));
}

function readImage(values: Values, name: string): SourceImage | null {
  const address = readText(values, name);
  return address === null ? null : { address, alt: readText(values, 'image_alt') };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function readFlag(values: Values, name: string): boolean {
  const value = values[name];
  if (typeof value === 'boolean') return value;
  throw new RefusedError([`${name} is neither true nor false`]);
}

function readText(values: Values, name: string): string | null {
  const value = values[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new RefusedError([`${name} is not a text`]);
}

function readList(values: Values, name: string): string[] | null {
  const value = values[name] ?? null;
  if (value === null) return null;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new RefusedError([`${name} is not a list of texts`]);
}

function readDate(values: Values, name: string): Date | undefined {
  const text = readText(values, name);
  if (text === null) return undefined;
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new RefusedError([`${name} is no date: '${text}'`]);
}
