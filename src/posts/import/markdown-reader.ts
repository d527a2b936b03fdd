import { basename, posix } from 'node:path';
import { readExportedPost } from './exported-post.js';
import { readFields } from './front-matter-fields.js';
import { parseFrontMatter } from './front-matter.js';
import { RefusedError } from './import.errors.js';
import { markdownToHtml } from './markdown.js';
import { readSourceFile } from './source-files.js';
import type { SourceItem, SourceSettings } from './source-post.js';
import { resolveLeftovers } from './template-leftovers.js';

/** Reads Markdown files with front matter. */
export class MarkdownReader {
  /** @param root absolute path of the folder that is imported */
  constructor(
    private readonly root: string,
    private readonly settings: SourceSettings,
  ) {}

  /** Reads one file, relative to the root. */
  async read(file: string): Promise<SourceItem> {
    try {
      return this.toPost(file, await readSourceFile(this.root, file));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return { file, refusal: error };
    }
  }

  private toPost(file: string, text: string): SourceItem {
    const { frontMatter, body } = parseFrontMatter(text);
    const exported = readExportedPost(frontMatter, body, file);
    if (exported !== null) return exported;
    const { image, ...fields } = readFields(frontMatter, file, this.settings);
    const { text: markdown, warnings } = resolveLeftovers(body, frontMatter);
    const undated = fields.date === undefined ? ['no date in the front matter or the file name: dated today'] : [];
    return {
      file,
      sourceKey: `markdown:${basename(this.root)}/${file}`,
      ...fields,
      image: image === null ? null : { address: image, alt: null },
      html: markdownToHtml(markdown),
      folder: posix.dirname(file),
      baseUrl: null,
      oldPaths: [],
      warnings: [...warnings, ...undated],
    };
  }
}
