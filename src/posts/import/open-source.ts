import type { ImportFormat } from '../../shared/contracts/import-report.js';
import { ImportSourceError } from './import.errors.js';
import { openMarkdown } from './markdown-source.js';
import type { PostSource, SourceSettings } from './source-post.js';

/**
 * Opens what posts are imported from, whatever it is.
 * @param format undefined to find it out
 * @throws ImportSourceError if there is nothing to import
 */
export async function openSource(
  path: string,
  settings: SourceSettings,
  format: ImportFormat = 'markdown',
): Promise<PostSource> {
  if (format !== 'markdown') throw new ImportSourceError(`${path}: cannot be read as ${format}`);
  return await openMarkdown(path, settings);
}
