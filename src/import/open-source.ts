import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ImportFormat } from '../shared/contracts/import-report.js';
import { ImportSourceError } from './import.errors.js';
import { holdsMarkdown, isRead } from './markdown/source-files.js';
import { findExport, readHead } from './source-bytes.js';
import type { PostSource, SourceSettings } from './source-post.js';

type Opener = (path: string, settings: SourceSettings) => Promise<PostSource>;

/** Each with its parsers, which are large; servers need none of them. */
const openers: Readonly<Record<ImportFormat, () => Promise<Opener>>> = {
  markdown: async () => (await import('./markdown/markdown-source.js')).openMarkdown,
  wordpress: async () => (await import('./wordpress/wordpress-reader.js')).openWordPress,
  ghost: async () => (await import('./ghost/ghost-reader.js')).openGhost,
  csv: async () => (await import('./rows/csv-reader.js')).openCsv,
  json: async () => (await import('./rows/json-reader.js')).openJson,
};

/** How every export of Ghost begins: a list of databases with what is known of them, or the tables at once. */
const ghostHead = /^\s*\{\s*(?:"db"\s*:\s*\[|"(?:meta|data)"\s*:\s*\{[^]*?"(?:version|posts|exported_on)"\s*:)/;

/**
 * Opens what posts are imported from, whatever it is.
 * @param format undefined to find it out
 * @throws ImportSourceError if there is nothing to import
 */
export async function openSource(path: string, settings: SourceSettings, format?: ImportFormat): Promise<PostSource> {
  const open = await openers[format ?? (await findFormat(path))]();
  return await open(path, settings);
}

/** How packed files begin; WordPress.com packs its exports. */
const packedAs = [
  { name: 'zip', start: 'PK\u0003\u0004' },
  { name: 'gzip', start: '\u001f\u008b' },
];

/** A folder with an export of WordPress in several files; one that holds posts in Markdown as well is of those. */
async function isFolderOfWordPress(folder: string): Promise<boolean> {
  const { wordPressFilesIn } = await import('./wordpress/wordpress-reader.js');
  const files = await wordPressFilesIn(folder);
  return files !== null && files.length > 0 && !(await holdsMarkdown(folder));
}

/** Detects the format of a path by its name and, where the name says too little, by the first bytes. */
async function findFormat(path: string): Promise<ImportFormat> {
  const real = await realpath(resolve(path)).catch(() => null);
  if (real === null) throw new ImportSourceError(`${path}: there is no such file or folder`);
  if ((await stat(real)).isDirectory()) return (await isFolderOfWordPress(real)) ? 'wordpress' : 'markdown';
  if (isRead(real)) return 'markdown';
  if (/\.csv$/i.test(real)) return 'csv';
  const head = (await readHead(await findExport(path))).toString('latin1');
  const packed = packedAs.find(({ start }) => head.startsWith(start));
  if (packed !== undefined)
    throw new ImportSourceError(`${path}: is packed (${packed.name}); unpack it, and import what is in it`);
  if (/\.xml$/i.test(real) || head.includes('wordpress.org/export/')) return 'wordpress';
  if (/^\s*[[{]/.test(head)) return ghostHead.test(head) ? 'ghost' : 'json';
  throw new ImportSourceError(`${path}: is no kind of file that posts can be read from; --format says which it is`);
}
