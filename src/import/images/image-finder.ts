import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IMAGE_MAX_BYTES } from '../../shared/limits.js';
import { decodeEscapes } from '../../shared/decode-escapes.js';
import { isInside } from '../markdown/source-files.js';
import { hostOf } from './written-address.js';

/** Folders in and beside the one that is imported, in which site generators keep images; looked into when no other folder is named. */
const USUAL_FOLDERS = ['assets', 'images', 'img', 'media', 'static', 'public', 'uploads'];

/** Folders in which the systems that posts come from keep what was uploaded. */
const UPLOAD_FOLDERS = [
  '/wp-content/uploads/',
  '/content/images/',
  '/content/media/',
  '/content/files/',
  '/storage/v1/object/public/',
];

/** Why there is no such file; `isMissing` when another folder may have it. */
export interface AbsentFile {
  readonly reason: string;
  readonly isMissing: boolean;
}

/** An image file, or why there is none. */
export type FoundImage = { readonly path: string; readonly hash: string } | AbsentFile;

/**
 * Finds the files that posts name as images: beside the post, in the folders above it up to the folder that is
 * imported, and in the assets folder, with or without that folder's own name in front. Never anywhere else, whatever
 * `..` or symbolic links say.
 */
export class ImageFinder {
  private constructor(
    private readonly root: string,
    private readonly assets: readonly string[],
  ) {}

  /** @param root absolute, without symbolic links; @param assetsFolder undefined to look into the usual folders */
  static async create(root: string, assetsFolder: string | undefined): Promise<ImageFinder> {
    const candidates =
      assetsFolder === undefined
        ? [root, dirname(root)].flatMap((folder) => USUAL_FOLDERS.map((name) => join(folder, name)))
        : [assetsFolder];
    const folders = await Promise.all(candidates.map((path) => realpath(path).catch(() => null)));
    return new ImageFinder(
      root,
      folders.filter((folder) => folder !== null),
    );
  }

  /**
   * @param written the address as the post has it, absolute from the site's root or relative
   * @param folder the post's folder relative to the root
   */
  async find(written: string, folder: string): Promise<FoundImage> {
    const found = await this.locate(written, folder);
    return typeof found === 'string' ? await readHash(found) : found;
  }

  /** Finds any file as {@link find} does, without looking into it: its real path, or why there is none. */
  async locate(written: string, folder: string): Promise<string | AbsentFile> {
    const spelled = toPaths(written);
    if (spelled.length === 0) return { reason: 'is no address of a file', isMissing: written.trim() !== '' };
    let isOutside = false;
    for (const candidate of spelled.flatMap((path) => this.candidates(path, folder))) {
      const real = await this.findFile(candidate);
      if (real === null) continue;
      if (this.isGiven(real)) return real;
      isOutside = true;
    }
    const reason = isOutside ? 'lies outside the folders that were given' : 'was not found';
    return { reason, isMissing: true };
  }

  /**
   * Looks for the copy of an image of another site in the assets folder: the folder that the site kept its images in,
   * or one of those above it. Other sites may have files of the same names, so that it counts only if the address is on the
   * site of the post, or has such a folder in it.
   * @param baseUrl the address of the post on its site; null when unknown
   * @returns null when there is none
   */
  async findCopy(url: URL, baseUrl: string | null): Promise<FoundImage | null> {
    const path = await this.locateCopy(url, baseUrl);
    return path === null ? null : await readHash(path);
  }

  /** Finds the copy of any file as {@link findCopy} does, without looking into it. */
  async locateCopy(url: URL, baseUrl: string | null): Promise<string | null> {
    const isOfSite = baseUrl !== null && URL.canParse(baseUrl) && hostOf(new URL(baseUrl)) === hostOf(url);
    const parts = toPaths(url.pathname).flatMap((path) => [...(isOfSite ? [path] : []), ...keptPaths(path)]);
    const bases = [this.root, ...this.assets, ...this.assets.map((folder) => dirname(folder))];
    for (const candidate of parts.flatMap((part) => bases.map((base) => join(base, part)))) {
      const real = await this.findFile(candidate);
      if (real !== null && this.isGiven(real)) return real;
    }
    return null;
  }

  private async findFile(candidate: string): Promise<string | null> {
    const real = await realpath(candidate).catch(() => null);
    return real !== null && (await stat(real)).isFile() ? real : null;
  }

  /** Returns true for a path in one of the given folders. */
  private isGiven(real: string): boolean {
    return [this.root, ...this.assets].some((base) => isInside(base, real));
  }

  private candidates(path: string, folder: string): string[] {
    const above = folder.split('/').map((_part, index, parts) => parts.slice(0, parts.length - index).join('/'));
    const bases = [
      ...above.filter((part) => part !== '' && part !== '.').map((part) => join(this.root, part)),
      this.root,
    ];
    return [...bases, ...this.assets, ...this.assets.map((base) => dirname(base))].map((base) => join(base, path));
  }
}

async function readHash(path: string): Promise<FoundImage> {
  const { size } = await stat(path);
  if (size >= IMAGE_MAX_BYTES) return { reason: 'Image must be less than 5MB', isMissing: false };
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return { reason: 'cannot be read', isMissing: false };
  return { path, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** The places of a file below the folder in which a system keeps uploads, with and without names of that folder. */
function keptPaths(path: string): string[] {
  return UPLOAD_FOLDERS.flatMap((folder) => {
    const at = path.indexOf(folder);
    const lengths = [0, folder.lastIndexOf('/', folder.length - 2), folder.length];
    return at < 0 ? [] : lengths.map((length) => path.slice(at + length));
  });
}

/**
 * The path in an address, without query and fragment, percent-decoded, and as the file may be spelled: with accents as signs of their own or
 * not, as macOS and others write names, or with its escapes, as programs that copy a site keep them. Last comes the picture of which it
 * is a smaller copy.
 */
function toPaths(written: string): string[] {
  const path = written.replace(/[?#].*$/s, '').replaceAll('\\', '/');
  const decoded = decodeEscapes(path);
  if (path === '' || decoded.includes('\0')) return [];
  const spelled = (text: string) => [text, text.normalize('NFC'), text.normalize('NFD')];
  return [...new Set([...spelled(decoded), path, ...spelled(toOriginal(decoded))])];
}

/** The picture of which WordPress and Ghost have made a copy of another size: exports of libraries hold no copies. */
function toOriginal(path: string): string {
  return path
    .replace(/(\/wp-content\/uploads\/.*)-\d{2,5}x\d{2,5}(?=\.[a-z]{3,5}$)/i, '$1')
    .replace(/\/content\/images\/size\/w\d{2,5}(?:h\d{2,5})?\/(?:format\/[a-z]{3,5}\/)?/i, '/content/images/');
}
