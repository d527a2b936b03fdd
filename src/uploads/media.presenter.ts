import type { MediaItem, MediaUse } from '../shared/contracts/media.js';
import { formatMediaName, MEDIA_PATH, parseMediaName, variantsOf } from '../shared/media.js';
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
