import { lstatSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ImportSourceError, RefusedError } from '../import.errors.js';
import type { UnreadableItem } from '../source-post.js';

/** Far more than any post: what is larger is something else. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Folders of generators, package managers and file systems, which hold no posts. */
const PASSED_OVER = new Set([
  'node_modules',
  'vendor',
  '_includes',
  '_layouts',
  '_site',
  '_data',
  '_sass',
  'lost+found',
]);

const markdownName = /\.(?:md|markdown|mkdn?|mdown|mdwn|mdx)$/i;
/** Pages of HTML are posts where they have front matter, and are not asked for it where there are none. */
const htmlName = /\.html?$/i;
/** Texts that generators make posts of, and that are not read here. */
const otherName =
  /\.(?:textile|adoc|asciidoc|asc|org|rst|creole|mediawiki|wiki|njk|liquid|pug|haml|slim|ipynb|rmd|qmd)$/i;

/** A place that posts are imported from. */
export interface SourceFolder {
  /** Absolute and without symbolic links: everything is looked for inside it. */
  readonly root: string;
  /** Paths relative to the root, with `/`, in a stable order. */
  readonly files: readonly string[];
  /** Files of kinds that are not read; empty where a single file was named. */
  readonly unread: readonly string[];
  /** Links to folders, which are not followed: they may lead in a circle, or out of the folder. */
  readonly links: readonly string[];
  /** Subfolders whose files cannot be listed, with the reason. */
  readonly unlisted: readonly UnreadableItem[];
  /** True when a single file was named instead of a folder. */
  readonly isFile: boolean;
}

/**
 * Finds the posts of a file or folder, in its subfolders too; hidden folders and node_modules are passed over.
 * @throws ImportSourceError if there are none
 */
export async function findSourceFiles(path: string): Promise<SourceFolder> {
  const absolute = await realpath(resolve(path)).catch(() => null);
  if (absolute === null) throw new ImportSourceError(`${path}: there is no such file or folder`);
  const stats = await stat(absolute);
  if (!stats.isDirectory()) {
    if (!isRead(absolute))
      throw new ImportSourceError(`${path}: is not a file of Markdown or HTML (.md, .markdown, .mdx, .html)`);
    return { root: dirname(absolute), files: [basename(absolute)], unread: [], links: [], unlisted: [], isFile: true };
  }
  const { texts, links, unlisted } = await listTexts(absolute);
  const files = texts.filter(isRead);
  if (files.length === 0) {
    const lacks = [
      await describeLack(absolute, texts),
      ...unlisted.map(({ file, refusal }) => `${file}: ${refusal.message}`),
    ];
    throw new ImportSourceError(`${path}: ${lacks.join('; ')}`);
  }
  return { root: absolute, files, unread: texts.filter((file) => !isRead(file)), links, unlisted, isFile: false };
}

/** Returns true for a folder with files that {@link isRead} is true for, in it or below. */
export async function holdsMarkdown(folder: string): Promise<boolean> {
  return (await listTexts(folder)).texts.some(isRead);
}

/** Returns true for what is read as a post, or looked into for front matter. */
export function isRead(file: string): boolean {
  return markdownName.test(file) || isHtmlFile(file);
}

/** Returns true for a page of HTML. */
export function isHtmlFile(file: string): boolean {
  return htmlName.test(file);
}

/** Describes a folder without Markdown, which may hold exports, and texts that are not read. */
async function describeLack(folder: string, unread: readonly string[]): Promise<string> {
  if (unread[0] !== undefined) return `holds no Markdown files, and ${unread[0]} and its like are not read`;
  const names = (await readdir(folder)).filter((name) => /\.(?:xml|json|csv)$/i.test(name)).sort();
  const lack = 'holds no Markdown files (.md, .markdown)';
  return names[0] === undefined ? lack : `${lack}; an export is imported by its own name, like ${names[0]}`;
}

/** The contents of a folder, in it or below: texts that are read or named, links to folders, and folders that cannot be listed. */
interface Listing {
  readonly texts: string[];
  readonly links: string[];
  readonly unlisted: UnreadableItem[];
}

async function listTexts(root: string): Promise<Listing> {
  const listing: Listing = { texts: [], links: [], unlisted: [] };
  await addTexts(root, root, listing);
  return listing;
}

async function addTexts(root: string, folder: string, listing: Listing): Promise<void> {
  const entries = await readEntries(root, folder, listing);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || PASSED_OVER.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addTexts(root, path, listing);
    else if (isRead(entry.name) || otherName.test(entry.name)) listing.texts.push(toName(root, path));
    else if (entry.isSymbolicLink() && (await isFolder(path))) listing.links.push(toName(root, path));
  }
}

async function readEntries(root: string, folder: string, { unlisted }: Listing): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // One subfolder refuses itself, and not all that lies beside it.
    if (folder === root) throw error;
    const refusal = new RefusedError([`the folder cannot be read: ${whyNotRead(folder, error)}`]);
    unlisted.push({ file: toName(root, folder), refusal });
    return [];
  }
}

function toName(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() === true;
}

/**
 * Reads a file of the folder as text, in one go once whatever else waits had its turn: handing each of the small steps to
 * a thread took an eighth of the processor time of an import.
 * @throws RefusedError when it cannot be read, leads out of the folder, is too large or in an unknown encoding
 */
export async function readSourceFile(root: string, file: string): Promise<string> {
  await setImmediate();
  const real = followLinks(join(root, file));
  if (!isInside(root, real)) throw new RefusedError(['the file is a link that leads out of the folder']);
  const stats = statSync(real);
  if (!stats.isFile()) throw new RefusedError(['this is not a file']);
  if (stats.size > MAX_FILE_BYTES) throw new RefusedError(['the file is larger than 5 MB']);
  return decodeText(readBytes(real));
}

function followLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw new RefusedError([`the file cannot be read: ${whyNotRead(path, error)}`]);
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RefusedError([`the file cannot be read: ${whyNotRead(path, error)}`]);
  }
}

/** Says why something cannot be read that was in the list of its folder. */
function whyNotRead(path: string, error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'it is a link that leads nowhere';
    // Lists have this sign in the place of other bytes, so that nothing is found by the name.
    if (path.includes('\ufffd')) return 'its name is not in UTF-8';
  }
  return error instanceof Error ? error.message : String(error);
}

/** Returns true for the folder and everything in it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * UTF-8, or UTF-16 that says so with a byte order mark. Guessing at anything else would store wrong letters.
 * @throws RefusedError for any other encoding
 */
export function decodeText(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.includes('\0')) throw new RefusedError(['the file is not text: it holds zero characters']);
    return text.replace(/\r\n?/g, '\n');
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError(
      [
        `the file is not in UTF-8 (line ${lineOfBadByte(bytes)} holds bytes that are not); save it as UTF-8 and try again`,
      ],
      null,
    );
  }
}

function lineOfBadByte(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    line += 1;
    start = end + 1;
  }
  return line;
}
