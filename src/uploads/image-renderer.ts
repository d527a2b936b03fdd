import sharp, { type Sharp } from 'sharp';
import { contentTypeOf, formatMediaName, variantsOf, type MediaExtension, type MediaName } from '../shared/media.js';
import type { DecodedImage } from './image-decoder.js';
import type { ImageFormat } from './image-signature.js';

/** One rendition, encoded. */
export interface RenderedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** The format of the fallback; few mail programs and feed readers show AVIF, so those become WebP. */
const FALLBACK: Record<ImageFormat, MediaExtension> = {
  jpeg: 'jpg',
  png: 'png',
  gif: 'gif',
  webp: 'webp',
  avif: 'webp',
};

/**
 * Encodes every rendition of an image.
 * @param id 32 random hexadecimal digits, the start of every name
 * @param encoded the fallback, where it is there already; encoding it once more would lose a little
 */
export async function renderImage(
  id: string,
  image: DecodedImage,
  encoded?: Buffer,
): Promise<{ media: MediaName; files: RenderedFile[] }> {
  const { width, height, isAnimated, format } = image.facts;
  const media: MediaName = { id, width, height, isAnimated, variantWidth: null, extension: FALLBACK[format] };
  const name = formatMediaName(media);
  const fallback =
    encoded === undefined
      ? render(image, name, media.extension, width)
      : Promise.resolve({ name, bytes: encoded, contentType: contentTypeOf(media.extension) });
  const variants = variantsOf(media).map(async (variant) => {
    const isSamePicture = variant.extension === media.extension && variant.width === width;
    if (isSamePicture) return { ...(await fallback), name: variant.name };
    return render(image, variant.name, variant.extension, variant.width);
  });
  return { media, files: await Promise.all([fallback, ...variants]) };
}

async function render(
  image: DecodedImage,
  name: string,
  extension: MediaExtension,
  width: number,
): Promise<RenderedFile> {
  const pipeline = encode(openPixels(image).resize({ width }), extension, image);
  return { name, bytes: await pipeline.toBuffer(), contentType: contentTypeOf(extension) };
}

function openPixels({ pixels, channels, facts, animation }: DecodedImage): Sharp {
  const { width, height } = facts;
  const rows = pixels.length / (width * channels);
  const isAnimated = animation !== null;
  return sharp(pixels, {
    raw: { width, height: rows, channels, ...(isAnimated && { pageHeight: height }) },
    animated: isAnimated,
    // These pixels passed the bound already.
    limitInputPixels: false,
  });
}

/** Qualities and efforts are chosen by measurement: see the README of this folder. */
function encode(pipeline: Sharp, extension: MediaExtension, { hasPalette, animation }: DecodedImage): Sharp {
  switch (extension) {
    case 'avif':
      return pipeline.avif({ quality: 52, effort: 1 });
    case 'webp':
      return pipeline.webp({ quality: 78, effort: animation === null ? 4 : 2, ...animation });
    case 'jpg':
      return pipeline.jpeg({ quality: 82, progressive: true });
    case 'png':
      return pipeline.png({ palette: hasPalette, compressionLevel: 9, adaptiveFiltering: true });
    case 'gif':
      return pipeline.gif({ effort: 3, ...animation });
  }
}
