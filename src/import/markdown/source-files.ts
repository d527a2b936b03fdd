import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ImportSourceError, RefusedError } from '../import.errors.js';

/** Far more than any post: what is larger is something else. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Folders of generators and package managers, which hold no posts. */
const PASSED_OVER = new Set(['node_modules', 'vendor', '_includes', '_layouts', '_site', '_data', '_sass']);

const markdownName = /\.(?:md|markdown)$/i;

/** A place that posts are imported from. */
export interface SourceFolder {
  /** Absolute and without symbolic links: everything is looked for inside it. */
  readonly root: string;
  /** Paths relative to the root, with `/`, in a stable order. */
  readonly files: readonly string[];
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
    if (!markdownName.test(absolute)) throw new ImportSourceError(`${path}: is not a Markdown file (.md, .markdown)`);
    return { root: dirname(absolute), files: [basename(absolute)], isFile: true };
  }
  const files = await listMarkdown(absolute, absolute);
  if (files.length === 0) throw new ImportSourceError(`${path}: ${await describeLack(absolute)}`);
  return { root: absolute, files, isFile: false };
}

/** Describes a folder without Markdown, which may hold exports. */
async function describeLack(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(?:xml|json|csv)$/i.test(name)).sort();
  const lack = 'holds no Markdown files (.md, .markdown)';
  return names[0] === undefined ? lack : `${lack}; an export is imported by its own name, like ${names[0]}`;
}

async function listMarkdown(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || PASSED_OVER.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await listMarkdown(root, path)));
    else if (markdownName.test(entry.name)) found.push(relative(root, path).split(sep).join('/'));
  }
  return found;
}

/**
 * Reads a file of the folder as text.
 * @throws RefusedError when it cannot be read, leads out of the folder, is too large or in an unknown encoding
 */
export async function readSourceFile(root: string, file: string): Promise<string> {
  const path = join(root, file);
  const real = await realpath(path).catch(() => null);
  if (real === null) throw new RefusedError(['the file cannot be read: it is a link that leads nowhere']);
  if (!isInside(root, real)) throw new RefusedError(['the file is a link that leads out of the folder']);
  const stats = await stat(real);
  if (!stats.isFile()) throw new RefusedError(['this is not a file']);
  if (stats.size > MAX_FILE_BYTES) throw new RefusedError(['the file is larger than 5 MB']);
  const bytes = await readFile(real).catch((error: unknown) => {
    throw new RefusedError([`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  });
  return decodeText(bytes);
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
