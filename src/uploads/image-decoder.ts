import sharp, { type Metadata, type OutputInfo } from 'sharp';
import { IMAGE_MAX_BYTES } from '../shared/limits.js';
import { MEDIA_MAX_SIZE } from '../shared/media.js';
import { ImageRejectedError } from './image-rejected.error.js';
import { detectFormat, type ImageFormat } from './image-signature.js';

/** The most pixels of a picture, or of one frame of an animation. */
export const MAX_PIXELS = 50_000_000;

/** An animation of more pixels, in all frames together, is scaled down to so many, which there is memory for. */
const ANIMATION_PIXELS = { most: 30_000_000, scaledTo: 20_000_000 };

/** The most pixels that are read of all frames of an animation: more take longer than an image may. */
const MAX_PIXELS_READ = 500_000_000;

/** The most frames of an animation. */
export const MAX_FRAMES = 500;

/** The facts about an image that passed every check. */
export interface ImageFacts {
  /** By content, whatever the file was called. */
  readonly format: ImageFormat;
  /** Pixels, upright and scaled down to MEDIA_MAX_SIZE: the size under which it is stored. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** The pixels of an image, upright, in sRGB, 8 bits per channel, without metadata. */
export interface DecodedImage {
  readonly facts: ImageFacts;
  readonly pixels: Buffer;
  /** 4 with transparency. */
  readonly channels: 3 | 4;
  /** True when the source has a palette; it is then encoded with one again. */
  readonly hasPalette: boolean;
  /** Frame durations in milliseconds and number of repetitions (0: for ever); null unless animated. */
  readonly animation: { readonly delay: number[]; readonly loop: number } | null;
}

// No image is read twice, so remembering the last ones would only cost memory.
sharp.cache(false);
// Two renditions are encoded at a time: more threads would only take more memory.
sharp.concurrency(1);

// The library recognizes many more formats than we accept. It sniffs on its own, so it gets no chance to disagree
// with our look at the signature: every other decoder is off in this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});

/**
 * Checks an image and decodes it whole, once: everything later is made from these pixels.
 * @param options isStored: a file of ours, which may be larger than an upload may be
 * @throws ImageRejectedError
 */
export async function decodeImage(bytes: Buffer, { isStored = false } = {}): Promise<DecodedImage> {
  if (bytes.length === 0) throw new ImageRejectedError('image_empty', 'The image file is empty');
  if (bytes.length >= IMAGE_MAX_BYTES && !isStored)
    throw new ImageRejectedError('image_too_large', 'Image must be less than 5MB');
  const format = detectFormat(bytes);
  // Reads the header only, so the number of pixels it names does no harm yet.
  const metadata = await orDamaged(sharp(bytes, { animated: true, limitInputPixels: false }).metadata());
  assertBounds(metadata);
  const hasFrames = (metadata.pages ?? 1) > 1 && (format === 'gif' || format === 'webp');
  const { data, info } = await orDamaged(readPixels(bytes, metadata, hasFrames));
  const { width, pageHeight: height = info.height } = info;
  const frame = data.subarray(0, width * height * info.channels);
  // Of frames that are all the same, encoders leave one.
  const isAnimated = hasFrames && !isRepeated(frame, data);
  return {
    facts: { format, width, height, isAnimated },
    pixels: isAnimated ? data : frame,
    channels: info.channels as DecodedImage['channels'],
    hasPalette: metadata.isPalette === true,
    animation: isAnimated ? { delay: metadata.delay ?? [], loop: metadata.loop ?? 0 } : null,
  };
}

async function readPixels(
  bytes: Buffer,
  { width, height, pageHeight = height, pages = 1 }: Metadata,
  isAnimated: boolean,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const limitInputPixels = isAnimated ? MAX_PIXELS_READ : MAX_PIXELS;
  const image = sharp(bytes, { failOn: 'warning', animated: isAnimated, limitInputPixels });
  // The library cannot turn frames.
  const upright = isAnimated ? image : image.autoOrient();
  const sum = width * pageHeight * pages;
  const isTooMuch = isAnimated && sum > ANIMATION_PIXELS.most;
  const scale = Math.sqrt(ANIMATION_PIXELS.scaledTo / sum);
  const { width: maxWidth, height: maxHeight } = MEDIA_MAX_SIZE;
  const size = isTooMuch
    ? {
        width: Math.min(Math.ceil(width * scale), maxWidth),
        height: Math.min(Math.ceil(pageHeight * scale), maxHeight),
      }
    : MEDIA_MAX_SIZE;
  return upright
    .resize({ ...size, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

function isRepeated(frame: Buffer, frames: Buffer): boolean {
  for (let at = frame.length; at < frames.length; at += frame.length) {
    if (frames.compare(frame, 0, frame.length, at, at + frame.length) !== 0) return false;
  }
  return true;
}

function assertBounds({ width, height, pageHeight, pages = 1 }: Metadata): void {
  if (pages > MAX_FRAMES) {
    throw new ImageRejectedError('image_too_many_pixels', `The animation has more than ${MAX_FRAMES} frames`);
  }
  const pixels = width * (pageHeight ?? height);
  if (pixels > MAX_PIXELS || pixels * pages > MAX_PIXELS_READ) {
    const millions = (pixels > MAX_PIXELS ? MAX_PIXELS : MAX_PIXELS_READ) / 1_000_000;
    throw new ImageRejectedError('image_too_many_pixels', `The image has more than ${millions} million pixels`);
  }
}

async function orDamaged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ImageRejectedError('image_damaged', 'The image is damaged and cannot be read', { cause });
  }
}
