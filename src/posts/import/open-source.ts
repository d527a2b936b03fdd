import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ImportFormat } from '../../shared/contracts/import-report.js';
import { openCsv } from './rows/csv-reader.js';
import { openGhost } from './ghost/ghost-reader.js';
import { ImportSourceError } from './import.errors.js';
import { openJson } from './rows/json-reader.js';
import { openMarkdown } from './markdown/markdown-source.js';
import { findExport, readHead } from './source-bytes.js';
import type { PostSource, SourceSettings } from './source-post.js';
import { openWordPress } from './wordpress/wordpress-reader.js';

const openers: Readonly<Record<ImportFormat, (path: string, settings: SourceSettings) => Promise<PostSource>>> = {
  markdown: openMarkdown,
  wordpress: openWordPress,
  ghost: openGhost,
  csv: openCsv,
  json: openJson,
};

/** How every export of Ghost begins: a list of databases with what is known of them, or the tables at once. */
const ghostHead = /^\s*\{\s*(?:"db"\s*:\s*\[|"(?:meta|data)"\s*:\s*\{[^]*?"(?:version|posts|exported_on)"\s*:)/;

/**
 * Opens what posts are imported from, whatever it is.
 * @param format undefined to find it out
 * @throws ImportSourceError if there is nothing to import
 */
export async function openSource(path: string, settings: SourceSettings, format?: ImportFormat): Promise<PostSource> {
  return await openers[format ?? (await findFormat(path))](path, settings);
}

/** What a path is, by its name and, for names that say too little, by how it begins. */
async function findFormat(path: string): Promise<ImportFormat> {
  const real = await realpath(resolve(path)).catch(() => null);
  if (real === null) throw new ImportSourceError(`${path}: there is no such file or folder`);
  const isFolder = (await stat(real)).isDirectory();
  if (isFolder || /\.(?:md|markdown)$/i.test(real)) return 'markdown';
  if (/\.csv$/i.test(real)) return 'csv';
  const head = (await readHead(await findExport(path))).toString('latin1');
  if (/\.xml$/i.test(real) || head.includes('wordpress.org/export/')) return 'wordpress';
  if (/^\s*[[{]/.test(head)) return ghostHead.test(head) ? 'ghost' : 'json';
  throw new ImportSourceError(`${path}: is no kind of file that posts can be read from; --format says which it is`);
}
