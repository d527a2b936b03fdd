import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ImportSourceError } from '../../src/import/import.errors.js';
import { openMarkdown } from '../../src/import/markdown/markdown-source.js';
import { namedFields, type NamedTexts, type PostSource, type SourceItem } from '../../src/import/source-post.js';
import { mapFields } from '../../src/shared/contracts/post-fields.js';

/** The texts of a post whose source knows none of our names. */
export const noTexts = mapFields<NamedTexts>(namedFields, () => null);

/** The result of reading a file. */
export interface ReadSource {
  readonly items: SourceItem[];
  /** Why it could not be read to its end; null when it could. */
  readonly error: string | null;
}

export const settings = { author: 'The Team', timeZone: 'America/Los_Angeles' };

/** Reads a source to its end, or to where it breaks off. */
export async function readSource(opening: Promise<PostSource>, sourceName?: string): Promise<ReadSource> {
  const items: SourceItem[] = [];
  try {
    const source = await opening;
    let last = 0;
    const handleProgress = (done: number) => {
      if (done < last || done > source.total) throw new Error(`progress went from ${last} to ${done}`);
      last = done;
    };
    for await (const item of source.read(handleProgress, sourceName)) items.push(item);
    return { items, error: last === source.total ? null : `read ${last} of ${source.total}` };
  } catch (error) {
    if (!(error instanceof ImportSourceError)) throw error;
    return { items, error: error.message };
  }
}

/** A file that is there while the task runs. */
export async function withFile<T>(
  name: string,
  content: string | Uint8Array,
  task: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'source-'));
  try {
    await writeFile(join(folder, name), content);
    return await task(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The items of a folder that holds these files, or of one of its folders. */
export async function readFiles(files: Readonly<Record<string, string>>, folder = '.'): Promise<SourceItem[]> {
  const base = await mkdtemp(join(tmpdir(), 'source-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(base, path)), { recursive: true });
      await writeFile(join(base, path), text);
    }
    const { items, error } = await readSource(openMarkdown(join(base, folder), settings));
    if (error !== null) throw new Error(error);
    return items;
  } finally {
    await rm(base, { recursive: true });
  }
}

/** One line for an item, to compare by: what became of it, and why. */
export function summarize(item: SourceItem): string {
  if ('skipped' in item) return `${item.file} | skipped: ${item.skipped}`;
  if ('refusal' in item) return `${item.file} | refused: ${item.refusal.message}`;
  return `${item.file} | ${item.formerKeys?.[0] ?? item.itemKey}`;
}
