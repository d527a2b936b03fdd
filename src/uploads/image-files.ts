import { createHash } from 'node:crypto';
import { filesOf } from '../shared/media-files.js';
import { parseMediaName } from '../shared/media.js';
import type { ImageWorkshop } from './image-workshop.js';
import type { FileFacts, ImageRow } from './image.entity.js';
import { readStored, readStoredFacts } from './storage/read-stored.js';
import type { Storage } from './storage/storage.js';

/** The part of an image's row that says which files it has. */
export type ImageFiles = Pick<ImageRow, 'id' | 'name' | 'byteSize'> & {
  readonly files?: Readonly<Record<string, FileFacts>> | null | undefined;
};

/** The missing and the damaged files of an image; both are empty when it is whole. */
export interface Lack {
  /** Names of files that are not there. */
  readonly missing: readonly string[];
  /** Names of files that differ from those that were stored. */
  readonly damaged: readonly string[];
}

/** The result of examining the files of an image. */
export interface Examined extends Lack {
  /** Size and checksum of all files, if all of them are whole and this was not known before. */
  readonly learned: Readonly<Record<string, FileFacts>> | null;
}

/** Returns size and checksum of a file. */
export function factsOf(bytes: Buffer): FileFacts {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Returns size and checksum of files by name. */
export function factsOfAll(files: readonly { readonly name: string; readonly bytes: Buffer }[]) {
  return Object.fromEntries(files.map(({ name, bytes }) => [name, factsOf(bytes)]));
}

/** Compares names and sizes only: cheap, and blind to bytes that changed. */
export async function compareSizes(storage: Storage, { name, files }: ImageFiles): Promise<Lack> {
  const names = filesOf(name);
  const sizes = await Promise.all(names.map((file) => storage.sizeOf(file)));
  const missing = names.filter((_file, index) => sizes[index] === null);
  const damaged = names.filter((file, index) => {
    const [size, known] = [sizes[index], files?.[file]];
    return typeof size === 'number' && known !== undefined && known.size !== size;
  });
  return { missing, damaged };
}

/**
 * Reads every file of an image. Where their checksums are not known, the sum of their sizes is compared with that of
 * the row, and if that differs, or a file is missing, each file is decoded.
 */
export async function readAll(storage: Storage, workshop: ImageWorkshop, image: ImageFiles): Promise<Examined> {
  const found: Record<string, FileFacts> = {};
  const missing: string[] = [];
  const names = filesOf(image.name);
  for (const name of names) {
    const facts = await readStoredFacts(storage, name);
    if (facts === null) missing.push(name);
    else found[name] = facts;
  }
  const { files } = image;
  if (files) {
    const damaged = names.filter((name) => found[name] && files[name] && found[name].sha256 !== files[name].sha256);
    // A rendition that later versions have added.
    const isNew = missing.length + damaged.length === 0 && names.some((name) => files[name] === undefined);
    return { missing, damaged, learned: isNew ? found : null };
  }
  const sum = Object.values(found).reduce((bytes, { size }) => bytes + size, 0);
  const isPlausible = missing.length === 0 && sum === image.byteSize;
  const damaged = isPlausible ? [] : await findUnreadable(storage, workshop, Object.keys(found));
  return { missing, damaged, learned: missing.length + damaged.length === 0 ? found : null };
}

/** Returns true when bytes are an image, complete to the last byte, of the size in the file's name. */
export async function isPictureOf(workshop: ImageWorkshop, bytes: Buffer, file: string): Promise<boolean> {
  const media = parseMediaName(file);
  if (media === null) return false;
  const facts = await workshop.run({ kind: 'inspect', bytes, isStored: true }).catch(() => null);
  return facts?.width === (media.variantWidth ?? media.width);
}

async function findUnreadable(storage: Storage, workshop: ImageWorkshop, names: readonly string[]): Promise<string[]> {
  const damaged: string[] = [];
  for (const name of names) {
    const bytes = await readStored(storage, name);
    if (bytes !== null && !(await isPictureOf(workshop, bytes, name))) damaged.push(name);
  }
  return damaged;
}
