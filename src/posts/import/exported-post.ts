import { basename, posix } from 'node:path';
import { bodyFormats, exportedBodyToHtml, type BodyFormat } from './exported-body.js';
import { RefusedError } from './import.errors.js';
import type { SourcePost } from './source-post.js';

type FrontMatter = Readonly<Record<string, unknown>>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The post of a file that `posts export` wrote (decision 27), to the letter: nothing is trimmed, folded or guessed.
 * Null for every other file.
 * @param file relative path with `/`
 * @throws RefusedError for values that are not of their kind
 */
export function readExportedPost(frontMatter: FrontMatter, body: string, file: string): SourcePost | null {
  const format = bodyFormats.find((name) => name === frontMatter['format']);
  const id = frontMatter['id'];
  if (format === undefined || typeof id !== 'string' || !uuid.test(id)) return null;
  const image = readText(frontMatter, 'image');
  return {
    file,
    sourceKey: exportedKey(id),
    id,
    title: readText(frontMatter, 'title') ?? '',
    slug: readText(frontMatter, 'slug') ?? basename(file).replace(/\.[^.]+$/, ''),
    excerpt: readText(frontMatter, 'excerpt'),
    author: readText(frontMatter, 'author') ?? '',
    category: readText(frontMatter, 'category'),
    tags: readTexts(frontMatter, 'tags'),
    image: image === null ? null : { address: image, alt: readText(frontMatter, 'image_alt') },
    date: readDate(frontMatter, 'date'),
    isPublished: readPublished(frontMatter),
    ...readDates(frontMatter),
    html: exportedBodyToHtml(body, format satisfies BodyFormat),
    folder: posix.dirname(file),
    baseUrl: null,
    oldPaths: readTexts(frontMatter, 'aliases') ?? [],
    warnings: [],
    isExact: true,
  };
}

/** The key of a post that this product exported: the same wherever the export lies, and in whatever format. */
export function exportedKey(id: string): string {
  return `export:${id}`;
}

function readDates(frontMatter: FrontMatter): Pick<SourcePost, 'createdAt' | 'updatedAt' | 'scheduledAt'> {
  const createdAt = readDate(frontMatter, 'created');
  const updatedAt = readDate(frontMatter, 'updated');
  const scheduledAt = readDate(frontMatter, 'scheduled');
  return {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
  };
}

function readPublished(frontMatter: FrontMatter): boolean {
  const isDraft = frontMatter['draft'];
  if (typeof isDraft === 'boolean') return !isDraft;
  throw new RefusedError(['draft in the front matter is neither true nor false']);
}

function readText(frontMatter: FrontMatter, name: string): string | null {
  const value = frontMatter[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new RefusedError([`${name} in the front matter is not a text`]);
}

function readTexts(frontMatter: FrontMatter, name: string): string[] | null {
  const value = frontMatter[name] ?? null;
  if (value === null) return null;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new RefusedError([`${name} in the front matter is not a list of texts`]);
}

function readDate(frontMatter: FrontMatter, name: string): Date | undefined {
  const text = readText(frontMatter, name);
  if (text === null) return undefined;
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new RefusedError([`${name} in the front matter is no date: '${text}'`]);
}
