import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { itSlow } from '../../test/support/slow-tests.js';
import { IMAGE_MAX_BYTES } from '../shared/limits.js';
import { decodeImage, MAX_FRAMES } from './image-decoder.js';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function plain(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#3366aa' } });
}

/** Something with detail, so that cutting it off anywhere is noticed. */
function noise(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', sigma: 40 } } });
}

function animation(frames: number, width: number, height: number): Sharp {
  const pixels = Buffer.alloc(frames * width * height * 3, 0);
  for (let frame = 0; frame < frames; frame++) pixels[frame * width * height * 3 + (frame % width)] = 255;
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height }, animated: true });
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function pngDeclaring(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = deflateSync(Buffer.alloc(100_000));
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** The image with a chunk before its end that makes the file exactly so large; decoders skip such chunks. */
async function pngOfSize(bytes: number): Promise<Buffer> {
  const png = await plain(40, 30).png().toBuffer();
  const end = png.length - 12;
  const filling = chunk('teSt', Buffer.alloc(bytes - png.length - 12, 0x20));
  return Buffer.concat([png.subarray(0, end), filling, png.subarray(end)]);
}

describe('decodeImage', () => {
  it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('reads %s', async (format) => {
    const { facts, pixels, animation: frames } = await decodeImage(await plain(60, 40)[format]().toBuffer());
    expect(facts).toEqual({ format, width: 60, height: 40, isAnimated: false });
    expect(pixels.length % (60 * 40)).toBe(0);
    expect(frames).toBeNull();
  });

  it.each(['gif', 'webp'] as const)('keeps the frames of an animated %s', async (format) => {
    const source = animation(3, 60, 40);
    const bytes = await source[format]({ delay: [50, 100, 150], loop: 2 }).toBuffer();
    const decoded = await decodeImage(bytes);
    expect(decoded.facts).toEqual({ format, width: 60, height: 40, isAnimated: true });
    expect(decoded.animation).toEqual({ delay: [50, 100, 150], loop: 2 });
    expect(decoded.pixels.length).toBe(3 * 60 * 40 * decoded.channels);
  });

  it('turns a picture upright', async () => {
    const { facts } = await decodeImage(await plain(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    expect(facts).toMatchObject({ width: 40, height: 60 });
  });

  it.each([
    [3000, 1000, 2000, 667],
    [30, 10_000, 24, 8000],
    [2000, 100, 2000, 100],
  ])('scales %i x %i to %i x %i', async (width, height, toWidth, toHeight) => {
    const { facts } = await decodeImage(await plain(width, height).png().toBuffer());
    expect(facts).toMatchObject({ width: toWidth, height: toHeight });
  });

  it('brings wide colors into sRGB', async () => {
    const red = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c80000' } });
    const wide = await red.withIccProfile('p3').png().toBuffer();
    expect((await sharp(wide).metadata()).icc).toBeDefined();
    const { pixels } = await decodeImage(wide);
    expect(pixels.readUInt8(0)).toBeGreaterThan(190);
    expect(Math.max(pixels.readUInt8(1), pixels.readUInt8(2))).toBeLessThan(12);
  });

  it.each([
    ['16 bits per channel', plain(20, 10).toColorspace('rgb16').png(), 3],
    ['CMYK', plain(20, 10).toColorspace('cmyk').jpeg(), 3],
    ['gray', plain(20, 10).grayscale().jpeg(), 3],
    ['transparency', plain(20, 10).ensureAlpha(0.5).png(), 4],
  ] as const)('reads %s as 8 bits per channel', async (_, image, channels) => {
    const decoded = await decodeImage(await image.toBuffer());
    expect(decoded.channels).toBe(channels);
    expect(decoded.pixels.length).toBe(20 * 10 * channels);
  });

  it('refuses an empty file', async () => {
    await expect(decodeImage(Buffer.alloc(0))).rejects.toMatchObject({ code: 'image_empty' });
  });

  it('draws the line below 5 MB', async () => {
    await expect(decodeImage(await pngOfSize(IMAGE_MAX_BYTES))).rejects.toMatchObject({
      code: 'image_too_large',
      message: 'Image must be less than 5MB',
    });
    await expect(decodeImage(await pngOfSize(IMAGE_MAX_BYTES - 1))).resolves.toMatchObject({ facts: { width: 40 } });
  });

  it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('refuses a %s that was cut off', async (format) => {
    const bytes = await noise(200, 200)[format]().toBuffer();
    for (const share of [0.999, 0.9, 0.5, 0.1]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      await expect(decodeImage(cut)).rejects.toMatchObject({ code: 'image_damaged' });
    }
  });

  it.each([
    ['a PNG with a wrong checksum', async () => flip(await noise(50, 50).png().toBuffer(), 0.5)],
    ['a signature and nothing else', async () => PNG_SIGNATURE],
    [
      'an SVG behind the signature of a GIF',
      async () => Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['a script behind the signature of a GIF', async () => Buffer.from('GIF89a/*....*/=1;alert(document.domain)//')],
    ['an SVG behind the signature of a PNG', async () => Buffer.concat([PNG_SIGNATURE, Buffer.from('<svg></svg>')])],
    [
      'zeros behind the signature of a JPEG',
      async () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(99)]),
    ],
  ])('refuses %s', async (_, make) => {
    await expect(decodeImage(await make())).rejects.toMatchObject({ code: 'image_damaged' });
  });

  it.each([
    [60_000, 60_000],
    [10_000, 5_001],
    [1_000_000, 51],
  ])('refuses a PNG that declares %i x %i pixels, before decoding it', async (width, height) => {
    await expect(decodeImage(pngDeclaring(width, height))).rejects.toMatchObject({ code: 'image_too_many_pixels' });
  });

  it('refuses an animation of too many frames', async () => {
    const long = await animation(MAX_FRAMES + 1, 4, 4)
      .gif()
      .toBuffer();
    await expect(decodeImage(long)).rejects.toMatchObject({ code: 'image_too_many_pixels' });
  });

  itSlow('scales an animation down whose frames are many pixels together', async () => {
    const gif = await animation(31, 1000, 1000).gif({ effort: 1 }).toBuffer();
    const { facts, pixels, animation: frames } = await decodeImage(gif);
    expect(facts).toMatchObject({ width: 804, height: 804, isAnimated: true });
    expect(pixels.length).toBeLessThanOrEqual(4 * 21_000_000);
    expect(frames?.delay).toHaveLength(31);
  });

  it('refuses an animation of more pixels than can be read in time', async () => {
    const gif = await animation(126, 4, 4).gif().toBuffer();
    // Width and height of the canvas, on which the small frames stand: 126 times 4 million pixels.
    gif.writeUInt16LE(2000, 6);
    gif.writeUInt16LE(2000, 8);
    await expect(decodeImage(gif)).rejects.toMatchObject({ code: 'image_too_many_pixels' });
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(Math.floor(copy.length * at)) ^ 0xff, Math.floor(copy.length * at));
  return copy;
}
