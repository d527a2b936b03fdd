import type { MediaItem, MediaUse } from '../shared/contracts/media.js';
import { formatMediaName, MEDIA_PATH, parseMediaName, variantsOf, type MediaKind } from '../shared/media.js';
import type { ImageRow } from './image.entity.js';

/**
 * An image as the list of all media shows it.
 * @param publicBase where browsers read images, or undefined when this server hands them out
 */
export function toMediaItem(
  image: Pick<ImageRow, 'id' | 'name' | 'fileName' | 'alternativeText' | 'byteSize' | 'createdAt'>,
  uses: readonly MediaUse[],
  publicBase: string | undefined,
): MediaItem {
  const media = parseMediaName(image.name);
  if (media === null) throw new Error(`Not the name of an image: ${image.name}`);
  const base = publicBase === undefined ? MEDIA_PATH : `${publicBase}/`;
  // The narrowest one of the format that nearly every browser shows.
  const thumbnail = variantsOf(media).find(({ extension }) => extension === 'webp')?.name ?? formatMediaName(media);
  return {
    id: image.id,
    url: MEDIA_PATH + image.name,
    name: image.name,
    file_name: image.fileName ?? null,
    alt: image.alternativeText ?? '',
    thumbnail: base + thumbnail,
    width: media.width,
    height: media.height,
    bytes: image.byteSize,
    created_at: image.createdAt.toISOString(),
    uses: [...uses],
  };
}

/** Something that is stored, of any kind, as `media list` shows it. */
export interface StoredMedia {
  readonly name: string;
  readonly kind: MediaKind;
  /** The name that it had before; null if nobody knows. */
  readonly file_name: string | null;
  /** Size of all its files together. */
  readonly bytes: number;
  readonly url: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly uses: readonly MediaUse[];
}

export function toStoredMedia(
  { name, kind, fileName, byteSize, createdAt }: ImageRow,
  uses: readonly MediaUse[],
): StoredMedia {
  return {
    name,
    kind,
    file_name: fileName ?? null,
    bytes: byteSize,
    url: MEDIA_PATH + name,
    created_at: createdAt.toISOString(),
    uses,
  };
}
