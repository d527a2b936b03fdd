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

/** Beyond, a picture is encoded with less effort and memory, so that it takes no more time than one that is smaller. */
const LARGE_PIXELS = 3_000_000;

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
  const inTurn = async (extension: MediaExtension) => {
    const encodedOnes: RenderedFile[] = [];
    for (const variant of variantsOf(media).filter((it) => it.extension === extension)) {
      const isSamePicture = extension === media.extension && variant.width === width;
      const same = isSamePicture ? { ...(await fallback), name: variant.name } : null;
      encodedOnes.push(same ?? (await render(image, variant.name, extension, variant.width)));
    }
    return encodedOnes;
  };
  const avif = inTurn('avif');
  // Two at a time keep two processors busy; of large pictures one takes all the memory there is.
  const first = Promise.all([isAnimated ? null : fallback, isLarge(image) ? avif : null]);
  const webp = first.then(() => inTurn('webp'));
  return { media, files: (await Promise.all([fallback.then((file) => [file]), avif, webp])).flat() };
}

/** A picture, and where it lies on another. */
interface PlacedPicture {
  /** A PNG. */
  readonly bytes: Buffer;
  /** Pixels. */
  readonly width: number;
  readonly left: number;
  readonly top: number;
}

/** A room on a picture, in pixels. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Makes a stored picture of ours as large as its room has place for, in the middle of its height. */
export async function fitInto(bytes: Buffer, { left, top, width, height }: Place): Promise<PlacedPicture> {
  const { data, info } = await sharp(bytes)
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, left, top: top + Math.round((height - info.height) / 2) };
}

/**
 * Encodes a drawing of ours as PNG with few colors, which all networks show. It opens the library to SVG, so this is for
 * processes that decode nothing that somebody handed in from then on.
 * @param picture laid over the drawing
 */
export async function rasterize(svg: string, picture: PlacedPicture | null = null): Promise<Buffer> {
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
  const drawing = sharp(Buffer.from(svg));
  if (picture !== null) drawing.composite([{ input: picture.bytes, left: picture.left, top: picture.top }]);
  return await drawing.png({ palette: true, colors: 128, effort: 7 }).toBuffer();
}

function isLarge({ facts: { width, height } }: DecodedImage): boolean {
  return width * height > LARGE_PIXELS;
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
function encode(pipeline: Sharp, extension: MediaExtension, image: DecodedImage): Sharp {
  const { hasPalette, animation } = image;
  const isCheap = isLarge(image);
  switch (extension) {
    case 'avif':
      return pipeline.avif({ quality: 52, effort: 1, chromaSubsampling: isCheap ? '4:2:0' : '4:4:4' });
    case 'webp':
      return pipeline.webp({ quality: 78, effort: animation === null && !isCheap ? 4 : 2, ...animation });
    case 'jpg':
      return pipeline.jpeg({ quality: 82, progressive: true });
    case 'png':
      return pipeline.png({ palette: hasPalette, compressionLevel: isCheap ? 6 : 9, adaptiveFiltering: true });
    case 'gif':
      // Frames have few colors already: looking for better ones takes three quarters of the time.
      return pipeline.gif({ effort: 1, dither: 0, ...animation });
  }
}
