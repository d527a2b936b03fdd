import sharp from 'sharp';
import { MEDIA_MAX_SIZE } from '../shared/media.js';
import { MAX_PIXELS } from './image-decoder.js';
import { ImageRejectedError } from './image-rejected.error.js';

/**
 * Draws an SVG as a PNG in its own size, for imports: nothing of the drawing is stored. The library reads no other file
 * and asks no other machine for one that is in memory; what it costs is bounded by the process that it runs in.
 * @throws ImageRejectedError
 */
export async function drawVector(bytes: Buffer): Promise<Buffer> {
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .resize({ ...MEDIA_MAX_SIZE, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch (cause) {
    throw new ImageRejectedError('image_damaged', 'The drawing is damaged and cannot be read', { cause });
  } finally {
    sharp.block({ operation: ['VipsForeignLoadSvgBuffer'] });
  }
}
