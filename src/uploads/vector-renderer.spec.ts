import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { drawVector } from './vector-renderer.js';
import { decodeImage } from './image-decoder.js';

const svg = (inside: string, more = '') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" ${more}>${inside}</svg>`);

it('draws an SVG as a picture of its size, and lets nobody else do so', async () => {
  const png = await drawVector(svg('<rect width="40" height="20" fill="#ff0000"/>'));
  const { facts, pixels } = await decodeImage(png);
  expect(facts).toMatchObject({ format: 'png', width: 40, height: 20 });
  expect([...pixels.subarray(0, 3)]).toEqual([255, 0, 0]);
  await expect(sharp(svg('<rect/>')).png().toBuffer()).rejects.toThrow('unsupported image format');
});

it('reads no file that a drawing names', async () => {
  const drawing = svg(
    `<image href="file://${process.cwd()}/docs/images/home.webp" width="40" height="20"/>` +
      '<text><![CDATA[x]]></text>',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  );
  const { pixels, channels } = await decodeImage(await drawVector(drawing));
  expect(channels).toBe(4);
  expect([...pixels.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
});

it('refuses what is none', async () => {
  await expect(drawVector(Buffer.from('<svg'))).rejects.toMatchObject({ code: 'image_damaged' });
});
