import { readFile } from 'node:fs/promises';
import { ImageRejectedError, type UploadsService } from '../../uploads/uploads.service.js';
import type { DraftImage } from './import-draft.js';
import { RefusedError } from './import.errors.js';

/**
 * Checks the images of a post, then stores them: none is stored for a post that is refused over another.
 * @returns addresses by placeholder; none in a dry run
 * @throws RefusedError with a reason for each image that is not accepted
 */
export async function takeImages(
  images: readonly DraftImage[],
  uploads: UploadsService,
  isDryRun: boolean,
): Promise<Map<string, string>> {
  // A single image is checked by being stored.
  if (isDryRun || images.length > 1) await forEachImage(images, (bytes) => uploads.inspectImage(bytes));
  const addresses = new Map<string, string>();
  if (isDryRun) return addresses;
  await forEachImage(images, async (bytes, image) => {
    const { url } = await uploads.storeImage(bytes);
    addresses.set(image.placeholder, url);
  });
  return addresses;
}

/** One after another, as each is held in memory whole. */
async function forEachImage(
  images: readonly DraftImage[],
  take: (bytes: Buffer, image: DraftImage) => Promise<unknown>,
): Promise<void> {
  const reasons: string[] = [];
  for (const image of images) {
    try {
      await take(await readFile(image.path), image);
    } catch (error) {
      if (!(error instanceof ImageRejectedError)) throw error;
      reasons.push(`the image ${image.written}: ${error.message}`);
    }
  }
  if (reasons.length > 0) throw new RefusedError(reasons);
}
