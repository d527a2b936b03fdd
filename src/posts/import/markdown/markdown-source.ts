import { MarkdownReader } from './markdown-reader.js';
import { findSourceFiles } from './source-files.js';
import type { PostSource, SourceSettings } from '../source-post.js';

/**
 * Opens a Markdown file, or a folder of them.
 * @throws ImportSourceError if there are none
 */
export async function openMarkdown(path: string, settings: SourceSettings): Promise<PostSource> {
  const { root, files } = await findSourceFiles(path);
  const reader = new MarkdownReader(root, files, settings);
  return {
    format: 'markdown',
    root,
    total: files.length,
    async *read(handleProgress) {
      for (const [index, file] of files.entries()) {
        const item = await reader.read(file);
        handleProgress(index + 1);
        yield item;
      }
    },
  };
}
