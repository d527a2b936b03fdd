import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { formatMediaName, parseMediaName } from '../shared/media.js';
import { decodeImage } from './image-decoder.js';
import { isRendition } from './exported-image.js';
import { renderImage } from './image-renderer.js';

const id = '0123456789abcdef0123456789abcdef';

/** The fallback of an image, as it is stored. */
async function createRendition(format: 'jpeg' | 'png' | 'gif' | 'webp', isAnimated: boolean) {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const frame = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red', noise } })
    .png()
    .toBuffer();
  const frames = [frame, await sharp(frame).negate().png().toBuffer()];
  const image = isAnimated ? sharp(frames, { join: { animated: true } }) : sharp(frame);
  const source = await image
    .withMetadata({ exif: { IFD0: { Copyright: 'somebody' } } })
    .toFormat(format)
    .toBuffer();
  const { media, files } = await renderImage(id, await decodeImage(source));
  return { source, name: formatMediaName(media), bytes: files[0]!.bytes };
}

async function isTaken(bytes: Buffer, name: string): Promise<boolean> {
  return isRendition(bytes, (await decodeImage(bytes)).facts, parseMediaName(name)!);
}

describe('a rendition that comes back', () => {
  it.each([
    ['jpeg', false],
    ['png', false],
    ['gif', false],
    ['webp', false],
    ['gif', true],
    ['webp', true],
  ] as const)('is known in %s (animated: %s), and nothing else is taken for one', async (format, isAnimated) => {
    const { source, name, bytes } = await createRendition(format, isAnimated);
    expect(await isTaken(bytes, name)).toBe(true);
    expect(await isTaken(bytes, name.replace('30x20', '30x21'))).toBe(false);
    expect(
      isRendition(Buffer.concat([bytes, Buffer.from('more')]), (await decodeImage(bytes)).facts, parseMediaName(name)!),
    ).toBe(false);
    expect(isRendition(bytes.subarray(0, -3), (await decodeImage(bytes)).facts, parseMediaName(name)!)).toBe(false);
    // Sharp writes no metadata into GIF.
    if (format !== 'gif') expect(await isTaken(source, name)).toBe(false);
  });

  it('keeps its bytes when it is stored again', async () => {
    const { bytes } = await createRendition('jpeg', false);
    const { files } = await renderImage(id, await decodeImage(bytes), bytes);
    expect(files[0]!.bytes).toBe(bytes);
  });
});
