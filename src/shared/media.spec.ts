import { describe, expect, it } from '@jest/globals';
import { formatMediaName, parseMediaName, parseMediaUrl, renditionsOf, toPicture } from './media.js';

const ID = '0123456789abcdef0123456789abcdef';

describe('parseMediaName', () => {
  it.each([`${ID}-1200x800.jpg`, `${ID}-1200x800-960.avif`, `${ID}-300x200a.gif`, `${ID}-300x200a-300.webp`])(
    'reads %s, which formatMediaName gives back',
    (name) => {
      const media = parseMediaName(name);
      expect(media && formatMediaName(media)).toBe(name);
    },
  );

  it('reads what the name says', () => {
    expect(parseMediaName(`${ID}-300x200a-300.webp`)).toEqual({
      id: ID,
      width: 300,
      height: 200,
      isAnimated: true,
      variantWidth: 300,
      extension: 'webp',
    });
  });

  it.each([
    '',
    `${ID}.jpg`,
    `${ID}-1200x800`,
    `${ID}-1200x800.svg`,
    `${ID}-1200x800.JPG`,
    `${ID.toUpperCase()}-1200x800.jpg`,
    `${ID}-01200x800.jpg`,
    `${ID}-0x800.jpg`,
    `../${ID}-1200x800.jpg`,
    `${ID}-1200x800.jpg\n`,
    `${ID}-1200x800.jpg/`,
    // Well formed, but such a file is never made:
    `${ID}-1200x800.avif`,
    `${ID}-1200x800-700.webp`,
    `${ID}-1200x800-1600.webp`,
    `${ID}-1200x800-960.jpg`,
    `${ID}-300x200a.jpg`,
    `${ID}-300x200a-300.avif`,
    `${ID}-99999x800.jpg`,
    `${ID}-2001x800.jpg`,
    `${ID}-800x8001.jpg`,
  ])('refuses %j', (name) => {
    expect(parseMediaName(name)).toBeNull();
  });
});

describe('parseMediaUrl', () => {
  it.each([
    `${ID}-1200x800.jpg`,
    `https://elsewhere.example/media/${ID}-1200x800.jpg`,
    `/media/${ID}-1200x800.jpg?x=1`,
    `//media/${ID}-1200x800.jpg`,
  ])('refuses %s', (url) => {
    expect(parseMediaUrl(url)).toBeNull();
  });
});

describe('renditionsOf', () => {
  it('lists the fallback, then AVIF, then WebP in every width', () => {
    expect(renditionsOf(`${ID}-1200x800.jpg`).map(({ name, contentType }) => [name, contentType])).toEqual([
      [`${ID}-1200x800.jpg`, 'image/jpeg'],
      [`${ID}-1200x800-480.avif`, 'image/avif'],
      [`${ID}-1200x800-960.avif`, 'image/avif'],
      [`${ID}-1200x800-1200.avif`, 'image/avif'],
      [`${ID}-1200x800-480.webp`, 'image/webp'],
      [`${ID}-1200x800-960.webp`, 'image/webp'],
      [`${ID}-1200x800-1200.webp`, 'image/webp'],
    ]);
  });

  it.each([
    [100, [100]],
    [480, [480]],
    [500, [500]],
    [600, [480, 600]],
    [1000, [480, 1000]],
    [1600, [480, 960, 1600]],
    [2000, [480, 960, 1600, 2000]],
  ])('makes an image %i pixels wide in widths worth having', (width, widths) => {
    const avif = renditionsOf(`${ID}-${width}x50.png`).filter((rendition) => rendition.extension === 'avif');
    expect(avif.map((rendition) => rendition.width)).toEqual(widths);
  });

  it('is empty for the name of a variant and for no name at all', () => {
    expect(renditionsOf(`${ID}-1200x800-960.avif`)).toEqual([]);
    expect(renditionsOf('logo.png')).toEqual([]);
  });
});

describe('toPicture', () => {
  it('gives size and sources, the best format first', () => {
    expect(toPicture(`/media/${ID}-600x400.png`, undefined)).toEqual({
      src: `/media/${ID}-600x400.png`,
      width: 600,
      height: 400,
      sources: [
        { type: 'image/avif', srcset: `/media/${ID}-600x400-480.avif 480w, /media/${ID}-600x400-600.avif 600w` },
        { type: 'image/webp', srcset: `/media/${ID}-600x400-480.webp 480w, /media/${ID}-600x400-600.webp 600w` },
      ],
    });
  });

  it('gives addresses of the bucket when browsers read it directly', () => {
    expect(toPicture(`/media/${ID}-300x200a.gif`, 'https://cdn.example.com/blog')).toEqual({
      src: `https://cdn.example.com/blog/${ID}-300x200a.gif`,
      width: 300,
      height: 200,
      sources: [{ type: 'image/webp', srcset: `https://cdn.example.com/blog/${ID}-300x200a-300.webp 300w` }],
    });
  });

  it.each(['https://elsewhere.example/a.png', `/media/${ID}-600x400-480.webp`, '/media/', ''])(
    'has none for %j',
    (url) => {
      expect(toPicture(url, undefined)).toBeNull();
    },
  );
});
