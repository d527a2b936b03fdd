import { formatMediaName, parseMediaName, type MediaName } from '../shared/media.js';
import { isRendition } from './exported-image.js';
import { decodeImage, type DecodedImage, type ImageFacts } from './image-decoder.js';
import { fitInto, rasterize, renderImage, type RenderedFile } from './image-renderer.js';
import type { ShareDrawing } from './share-drawing.js';
import { drawVector } from './vector-renderer.js';

/** An image, encoded in every size and format. */
export interface RenderedImage {
  readonly media: MediaName;
  readonly files: readonly RenderedFile[];
}

/** Work on one image, for the process that decodes: plain data, as it is sent there. */
export type ImageJob =
  | {
      readonly kind: 'inspect';
      readonly bytes: Buffer;
      /** True for a file of ours, which may be larger than an upload may be. */
      readonly isStored: boolean;
    }
  | {
      readonly kind: 'render';
      readonly bytes: Buffer;
      /** The start of every name, unless `exported` applies. */
      readonly id: string;
      /** Name that these bytes keep if they are the fallback rendition of it. */
      readonly exported: MediaName | null;
    }
  | {
      readonly kind: 'renderAgain';
      /** The original, or the fallback rendition itself. */
      readonly bytes: Buffer;
      /** Name of the fallback rendition. */
      readonly name: string;
      /** True for the fallback rendition, which is kept as it is. */
      readonly isFallback: boolean;
    }
  /** Draws an SVG. */
  | { readonly kind: 'draw'; readonly bytes: Buffer }
  /** Draws share images. */
  | {
      readonly kind: 'share';
      readonly drawings: readonly Omit<ShareDrawing, 'logo'>[];
      /** A stored file of ours that takes the place of the drawn mark; null for the mark. */
      readonly logo: { readonly bytes: Buffer; readonly hasName: boolean } | null;
    };

/** Results by kind; `renderAgain` gives null if these bytes do not give this image. */
export interface ImageResults {
  readonly inspect: ImageFacts;
  readonly render: RenderedImage;
  readonly renderAgain: readonly RenderedFile[] | null;
  /** A PNG. */
  readonly draw: Buffer;
  /** PNG files in the order of the drawings. */
  readonly share: readonly Buffer[];
}

/**
 * Does the work, in this process.
 * @throws ImageRejectedError
 */
export async function carryOut(job: ImageJob): Promise<ImageResults[ImageJob['kind']]> {
  switch (job.kind) {
    case 'inspect':
      return (await decodeImage(job.bytes, job)).facts;
    case 'render':
      return await render(job);
    case 'renderAgain':
      return await renderAgain(job);
    case 'draw':
      return await drawVector(job.bytes);
    case 'share':
      return await share(job);
  }
}

async function render({ bytes, id, exported }: Extract<ImageJob, { kind: 'render' }>): Promise<RenderedImage> {
  const image = await decodeImage(bytes);
  const named = exported === null ? image : asNamed(image, exported);
  const isExported = exported !== null && isRendition(bytes, named.facts, exported);
  return isExported ? await renderImage(exported.id, named, bytes) : await renderImage(id, image);
}

/** Earlier versions named an image as one that moves although all its frames were the same, of which one was stored. */
function asNamed(image: DecodedImage, { isAnimated }: MediaName): DecodedImage {
  const { facts, animation } = image;
  const hasNoFrames = facts.format !== 'gif' && facts.format !== 'webp';
  if (!isAnimated || animation !== null || hasNoFrames) return image;
  return { ...image, facts: { ...facts, isAnimated }, animation: { delay: [100], loop: 0 } };
}

async function renderAgain({ bytes, name, isFallback }: Extract<ImageJob, { kind: 'renderAgain' }>) {
  const media = parseMediaName(name);
  if (media === null) return null;
  const image = asNamed(await decodeImage(bytes, { isStored: true }), media);
  if (isFallback && !isRendition(bytes, image.facts, media)) return null;
  const { media: rendered, files } = await renderImage(media.id, image, isFallback ? bytes : undefined);
  return formatMediaName(rendered) === name ? files : null;
}

async function share({ drawings, logo: given }: Extract<ImageJob, { kind: 'share' }>): Promise<readonly Buffer[]> {
  // Images that are decoded need nothing of it.
  const { drawShareImage, LOGO_PLACE } = await import('./share-drawing.js');
  // Decoded before the library is opened to drawings. A logo whose file is damaged is the drawn mark, as one that is lost.
  const picture = given === null ? null : await fitInto(Buffer.from(given.bytes), LOGO_PLACE).catch(() => null);
  const logo = given && picture ? { width: picture.width, hasName: given.hasName } : undefined;
  const images: Buffer[] = [];
  for (const drawing of drawings) images.push(await rasterize(await drawShareImage({ ...drawing, logo }), picture));
  return images;
}
