import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { stringify } from 'yaml';
import { specOf, type PostField } from '../shared/contracts/post-fields.js';
import { dateOf, toExportedTexts, type ExportedPost } from './exported-post.js';
import { toExportedBody, type ExportedBody, type ImageAddresses } from './content-markdown.js';
import { ExportError } from './export.error.js';
import type { PostFiles } from './post-files.js';
import { listFolder, StagedFiles } from './staged-files.js';

/** Names the files of the export, so that the next one can replace them and nothing else. */
const LIST_FILE = '.posts-export.json';
const IMAGES = 'images';
const plainSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** File systems allow 255 bytes. */
const MAX_NAME = 200;

/** A folder with a Markdown file for each post, as decision 27 describes it. */
export class MarkdownFiles implements PostFiles {
  private constructor(
    private readonly staged: StagedFiles,
    private readonly replaced: readonly string[],
  ) {}

  /** @throws ExportError if the folder holds anything that is not to be replaced */
  static async create(folder: string, isReplacing: boolean): Promise<MarkdownFiles> {
    const entries = (await listFolder(folder)) ?? [];
    const earlier = entries.length === 0 ? [] : await readList(folder);
    if (earlier === null) throw new ExportError(`${folder} is not empty, and nothing in it is of an earlier export`);
    if (entries.length > 0 && !isReplacing) {
      throw new ExportError(`${folder} holds an earlier export (--force replaces it)`);
    }
    return new MarkdownFiles(await StagedFiles.create(folder, basename(folder)), earlier);
  }

  imagePath(name: string): string {
    return `${IMAGES}/${name}`;
  }

  async addImage(name: string, source: Readable): Promise<void> {
    await this.staged.copy(this.imagePath(name), source);
  }

  async addPost(post: ExportedPost, images: ImageAddresses): Promise<string> {
    const file = `${fileName(post)}.md`;
    await this.staged.write(file, toMarkdownFile(post, images));
    return file;
  }

  async finish(): Promise<void> {
    const files = [...this.staged.files, LIST_FILE];
    const list = { format: 'posts-export', version: 1, files };
    await this.staged.write(LIST_FILE, `${JSON.stringify(list, null, 1)}\n`);
    await this.staged.publish(this.replaced);
  }

  async discard(): Promise<void> {
    await this.staged.discard();
  }
}

/** The file of a post, whole. */
export function toMarkdownFile(post: ExportedPost, images: ImageAddresses): string {
  const { format, body } = toExportedBody(post.row.content, images);
  const frontMatter = stringify(toFrontMatter(post, images, format), {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: false,
  });
  return `---\n${frontMatter}---\n\n${body}\n`;
}

function toFrontMatter({ row, oldPaths }: ExportedPost, images: ImageAddresses, format: ExportedBody['format']) {
  // The text itself is the body of the file.
  const { title, slug, content: _content, ...texts } = toExportedTexts(row, images);
  const named = Object.entries(texts).map(([name, value]): readonly [string, unknown] => [
    specOf(name as PostField).frontMatter ?? name,
    value,
  ]);
  const all = {
    title,
    slug,
    date: toText(dateOf(row)),
    draft: !row.isPublished,
    // Some generators know drafts only by this.
    published: row.isPublished ? null : false,
    ...(Object.fromEntries(named) as Readonly<Record<string, unknown>>),
    aliases: oldPaths.length > 0 ? oldPaths : null,
    scheduled: toText(row.scheduledAt),
    created: toText(row.createdAt),
    updated: toText(row.updatedAt),
    id: row.id,
    format,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function toText(date: Date | null | undefined): string | null {
  return date?.toISOString() ?? null;
}

/** The slug where it is a good name for a file everywhere; otherwise a name that no other post has. */
function fileName({ row: { id, slug } }: ExportedPost): string {
  return plainSlug.test(slug) && slug.length <= MAX_NAME ? slug : `post_${id}`;
}

/** The files of an earlier export in the folder; null if there was none. */
async function readList(folder: string): Promise<string[] | null> {
  try {
    const list: unknown = JSON.parse(await readFile(join(folder, LIST_FILE), 'utf8'));
    const files = typeof list === 'object' && list !== null && 'files' in list ? list.files : null;
    return Array.isArray(files) ? files.filter(isOurs) : null;
  } catch {
    return null;
  }
}

/**
 * Returns true for files that an export can have written: somebody who changes the list must not get other files
 * removed.
 */
function isOurs(file: unknown): file is string {
  return typeof file === 'string' && /^(?:\.posts-export\.json|[a-z0-9_-]+\.md|images\/[a-z0-9.-]+)$/.test(file);
}
