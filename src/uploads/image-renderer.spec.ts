import { describe, expect, it } from '@jest/globals';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { renditionsOf } from '../shared/media.js';
import { decodeImage } from './image-decoder.js';
import { renderImage, type RenderedFile } from './image-renderer.js';

const ID = 'f'.repeat(32);

async function rendered(image: Sharp): Promise<{ name: string; files: (RenderedFile & { facts: Metadata })[] }> {
  const { files } = await renderImage(ID, await decodeImage(await image.toBuffer()));
  const read = files.map(async (file) => ({
    ...file,
    facts: await sharp(file.bytes, { animated: true, failOn: 'warning' }).metadata(),
  }));
  return { name: files[0]?.name ?? '', files: await Promise.all(read) };
}

/** Upper half red, lower half blue. */
function flag(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) pixels[at < pixels.length / 2 ? at : at + 2] = 255;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

async function pixelAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const spot = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  return [...spot];
}

describe('renderImage', () => {
  it.each([
    ['jpeg', 'jpg'],
    ['png', 'png'],
    ['gif', 'gif'],
    ['webp', 'webp'],
    ['avif', 'webp'],
  ] as const)('makes of a %s the renditions that its name promises', async (format, extension) => {
    const { name, files } = await rendered(flag(1100, 300)[format]());
    expect(name).toBe(`${ID}-1100x300.${extension}`);
    const promised = renditionsOf(name);
    expect(files.map((file) => file.name)).toEqual(promised.map((rendition) => rendition.name));
    expect(files.map((file) => file.contentType)).toEqual(promised.map((rendition) => rendition.contentType));
    expect(files.map((file) => file.facts.width)).toEqual(promised.map((rendition) => rendition.width));
    expect(files.map((file) => file.facts.mediaType)).toEqual(promised.map((rendition) => rendition.contentType));
    for (const { facts } of files) expect(facts.height).toBe(Math.round((facts.width * 300) / 1100));
  });

  it('leaves nothing of the metadata', async () => {
    const exif = {
      IFD0: { Artist: 'Jane Doe', Copyright: 'secret' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '34/1 3/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '118/1 15/1 0/1' },
    };
    const source = flag(100, 60).withExif(exif).withIccProfile('p3').withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
    const before = await sharp(await source.clone().jpeg().toBuffer()).metadata();
    expect([before.exif, before.icc, before.xmp].every((part) => part !== undefined)).toBe(true);

    const { files } = await rendered(source.jpeg());
    for (const { facts, bytes } of files) {
      expect(facts).toMatchObject({ width: 100, height: 60 });
      expect([facts.exif, facts.icc, facts.xmp, facts.iptc, facts.orientation]).toEqual(Array(5).fill(undefined));
      expect(bytes.includes('Jane Doe')).toBe(false);
    }
  });

  it('leaves nothing of what was hidden behind the picture', async () => {
    const jpeg = await flag(100, 60).jpeg().toBuffer();
    const polyglot = Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]);
    const { files } = await renderImage(ID, await decodeImage(polyglot));
    for (const { bytes } of files) expect(bytes.includes('<script>')).toBe(false);
  });

  it('draws the picture upright in every rendition', async () => {
    // Orientation 3: stored upside down.
    const { files } = await rendered(flag(100, 60).withMetadata({ orientation: 3 }).jpeg());
    for (const { bytes } of files) {
      const [red = 0, , blue = 0] = await pixelAt(bytes, 50, 5);
      expect(blue - red).toBeGreaterThan(150);
    }
  });

  it.each(['gif', 'webp'] as const)('keeps an animated %s moving in every rendition', async (format) => {
    const [width, height, frames] = [600, 90, 3];
    const pixels = Buffer.alloc(width * height * frames * 3);
    for (let frame = 0; frame < frames; frame++) pixels.fill(frame * 100, frame * width * height * 3);
    const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
    const source = sharp(pixels, { raw, animated: true })[format]({ delay: [50, 100, 150], loop: 2 });
    const { name, files } = await rendered(source);
    expect(name).toBe(`${ID}-600x90a.${format}`);
    expect(files.map((file) => file.name)).toEqual(renditionsOf(name).map((rendition) => rendition.name));
    for (const { facts } of files) {
      expect(facts).toMatchObject({ pages: 3, delay: [50, 100, 150], loop: 2 });
      expect(facts.pageHeight).toBe(Math.round((facts.width * 90) / 600));
    }
  });

  it('keeps transparency', async () => {
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } } });
    const { files } = await rendered(clear.png());
    for (const { bytes } of files) {
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(4);
      expect(data[3]).toBe(0);
    }
  });

  it('renders the smallest image there is', async () => {
    const { name, files } = await rendered(
      sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } }).png(),
    );
    expect(name).toBe(`${ID}-1x1.png`);
    expect(files).toHaveLength(3);
  });
});
