import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { EXPORT_GENERATOR } from '../../shared/contracts/export-generator.js';
import type { ExportOptions } from '../../shared/contracts/export-report.js';
import { MEDIA_PATH } from '../../shared/media.js';
import { ExportFolder } from '../export-folder.js';
import type { ExportedPost } from '../exported-post.js';
import type { PostFiles, WrittenPost } from '../post-files.js';
import { escapeText } from '../../posts/content/markup-tree.js';
import { Numbers } from './numbers.js';
import { noteOldAddresses } from './old-addresses.js';
import { toAttachments, toWxrItem, type WxrSite } from './wxr-item.js';
import { element, fact } from './xml-text.js';

const FILE = 'posts.xml';
/** The folder of the files, as their addresses on this site have it: so imports of ours find them. */
const FOLDER = MEDIA_PATH.slice(1, -1);

/** A folder with an export of WordPress (WXR 1.2) and the files that posts show, as decision 112 describes it. */
export class WxrFiles implements PostFiles {
  private readonly numbers = new Numbers();
  private readonly attached = new Set<number>();

  private constructor(
    private readonly folder: ExportFolder,
    private readonly file: FileHandle,
    private readonly site: WxrSite,
  ) {}

  /** @throws ExportError if the folder holds anything that is not to be replaced */
  static async create(path: string, options: ExportOptions, site: WxrSite): Promise<WxrFiles> {
    const folder = await ExportFolder.create(path, options);
    const files = new WxrFiles(folder, await folder.staged.open(FILE), site);
    try {
      await files.file.write(toHead(site));
      return files;
    } catch (error) {
      await files.discard();
      throw error;
    }
  }

  imagePath(name: string): string {
    return `${FOLDER}/${name}`;
  }

  async addImage(name: string, source: Readable): Promise<void> {
    await this.folder.staged.copy(this.imagePath(name), source);
  }

  async addPost(post: ExportedPost): Promise<WrittenPost> {
    for (const { number, xml } of toAttachments(post.row, this.site, this.numbers)) {
      if (this.attached.has(number)) continue;
      this.attached.add(number);
      await this.file.write(`${xml}\n`);
    }
    const { xml, losses } = await toWxrItem(post, this.site, this.numbers);
    await this.file.write(`${xml}\n`);
    return { file: FILE, losses, notes: noteOldAddresses(post.oldPaths) };
  }

  async finish(): Promise<void> {
    await this.file.write('</channel>\n</rss>\n');
    await this.file.close();
    await this.folder.finish();
  }

  async discard(): Promise<void> {
    // Closed already when it was the last step that failed.
    await this.file.close().catch(() => undefined);
    await this.folder.staged.discard();
  }
}

function toHead({ url, name, terms }: WxrSite): string {
  const authors = [...terms.authors].map(
    ([author, login], index) =>
      `<wp:author>${fact('wp:author_id', index + 1)}${element('wp:author_login', login)}${element('wp:author_email', '')}` +
      `${element('wp:author_display_name', escapeText(author))}</wp:author>`,
  );
  const categories = [...terms.categories].map(
    ([category, word], index) =>
      `<wp:category>${fact('wp:term_id', index + 1)}${element('wp:category_nicename', word)}` +
      `${element('wp:category_parent', '')}${element('wp:cat_name', escapeText(category))}</wp:category>`,
  );
  const tags = [...terms.tags].map(
    ([tag, word], index) =>
      `<wp:tag>${fact('wp:term_id', terms.categories.size + index + 1)}${element('wp:tag_slug', word)}` +
      `${element('wp:tag_name', escapeText(tag))}</wp:tag>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    '<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" ' +
      'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" ' +
      'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">',
    '<channel>',
    element('title', escapeText(name)),
    fact('link', url),
    '<description></description>',
    '<language>en-US</language>',
    '<wp:wxr_version>1.2</wp:wxr_version>',
    fact('generator', EXPORT_GENERATOR),
    fact('wp:base_site_url', url),
    fact('wp:base_blog_url', url),
    ...authors,
    ...categories,
    ...tags,
    '',
  ].join('\n');
}
