import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { formatMediaName, renditionsOf } from '../shared/media.js';
import { carryOut, type RenderedImage } from './image-jobs.js';
import type { RenderedFile } from './image-renderer.js';

const ID = 'a'.repeat(32);
const namesOf = (files: readonly RenderedFile[]) => files.map(({ name }) => name).sort();
const promised = (name: string) =>
  renditionsOf(name)
    .map((file) => file.name)
    .sort();

/** Three frames, of which the last one differs or not. */
async function makeFrames(format: 'gif' | 'webp', isMoving: boolean): Promise<Buffer> {
  const [width, height] = [40, 30];
  const pixels = Buffer.alloc(3 * width * height * 3, 90);
  if (isMoving) pixels.fill(200, 2 * width * height * 3);
  const raw = { width, height: 3 * height, channels: 3, pageHeight: height } as const;
  const image = sharp(pixels, { raw, animated: true });
  return await (format === 'gif' ? image.gif({ keepDuplicateFrames: true }) : image.webp()).toBuffer();
}

async function render(bytes: Buffer): Promise<{ name: string; files: readonly RenderedFile[] }> {
  const job = { kind: 'render', bytes, id: ID, exported: null } as const;
  const { media, files } = (await carryOut(job)) as RenderedImage;
  return { name: formatMediaName(media), files };
}

const renderAgain = async (bytes: Buffer, name: string, isFallback: boolean) =>
  (await carryOut({ kind: 'renderAgain', bytes, name, isFallback })) as readonly RenderedFile[] | null;

describe('an image whose frames are all the same', () => {
  it('is named as one that does not move, and its files can be made again', async () => {
    const bytes = await makeFrames('gif', false);
    const { name, files } = await render(bytes);
    expect(name).toBe(`${ID}-40x30.gif`);
    expect(namesOf(files)).toEqual(promised(name));
    expect(namesOf((await renderAgain(files[0]!.bytes, name, true))!)).toEqual(promised(name));
    expect(namesOf((await renderAgain(bytes, name, false))!)).toEqual(promised(name));
  });

  it('is made again under the name of one that moves, which earlier versions gave it', async () => {
    const original = await makeFrames('gif', false);
    const name = `${ID}-40x30a.gif`;
    const { bytes } = (await renderAgain(original, name, false))!.find((file) => file.name === name)!;
    expect((await sharp(bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
    expect(namesOf((await renderAgain(bytes, name, true))!)).toEqual(promised(name));
  });

  it.each(['gif', 'webp'] as const)('is not one that moves: %s', async (format) => {
    const { name, files } = await render(await makeFrames(format, true));
    expect(name).toBe(`${ID}-40x30a.${format}`);
    expect(namesOf((await renderAgain(files[0]!.bytes, name, true))!)).toEqual(promised(name));
    // One that is named as still is not taken for it.
    expect(await renderAgain(files[0]!.bytes, `${ID}-40x30.${format}`, true)).toBeNull();
  });
});
