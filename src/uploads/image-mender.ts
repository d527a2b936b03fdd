import type { EntityManager } from '@mikro-orm/postgresql';
import { contentTypeOf, parseMediaName, renditionsOf } from '../shared/media.js';
import { factsOf, type ImageFiles } from './image-files.js';
import type { ImageWorkshop, WorkLimits } from './image-workshop.js';
import { Image } from './image.entity.js';
import type { Storage } from './storage/storage.js';

/** A file of an image, ready to be put in its place. */
export interface MendedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Encodes the missing files of an image again, under their old names.
 * @param source the original, or the fallback rendition itself
 * @param isFallback true for the fallback rendition, which is kept as it is
 * @returns null if these bytes do not give this image
 * @throws ImageRejectedError
 */
export async function renderAgain(
  workshop: ImageWorkshop,
  { name }: Pick<ImageFiles, 'name'>,
  source: Buffer,
  wanted: readonly string[],
  isFallback: boolean,
  limits?: WorkLimits,
): Promise<MendedFile[] | null> {
  const files = await workshop.run({ kind: 'renderAgain', bytes: source, name, isFallback }, limits);
  return files?.filter((file) => wanted.includes(file.name)) ?? null;
}

/** Stores restored files of an image, and notes their size and checksum. */
export async function putMended(
  storage: Storage,
  em: EntityManager,
  image: ImageFiles,
  mended: readonly MendedFile[],
): Promise<void> {
  for (const { name, bytes } of mended) {
    const media = parseMediaName(name);
    if (media !== null) await storage.put(name, bytes, contentTypeOf(media.extension));
  }
  const files = { ...image.files, ...Object.fromEntries(mended.map(({ name, bytes }) => [name, factsOf(bytes)])) };
  const names = renditionsOf(image.name).map(({ name }) => name);
  // Facts of an image are stored only once all its files have been read.
  if (!names.every((name) => files[name] !== undefined)) return await noteSize(storage, em, image, names);
  const byteSize = Object.values(files).reduce((sum, { size }) => sum + size, 0);
  await em.nativeUpdate(Image, { id: image.id, removedAt: null }, { files, byteSize });
}

async function noteSize(storage: Storage, em: EntityManager, { id }: ImageFiles, names: readonly string[]) {
  const sizes = await Promise.all(names.map((name) => storage.sizeOf(name)));
  const byteSize = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  await em.nativeUpdate(Image, { id, removedAt: null }, { byteSize });
}
