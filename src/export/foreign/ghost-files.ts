import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ExportOptions } from '../../shared/contracts/export-report.js';
import { ExportFolder } from '../export-folder.js';
import type { ImageAddresses } from '../content-markdown.js';
import { lossOfComments, type ExportedPost } from '../exported-post.js';
import type { PostFiles, WrittenPost } from '../post-files.js';
import type { Scratch } from '../staged-files.js';
import { noteOldAddresses } from './old-addresses.js';
import { ghostPath, toGhostRows, toTagRows, toUserRows, type GhostSite } from './ghost-post.js';

const FILE = 'posts.json';
/** The version of Ghost whose tables these are; later ones read them. */
const VERSION = '5.0.0';
/** Tables with rows of every post: written beside the file, as they follow all posts in it. */
const LATER = ['posts_meta', 'posts_tags', 'posts_authors'] as const;
const CHUNK_BYTES = 64 * 1024;

/** A folder with an export of Ghost and the files that posts show, as decision 112 describes it. */
export class GhostFiles implements PostFiles {
  private isFirst = true;

  private constructor(
    private readonly folder: ExportFolder,
    private readonly file: FileHandle,
    private readonly later: ReadonlyMap<(typeof LATER)[number], Scratch>,
    private readonly site: GhostSite,
  ) {}

  /** @throws ExportError if the folder holds anything that is not to be replaced */
  static async create(path: string, options: ExportOptions, site: GhostSite): Promise<GhostFiles> {
    const folder = await ExportFolder.create(path, options);
    const later = new Map<(typeof LATER)[number], Scratch>();
    const files = new GhostFiles(folder, await folder.staged.open(FILE), later, site);
    try {
      for (const table of LATER) later.set(table, await folder.staged.openScratch(table));
      const meta = { exported_on: site.terms.changedAt.getTime(), version: VERSION };
      await files.file.write(`{"db":[{"meta":${JSON.stringify(meta)},"data":{"posts":[`);
      return files;
    } catch (error) {
      await files.discard();
      throw error;
    }
  }

  imagePath(name: string): string {
    return ghostPath(name);
  }

  async addImage(name: string, source: Readable): Promise<void> {
    await this.folder.staged.copy(this.imagePath(name), source);
  }

  async addPost(post: ExportedPost, images: ImageAddresses): Promise<WrittenPost> {
    const rows = await toGhostRows(post, images, this.site);
    await this.file.write(toLines(rows.posts, this.isFirst));
    for (const [table, { handle }] of this.later) {
      const isFirst = (await handle.stat()).size === 0;
      await handle.write(toLines(rows[table], isFirst));
    }
    this.isFirst = false;
    return { file: FILE, losses: [...rows.losses, ...lossOfComments(post)], notes: noteOldAddresses(post.oldPaths) };
  }

  async finish(): Promise<void> {
    const { file } = this;
    await file.write(`\n],"tags":[${toLines(toTagRows(this.site), true)}\n`);
    await file.write(`],"users":[${toLines(toUserRows(this.site), true)}\n]`);
    for (const [table, { handle }] of this.later) {
      await file.write(`,"${table}":[`);
      await append(file, handle);
      await file.write('\n]');
    }
    await file.write('}}]}\n');
    await this.close();
    await this.folder.finish();
  }

  async discard(): Promise<void> {
    // Closed already when it was the last step that failed.
    await this.close().catch(() => undefined);
    await this.folder.staged.discard();
  }

  private async close(): Promise<void> {
    await this.file.close();
    for (const scratch of this.later.values()) await scratch.remove();
  }
}

/** Rows in lines of their own, with commas between them and those before. */
function toLines(rows: readonly object[], isFirst: boolean): string {
  return rows.map((row, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(row)}`).join('');
}

async function append(file: FileHandle, from: FileHandle): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await from.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    await file.write(chunk, 0, bytesRead);
    position += bytesRead;
  }
}
