import { isUuid } from '../../shared/uuid.js';
import { RefusedError } from '../import.errors.js';
import { ProblemCollector } from '../problem-collector.js';
import { readFlag, readMoment, readText, type Row } from '../rows/row-values.js';
import { readNamed, type SourcePost } from '../source-post.js';

/** How the JSON that `posts export` writes begins (decision 27). */
export const exportMark = /^\s*\{\s*"format"\s*:\s*"posts-export"/;

/**
 * The post of a row that `posts export` wrote, to the letter: nothing is trimmed, folded or guessed.
 * @param label of the row, for reports
 * @throws RefusedError with every value that is not of its kind
 */
export function readExportedRow(row: Row, label: string): SourcePost {
  const problems = new ProblemCollector();
  const text = (column: string) => problems.read(() => readText(row, column)) ?? null;
  const moment = (column: string) => problems.read(() => readMoment(row, column, 'UTC'));
  const id = text('id') ?? '';
  if (!isUuid(id)) problems.read(() => refuse('id is not that of a post'));
  const title = text('title') ?? '';
  const slug = text('slug') ?? '';
  const address = text('image_url');
  const post: SourcePost = {
    file: `${label} (${slug})`,
    itemKey: `export:${id}`,
    isUniqueKey: true,
    id,
    title,
    slug,
    excerpt: text('excerpt'),
    author: text('author') ?? '',
    category: text('category'),
    tags: problems.read(() => readTexts(row, 'tags')) ?? null,
    ...readNamed((name, { kind }) =>
      kind === 'words' ? (problems.read(() => readTexts(row, name)) ?? null) : text(name),
    ),
    image: address === null ? null : { address, alt: text('image_alt') },
    date: moment('published_date'),
    isPublished: problems.read(() => readFlag(row, 'is_published')),
    ...withoutUndefined({
      createdAt: moment('created_at'),
      updatedAt: moment('updated_at'),
      scheduledAt: moment('scheduled_at'),
      isExact: true as const,
    }),
    html: text('content') ?? '',
    folder: '',
    baseUrl: null,
    oldPaths: problems.read(() => readTexts(row, 'old_paths')) ?? [],
    warnings: [],
  };
  problems.refuse(slug);
  return post;
}

function readTexts(row: Row, column: string): string[] | null {
  const value = row.get(column) ?? null;
  if (value === null) return null;
  if (!Array.isArray(value)) refuse(`${column} is not a list of texts`);
  return value.map((part) => readText(new Map([[column, part as unknown]]), column) ?? '');
}

function refuse(reason: string): never {
  throw new RefusedError([reason]);
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
