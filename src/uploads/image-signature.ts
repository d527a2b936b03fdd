import { ImageRejectedError } from './image-rejected.error.js';

/** The formats that are accepted, under the names that the image library gives them. */
export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

const ACCEPTED = 'JPEG, PNG, GIF, WebP or AVIF image';

/** Files that people mistake for such an image, by their first bytes; only to name them in the refusal. */
const OTHERS: readonly [name: string, isThis: (start: string) => boolean][] = [
  ['PDF document', (start) => start.startsWith('%PDF')],
  ['HEIC image', (start) => /^ftyp(hei|hev|mif1|msf1)/.test(start.slice(4))],
  ['video', (start) => start.slice(4).startsWith('ftyp') || start.startsWith('\x1a\x45\xdf\xa3')],
  ['TIFF image', (start) => start.startsWith('II*\0') || start.startsWith('MM\0*')],
  ['BMP image', (start) => start.startsWith('BM')],
  ['Photoshop document', (start) => start.startsWith('8BPS')],
  ['JPEG XL image', (start) => start.startsWith('\xff\x0a') || start.startsWith('\0\0\0\x0cJXL ')],
  ['ZIP archive', (start) => start.startsWith('PK\x03\x04')],
];

/** Types of chunks of a PNG, `IDAT` and `acTL`, as numbers. */
const PNG_PIXELS = 0x49444154;
const PNG_FRAMES = 0x6163544c;

/** How far into the file an SVG is looked for. */
const SVG_WINDOW = 4096;

/**
 * Detects the format by the first bytes, before the image library sees anything: a small SVG can keep a renderer busy
 * for many seconds, and everything but the five formats is refused without being parsed.
 * @throws ImageRejectedError
 */
export function detectFormat(bytes: Buffer): ImageFormat {
  const format = formatOf(bytes);
  if (format === null) throw new ImageRejectedError('image_unsupported', describeRefusal(bytes));
  return format;
}

function formatOf(bytes: Buffer): ImageFormat | null {
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  if (hasAvifBrand(bytes)) return 'avif';
  return null;
}

/** Returns true for what begins like an image that is accepted. */
export function isKnownFormat(bytes: Buffer): boolean {
  return formatOf(bytes) !== null;
}

/**
 * Names an animation of which the first frame alone would be kept, as the image library knows only that; null for any
 * other bytes.
 */
export function findStilledFormat(bytes: Buffer): 'PNG' | 'AVIF' | null {
  const format = formatOf(bytes);
  if (format === 'png') return hasPngFrames(bytes) ? 'PNG' : null;
  // Its major brand says that the file is to be played.
  return format === 'avif' && bytes.toString('latin1', 8, 12) === 'avis' ? 'AVIF' : null;
}

/**
 * Refuses such an animation.
 * @throws ImageRejectedError
 */
export function refuseStilled(bytes: Buffer): void {
  const format = findStilledFormat(bytes);
  if (format === null) return;
  const message = `This is an animated ${format}, which would stand still here: use a GIF or WebP image`;
  throw new ImageRejectedError('image_unsupported', message);
}

/** A PNG consists of chunks: size, type, data, checksum. One with frames counts them before its first pixels. */
function hasPngFrames(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.readUInt32BE(at + 4);
    if (type === PNG_PIXELS) return false;
    if (type === PNG_FRAMES) return bytes.readUInt32BE(at + 8) > 1;
  }
  return false;
}

function describeRefusal(bytes: Buffer): string {
  if (looksLikeSvg(bytes)) return `SVG images are not accepted: use a ${ACCEPTED}`;
  const start = bytes.toString('latin1', 0, 16);
  const other = OTHERS.find(([, isThis]) => isThis(start));
  return other === undefined ? `This is not a ${ACCEPTED}` : `This is a ${other[0]}, not a ${ACCEPTED}`;
}

function startsWith(bytes: Buffer, offset: number, ...expected: number[]): boolean {
  return expected.every((byte, index) => bytes[offset + index] === byte);
}

/** An ISO base media file (ISO 14496-12) starts with a box `ftyp`: size, 'ftyp', major brand, version, brands. */
function hasAvifBrand(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    const brand = bytes.toString('latin1', offset, offset + 4);
    if (offset !== 12 && (brand === 'avif' || brand === 'avis')) return true;
  }
  return false;
}

/** Returns true for what may be an SVG: of a refusal it only chooses the words. Without its NULs, UTF-16 reads like ASCII. */
export function looksLikeSvg(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, SVG_WINDOW).replaceAll('\0', '').toLowerCase().includes('<svg');
}
