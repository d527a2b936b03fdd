import { transferredFields } from '../../shared/contracts/post-fields.js';
import { slugify } from '../../shared/slug.js';
import { isUuid } from '../../shared/uuid.js';
import { escapeHtml } from '../html-text.js';
import { RefusedError } from '../import.errors.js';
import { ProblemCollector } from '../problem-collector.js';
import { readFlag, readId, readMoment, readTags, readText, type Row } from './row-values.js';
import type { ReaderSettings } from '../source-bytes.js';
import { readNamed, type SourceImage, type SourcePost } from '../source-post.js';

/** The columns of the hosted table (product.md 3.1), and those that an export of this product has besides. */
export const rowColumns: ReadonlySet<string> = new Set([
  ...transferredFields,
  ...['id', 'published_date', 'is_published', 'created_at', 'updated_at', 'scheduled_at', 'old_paths'],
]);

/**
 * The post that a row of the hosted table is. Its content is HTML; text without a single tag is taken for paragraphs.
 * @param label of the row, for reports
 * @throws RefusedError with every value that is not of its kind, and the column it is in
 */
export function readRow(row: Row, label: string, settings: ReaderSettings): SourcePost {
  const warnings: string[] = [];
  const problems = new ProblemCollector();
  const read = <T>(task: () => T) => problems.read(task);
  const title = oneLine(read(() => readText(row, 'title')) ?? '');
  const written = read(() => readText(row, 'slug'))?.trim() ?? '';
  const id = read(() => readId(row));
  const createdAt = read(() => readMoment(row, 'created_at', settings.timeZone));
  const scheduledAt = read(() => readMoment(row, 'scheduled_at', settings.timeZone));
  const slug = slugify(written) || slugify(title);
  const post: SourcePost = {
    file: title === '' ? label : `${label} (${title})`,
    ...keyOf(id ?? (written || slug)),
    title,
    slug,
    excerpt: oneLine(read(() => readText(row, 'excerpt')) ?? '') || null,
    author: oneLine(read(() => readText(row, 'author')) ?? '') || settings.author,
    category: oneLine(read(() => readText(row, 'category')) ?? '') || null,
    tags: read(() => readTags(row, 'tags')) ?? null,
    ...readNamed(
      (name, { kind }) =>
        read(() => (kind === 'words' ? readTags(row, name) : readText(row, name)?.trim() || null)) ?? null,
    ),
    image: read(() => readImage(row)) ?? null,
    date: read(() => readMoment(row, 'published_date', settings.timeZone)),
    ...(createdAt === undefined ? {} : { createdAt }),
    isPublished: read(() => readFlag(row, 'is_published')),
    html: toHtml(read(() => readText(row, 'content')) ?? '', warnings),
    folder: '',
    baseUrl: null,
    oldPaths: [...(read(() => readTags(row, 'old_paths')) ?? []), ...formerPath(written, slug)],
    warnings,
  };
  // A table without texts was saved wrongly, or has them under another name.
  if (post.html.trim() === '') problems.read(() => fail('content: Content is required'));
  noteTags(post, warnings);
  problems.refuse(post.slug);
  return scheduledAt === undefined || post.isPublished === true ? post : { ...post, scheduledAt };
}

/** The id of a row of this very site is that of the post, too; a number is one in every table. */
function keyOf(id: string): Pick<SourcePost, 'itemKey' | 'isUniqueKey' | 'formerKeys' | 'id'> {
  const key = `hosted:${id}`;
  if (isUuid(id.toLowerCase())) return { itemKey: key, isUniqueKey: true, id: id.toLowerCase() };
  return { itemKey: id, formerKeys: [key] };
}

function readImage(row: Row): SourceImage | null {
  const address = readText(row, 'image_url')?.trim() ?? '';
  return address === '' ? null : { address, alt: readText(row, 'image_alt') };
}

/** Returns the path of the post on the hosted site, if it differs from the path here. */
function formerPath(written: string, slug: string): string[] {
  return written === '' || written === slug ? [] : [`/blogs/${encodeURIComponent(written)}`];
}

function toHtml(content: string, warnings: string[]): string {
  if (content.trim() === '' || /<[a-z!/]/i.test(content)) return content;
  warnings.push('its content has no markup and was taken for plain text');
  const paragraphs = content.replace(/\r\n?/g, '\n').split(/\n{2,}|\n(?:[ \t]{0,100}\n)+/);
  const written = paragraphs.map((paragraph) => paragraph.trim()).filter((paragraph) => paragraph !== '');
  return written.map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br>')}</p>`).join('\n');
}

/** Entities show that somebody wrote HTML, though without tags. */
function escapeText(text: string): string {
  return escapeHtml(text).replace(/&amp;(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi, '&$1;');
}

function fail(reason: string): never {
  throw new RefusedError([reason]);
}

function noteTags({ tags }: SourcePost, warnings: string[]): void {
  for (const tag of tags ?? []) {
    if (tag.includes(',')) warnings.push(`the tag '${tag}' has a comma in it and becomes several`);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
