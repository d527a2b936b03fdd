import type { MediaExtension, MediaName } from '../shared/media.js';
import type { ImageFacts } from './image-decoder.js';

/**
 * Returns true when bytes can be the fallback rendition of that name, as this product writes renditions: of the size in
 * the name, and without anything but the picture. Other bytes under such a name are encoded again, so that nobody is
 * ever sent a stranger's metadata or trailing bytes.
 * @param facts facts from decoding the bytes
 */
export function isRendition(bytes: Buffer, facts: ImageFacts, name: MediaName): boolean {
  const { width, height, isAnimated, format } = facts;
  const isSame = width === name.width && height === name.height && isAnimated === name.isAnimated;
  const isFormat = (format === 'jpeg' ? 'jpg' : format) === name.extension;
  return isSame && isFormat && name.variantWidth === null && isBare(bytes, name.extension);
}

function isBare(bytes: Buffer, extension: MediaExtension): boolean {
  switch (extension) {
    case 'jpg':
      return isBareJpeg(bytes);
    case 'png':
      return isBarePng(bytes);
    case 'gif':
      return isBareGif(bytes);
    case 'webp':
      return isBareWebp(bytes);
    case 'avif':
      return false;
  }
}

/** ITU T.81, annex B: tables, frames and scans; JFIF in front, which says no more than the density. */
function isBareJpeg(bytes: Buffer): boolean {
  const allowed = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, 0xe0]);
  for (let at = 2; ;) {
    const marker = readNumber(bytes, 2, at) - 0xff00;
    if (marker === 0xd9) return at + 2 === bytes.length;
    if (!allowed.has(marker) || (marker === 0xe0 && readNumber(bytes, 2, at + 2) !== 16)) return false;
    at += 2 + readNumber(bytes, 2, at + 2);
    if (marker === 0xda) at = endOfScan(bytes, at);
  }
}

function endOfScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start);
  while (at >= 0) {
    const next = readNumber(bytes, 1, at + 1);
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}

function isBarePng(bytes: Buffer): boolean {
  const allowed = new Set(['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT', 'IEND']);
  for (let at = 8; ;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!allowed.has(type)) return false;
    at += 12 + readNumber(bytes, 4, at);
    if (type === 'IEND') return at === bytes.length;
  }
}

/** RFC 9649. */
function isBareWebp(bytes: Buffer): boolean {
  const allowed = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);
  if (readSize(bytes, 4) + 8 !== bytes.length) return false;
  let at = 12;
  while (at < bytes.length) {
    if (!allowed.has(bytes.toString('latin1', at, at + 4))) return false;
    const size = readSize(bytes, at + 4);
    at += 8 + size + (size % 2);
  }
  return at === bytes.length;
}

/** GIF89a: images, their timing, and how often an animation runs. */
function isBareGif(bytes: Buffer): boolean {
  let at = 13 + sizeOfColors(readNumber(bytes, 1, 10));
  for (;;) {
    const kind = readNumber(bytes, 1, at);
    if (kind === 0x3b) return at + 1 === bytes.length;
    if (kind === 0x2c) at = endOfBlocks(bytes, at + 11 + sizeOfColors(readNumber(bytes, 1, at + 9)));
    else if (kind === 0x21 && isTiming(bytes, at)) at = endOfBlocks(bytes, at + 2);
    else return false;
  }
}

function isTiming(bytes: Buffer, at: number): boolean {
  const label = readNumber(bytes, 1, at + 1);
  return label === 0xf9 || (label === 0xff && bytes.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0');
}

function sizeOfColors(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let size = readNumber(bytes, 1, at); size > 0; size = readNumber(bytes, 1, at)) at += 1 + size;
  return at + 1;
}

/** Zero beyond the end, which ends every loop here: nothing that is allowed is zero. */
function readNumber(bytes: Buffer, length: 1 | 2 | 4, at: number): number {
  return at + length <= bytes.length ? bytes.readUIntBE(at, length) : 0;
}

function readSize(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0;
}
