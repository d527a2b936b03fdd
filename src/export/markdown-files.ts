import type { Readable } from 'node:stream';
import { stringify } from 'yaml';
import type { ExportOptions } from '../shared/contracts/export-report.js';
import { specOf, type PostField } from '../shared/contracts/post-fields.js';
import { dateOf, lossOfComments, toExportedTexts, type ExportedPost } from './exported-post.js';
import { toExportedBody, type ExportedBody, type ImageAddresses } from './content-markdown.js';
import { ExportFolder } from './export-folder.js';
import type { PostFiles, WrittenPost } from './post-files.js';

const IMAGES = 'images';
const plainSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Windows has no files of these names, and a copy of a repository with one fails; an index of Hugo takes all others in. */
const takenName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|index)$/;
/** File systems allow 255 bytes. */
const MAX_NAME = 200;
/** Lines that are to be read as dates. */
const moments: ReadonlySet<string> = new Set(['date', 'scheduled', 'created', 'updated']);
const FORM = {
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  flowCollectionPadding: false,
} as const;

/** A folder with a Markdown file for each post, as decision 27 describes it. */
export class MarkdownFiles implements PostFiles {
  private constructor(private readonly folder: ExportFolder) {}

  /** @throws ExportError if the folder holds anything that is not to be replaced */
  static async create(folder: string, options: ExportOptions): Promise<MarkdownFiles> {
    return new MarkdownFiles(await ExportFolder.create(folder, options));
  }

  imagePath(name: string): string {
    return `${IMAGES}/${name}`;
  }

  async addImage(name: string, source: Readable): Promise<void> {
    await this.folder.staged.copy(this.imagePath(name), source);
  }

  async addPost(post: ExportedPost, images: ImageAddresses): Promise<WrittenPost> {
    const file = `${fileName(post)}.md`;
    await this.folder.staged.write(file, toMarkdownFile(post, images));
    return { file, losses: lossOfComments(post) };
  }

  async finish(): Promise<void> {
    await this.folder.finish();
  }

  async discard(): Promise<void> {
    await this.folder.staged.discard();
  }
}

/** The file of a post, whole. */
export function toMarkdownFile(post: ExportedPost, images: ImageAddresses): string {
  const { format, body } = toExportedBody(post.row.content, images);
  const lines = Object.entries(toFrontMatter(post, images, format)).map(toLine);
  return `---\n${lines.join('')}---\n\n${body}\n`;
}

/**
 * A field of the front matter. Generators that read YAML 1.1, such as Jekyll, take 'no', '12:30' and '2025-11-01' for
 * something else than words unless they are quoted.
 */
function toLine([name, value]: readonly [string, unknown]): string {
  return stringify({ [name]: value }, moments.has(name) ? FORM : { ...FORM, compat: 'yaml-1.1' });
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
  return plainSlug.test(slug) && !takenName.test(slug) && slug.length <= MAX_NAME ? slug : `post_${id}`;
}
