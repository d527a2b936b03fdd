import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ExportOptions } from '../shared/contracts/export-report.js';
import { mediaIdOf } from '../shared/media-files.js';
import type { ImageAddresses } from './content-markdown.js';
import { dateOf, lossOfComments, toExportedTexts, type ExportedPost } from './exported-post.js';
import { ExportError } from './export.error.js';
import type { PostFiles, WrittenPost } from './post-files.js';
import { exists, listFolder, StagedFiles } from './staged-files.js';

const FORMAT = 'posts-export';
const VERSION = 1;

/** One file with all posts, and a folder with their images beside it, as decision 27 describes them. */
export class JsonFiles implements PostFiles {
  private isFirst = true;

  private constructor(
    private readonly staged: StagedFiles,
    private readonly name: string,
    private readonly file: FileHandle,
    private readonly replaced: readonly string[],
  ) {}

  /**
   * @param path of the file
   * @param site address of the site
   * @throws ExportError if there is anything that is not to be replaced
   */
  static async create(path: string, site: string, options: ExportOptions): Promise<JsonFiles> {
    const replaced = await findEarlier(path, options.isReplacing === true);
    const staged = await StagedFiles.create(dirname(path), basename(path), options.isPublishedOnly !== true);
    const file = await staged.open(basename(path));
    await file.write(`{"format":"${FORMAT}","version":${VERSION},"site":${JSON.stringify(site)},"posts":[`);
    return new JsonFiles(staged, basename(path), file, replaced);
  }

  imagePath(name: string): string {
    return `${imageFolder(this.name)}/${name}`;
  }

  async addImage(name: string, source: Readable): Promise<void> {
    await this.staged.copy(this.imagePath(name), source);
  }

  async addPost(post: ExportedPost, images: ImageAddresses): Promise<WrittenPost> {
    await this.file.write(`${this.isFirst ? '' : ','}\n${JSON.stringify(toRecord(post, images))}`);
    this.isFirst = false;
    return { file: this.name, losses: lossOfComments(post) };
  }

  async finish(): Promise<void> {
    await this.file.write('\n]}\n');
    await this.file.close();
    await this.staged.publish(this.replaced);
  }

  async discard(): Promise<void> {
    // Closed already when it was the last step that failed.
    await this.file.close().catch(() => undefined);
    await this.staged.discard();
  }
}

/** The columns of the hosted table, in its words, and what it did not have. */
export function toRecord({ row, oldPaths }: ExportedPost, images: ImageAddresses) {
  return {
    id: row.id,
    ...toExportedTexts(row, images),
    published_date: dateOf(row)?.toISOString() ?? null,
    is_published: row.isPublished,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    scheduled_at: row.scheduledAt?.toISOString() ?? null,
    old_paths: oldPaths,
  };
}

function imageFolder(name: string): string {
  return `${name.replace(/\.json$/i, '')}-images`;
}

/** The files of an earlier export, for the new one to replace. */
async function findEarlier(path: string, isReplacing: boolean): Promise<string[]> {
  const folder = imageFolder(basename(path));
  const images = (await listFolder(join(dirname(path), folder))) ?? [];
  const hasFile = await exists(path);
  if (!hasFile && images.length === 0) return [];
  const isEarlier = hasFile && (await startsLikeExport(path)) && images.every((name) => mediaIdOf(name) !== null);
  if (!isEarlier) throw new ExportError(`${hasFile ? path : folder} is there already, and is no earlier export`);
  if (!isReplacing) throw new ExportError(`${path} is an earlier export (--force replaces it)`);
  return [basename(path), ...images.map((name) => `${folder}/${name}`)];
}

async function startsLikeExport(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    return buffer.toString('utf8', 0, bytesRead).startsWith(`{"format":"${FORMAT}"`);
  } finally {
    await file.close();
  }
}
