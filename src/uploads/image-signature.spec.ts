import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { toAnimatedPng } from '../../test/support/animated-png.js';
import { detectFormat, findStilledFormat } from './image-signature.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const avif = (...brands: string[]) =>
  Buffer.concat([Buffer.from([0, 0, 0, 8 + 4 * brands.length]), Buffer.from(`ftyp${brands.join('')}`, 'latin1')]);

describe('detectFormat', () => {
  it.each([
    ['jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['gif', Buffer.from('GIF89a')],
    ['gif', Buffer.from('GIF87a')],
    ['webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['avif', avif('avif', '\0\0\0\0', 'mif1')],
    ['avif', avif('mif1', '\0\0\0\0', 'miaf', 'avif')],
  ])('knows %s', (format, bytes) => {
    expect(detectFormat(bytes)).toBe(format);
  });

  it.each([
    ['plain', Buffer.from(SVG)],
    ['after a byte order mark', Buffer.from(`\uFEFF${SVG}`)],
    ['after white space', Buffer.from(`\n\t  ${SVG}`)],
    [
      'after an XML declaration and comments',
      Buffer.from(`<?xml version="1.0"?><!-- GIF89a -->\n<!DOCTYPE svg>${SVG}`),
    ],
    ['in UTF-16', Buffer.from(`\uFEFF${SVG}`, 'utf16le')],
    ['in capitals', Buffer.from(SVG.toUpperCase())],
  ])('refuses an SVG %s, by name', (_, bytes) => {
    expect(() => detectFormat(bytes)).toThrow('SVG images are not accepted');
  });

  it.each([
    ['a compressed SVG', 'This is', gzipSync(SVG)],
    ['an SVG behind a long comment', 'This is', Buffer.from(`<!--${'x'.repeat(10_000)}-->${SVG}`)],
    ['HTML', 'This is', Buffer.from('<!doctype html><p>hello')],
    ['a RIFF file of another kind', 'This is', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
    ['one byte', 'This is', Buffer.from([0xff])],
    ['PDF', 'This is a PDF document,', Buffer.from('%PDF-1.7')],
    ['TIFF', 'This is a TIFF image,', Buffer.from('II*\0')],
    ['BMP', 'This is a BMP image,', Buffer.from('BM\0\0\0\0')],
    ['HEIC', 'This is a HEIC image,', avif('heic', '\0\0\0\0', 'mif1')],
    ['MP4', 'This is a video,', avif('isom', '\0\0\0\0', 'mp42')],
    ['the brand only in the version field', 'This is a HEIC image,', avif('heic', 'avif', 'mif1')],
  ])('refuses %s', (_, named, bytes) => {
    expect(() => detectFormat(bytes)).toThrow(`${named} not a JPEG, PNG, GIF, WebP or AVIF image`);
  });
});

describe('findStilledFormat', () => {
  it('names a PNG and an AVIF with frames, and nothing else', async () => {
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const afterPixels = Buffer.concat([png, toAnimatedPng(png).subarray(33, 53)]);
    const files = [
      [toAnimatedPng(png), 'PNG'],
      [avif('avis', '\0\0\0\0', 'avif', 'avis'), 'AVIF'],
      [png, null],
      [toAnimatedPng(png, 1), null],
      [afterPixels, null],
      [png.subarray(0, 20), null],
      [avif('avif', '\0\0\0\0', 'avis'), null],
      [Buffer.from('GIF89a'), null],
    ] as const;
    expect(files.map(([bytes]) => findStilledFormat(bytes))).toEqual(files.map(([, format]) => format));
  });
});
