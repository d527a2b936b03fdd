import type { Picture } from './contracts/posts.js';

/**
 * How the files of a hosted image are named. Everything a page needs (size, renditions, formats) follows from the name
 * of the fallback rendition, so no page looks an image up in the database:
 *
 *     {id}-{width}x{height}.{jpg|png|gif|webp}              the fallback, which every browser shows
 *     {id}-{width}x{height}-{variantWidth}.{avif|webp}      a variant
 *     {id}-{width}x{height}a.{gif|webp}                     an animated fallback
 *     {id}-{width}x{height}a-{variantWidth}.webp            its variant; AVIF holds no animation here
 *
 * Images of many pixels have no AVIF. `id` is 32 random hexadecimal digits. The numbers below decide which files exist, so stored images have to be
 * rendered anew when one of them changes.
 */

/** Kinds of stored files, by what posts do with them (decision 98). */
export const MEDIA_KINDS = ['image', 'audio', 'video', 'captions'] as const;
/** See {@link MEDIA_KINDS}. */
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Path under which the server serves images, sound and films; the name of a file follows. */
export const MEDIA_PATH = '/media/';

/**
 * Caching of a rendition, wherever it is served: a file never changes under its name, so a browser that has it need not
 * ask again (RFC 8246).
 */
export const MEDIA_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** The largest fallback rendition, in pixels; larger images are scaled down to fit. */
export const MEDIA_MAX_SIZE = { width: 2000, height: 8000 } as const;

/**
 * The most pixels of an image with AVIF variants: encoding takes more memory per pixel than there is for larger ones,
 * which have WebP alone.
 */
const AVIF_MAX_PIXELS = 6_000_000;

/** Widths in pixels in which variants are made, besides the width of the fallback itself. */
export const VARIANT_WIDTHS = [480, 960, 1600] as const;

/** A listed width above this share of the full width is left out: it would be the same picture twice. */
const WORTHWHILE_SHARE = 0.9;

const CONTENT_TYPES = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
} as const;

/** File name extension of a rendition. */
export type MediaExtension = keyof typeof CONTENT_TYPES;

/** The facts in the name of a rendition. */
export interface MediaName {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Size in pixels of the fallback rendition, also in the name of a variant. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Width in pixels of a variant; null in the name of the fallback. */
  readonly variantWidth: number | null;
  readonly extension: MediaExtension;
}

/** One file of an image. */
export interface Rendition {
  readonly name: string;
  readonly width: number;
  readonly extension: MediaExtension;
  readonly contentType: string;
}

const NAME = /^([0-9a-f]{32})-([1-9]\d{0,4})x([1-9]\d{0,4})(a?)(?:-([1-9]\d{0,4}))?\.(avif|webp|jpg|png|gif)$/;

/** Reads the name of a rendition; null unless it is exactly a name that {@link formatMediaName} gives. */
export function parseMediaName(name: string): MediaName | null {
  const [, id, width, height, animated, variantWidth, extension] = NAME.exec(name) ?? [];
  if (id === undefined) return null;
  const media: MediaName = {
    id,
    width: Number(width),
    height: Number(height),
    isAnimated: animated === 'a',
    variantWidth: variantWidth === undefined ? null : Number(variantWidth),
    extension: extension as MediaExtension,
  };
  return isPossible(media) ? media : null;
}

/** Reads an address such as `/media/{name}`; null for every other address. */
export function parseMediaUrl(url: string): MediaName | null {
  return url.startsWith(MEDIA_PATH) ? parseMediaName(url.slice(MEDIA_PATH.length)) : null;
}

const NAME_IN_TEXT = /(?<![0-9a-f])[0-9a-f]{32}-\d+x\d+a?(?:-\d+)?\.(?:avif|webp|jpg|png|gif)/g;

/**
 * The names of all hosted images that a text shows or mentions: HTML, or a single address. It goes by the name alone,
 * so that it finds them wherever they are handed out: by this server, by a bucket, or as a variant in a `srcset`.
 */
export function findMediaNames(...texts: readonly (string | null | undefined)[]): string[] {
  const names = texts.flatMap((text) => text?.match(NAME_IN_TEXT) ?? []);
  return [...new Set(names)].filter((name) => parseMediaName(name) !== null);
}

/** The file name of a rendition. */
export function formatMediaName({ id, width, height, isAnimated, variantWidth, extension }: MediaName): string {
  const variant = variantWidth === null ? '' : `-${variantWidth}`;
  return `${id}-${width}x${height}${isAnimated ? 'a' : ''}${variant}.${extension}`;
}

/** The content type in which a rendition is served. */
export function contentTypeOf(extension: MediaExtension): string {
  return CONTENT_TYPES[extension];
}

/** All files of the image to which the name belongs, except the fallback: the best format first, widths ascending. */
export function variantsOf(media: MediaName): Rendition[] {
  return variantExtensions(media).flatMap((extension) =>
    variantWidths(media.width).map((width) => ({
      name: formatMediaName({ ...media, variantWidth: width, extension }),
      width,
      extension,
      contentType: CONTENT_TYPES[extension],
    })),
  );
}

/** All files of an image, the fallback first; takes the name of the fallback and is empty for any other. */
export function renditionsOf(name: string): Rendition[] {
  const media = parseMediaName(name);
  if (media?.variantWidth !== null) return [];
  const { width, extension } = media;
  return [{ name, width, extension, contentType: CONTENT_TYPES[extension] }, ...variantsOf(media)];
}

/**
 * Describes a hosted image for a page.
 * @param url address of the fallback rendition, as posts store it: `/media/{name}`
 * @param publicBase address at which browsers read the bucket (S3_PUBLIC_URL), or undefined when the server serves
 * images
 * @returns null if the address is not one of ours
 */
export function toPicture(url: string, publicBase: string | undefined): Picture | null {
  const media = parseMediaUrl(url);
  if (media?.variantWidth !== null) return null;
  const base = publicBase === undefined ? MEDIA_PATH : `${publicBase}/`;
  const variants = variantsOf(media);
  return {
    src: base + formatMediaName(media),
    width: media.width,
    height: media.height,
    sources: variantExtensions(media).map((extension) => ({
      type: CONTENT_TYPES[extension],
      srcset: variants
        .filter((variant) => variant.extension === extension)
        .map((variant) => `${base}${variant.name} ${variant.width}w`)
        .join(', '),
    })),
  };
}

function variantExtensions({ isAnimated, width, height }: MediaName): readonly MediaExtension[] {
  return isAnimated || width * height > AVIF_MAX_PIXELS ? ['webp'] : ['avif', 'webp'];
}

function variantWidths(fullWidth: number): number[] {
  return [...VARIANT_WIDTHS.filter((width) => width <= fullWidth * WORTHWHILE_SHARE), fullWidth];
}

/** Returns true when such a file can exist: the pattern alone would admit names that the product never gives. */
function isPossible(media: MediaName): boolean {
  if (media.width > MEDIA_MAX_SIZE.width || media.height > MEDIA_MAX_SIZE.height) return false;
  if (media.variantWidth !== null) {
    // Earlier versions made AVIF of any size: such files still belong to their image.
    const isVariant = media.extension === 'webp' || (media.extension === 'avif' && !media.isAnimated);
    return isVariant && variantWidths(media.width).includes(media.variantWidth);
  }
  return media.isAnimated ? media.extension === 'gif' || media.extension === 'webp' : media.extension !== 'avif';
}
