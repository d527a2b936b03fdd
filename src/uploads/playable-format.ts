import type { FileHandle } from 'node:fs/promises';
import type { PlayableExtension } from '../shared/media-files.js';

/** Bytes at the beginning in which formats say what they are. */
const HEAD = 64 * 1024;
/** Bytes of the description of an MP4 in which its tracks are looked for. */
const DESCRIPTION = 4 * 1024 * 1024;
/** Boxes of an MP4 that are looked at: films that are cut into fragments have thousands. */
const MAX_BOXES = 100_000;
/** Brands of ISO files (ISO 14496-12) that are pictures, or films that few browsers play. */
const OTHER_BRANDS = /^(?:avi[fs]|hei[cfsmx]|hev[cmsx]|mif1|msf1|crx |jp2 |jxl |qt {2})$/;

/** Part of an open file. Shorter than asked for at its end. */
type ReadAt = (position: number, length: number) => Promise<Buffer>;

/**
 * Finds out what a file is by what is in it, whatever it is called: one of the formats that browsers play. Null for
 * anything else, and for an MP4 that is cut off.
 * @param size bytes of the file
 */
export async function detectPlayable(file: FileHandle, size: number): Promise<PlayableExtension | null> {
  const readAt: ReadAt = async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  const head = await readAt(0, Math.min(HEAD, size));
  const start = head.toString('latin1', 0, 12);
  if (start.slice(4, 8) === 'ftyp') return OTHER_BRANDS.test(start.slice(8, 12)) ? null : await readIso(readAt, size);
  if (start.startsWith('OggS')) return readOgg(head);
  if (start.startsWith('\x1a\x45\xdf\xa3')) return readWebm(head);
  if (start.startsWith('RIFF') && start.endsWith('WAVE')) return 'wav';
  if (start.startsWith('fLaC')) return 'flac';
  return (await isMp3(readAt, head)) ? 'mp3' : null;
}

/** Returns true for captions: WebVTT in UTF-8. */
export function isCaptions(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  return /^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(text) && !text.includes('\0');
}

/** Walks over the boxes of an MP4: all of them have to be whole, and one has to describe the tracks. */
async function readIso(readAt: ReadAt, total: number): Promise<'mp4' | 'm4a' | null> {
  let hasPicture: boolean | null = null;
  let at = 0;
  for (let count = 0; at < total && count < MAX_BOXES; count += 1) {
    const header = await readAt(at, 16);
    if (header.length < 8) return null;
    const short = header.readUInt32BE(0);
    if (short === 1 && header.length < 16) return null;
    const size = short === 0 ? total - at : short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (size < 8 || at + size > total) return null;
    if (header.toString('latin1', 4, 8) === 'moov') {
      hasPicture = (await readAt(at, Math.min(size, DESCRIPTION))).includes('vide', 0, 'latin1');
    }
    at += size;
  }
  if (hasPicture === null) return null;
  return hasPicture ? 'mp4' : 'm4a';
}

/** RFC 3533: the first pages name the codecs. */
function readOgg(head: Buffer): 'ogg' | 'ogv' | null {
  if (head.includes('\x80theora', 0, 'latin1')) return 'ogv';
  return ['\x01vorbis', 'OpusHead', '\x7fFLAC'].some((codec) => head.includes(codec, 0, 'latin1')) ? 'ogg' : null;
}

/** The container is Matroska's, which browsers play only as WebM. */
function readWebm(head: Buffer): 'webm' | 'weba' | null {
  if (!head.subarray(0, 64).includes('webm', 0, 'latin1')) return null;
  return /V_(?:VP8|VP9|AV1)/.test(head.toString('latin1')) ? 'webm' : 'weba';
}

/** Two frames in a row, as other files too have the sign of one; in front there may be a tag with a picture in it. */
async function isMp3(readAt: ReadAt, head: Buffer): Promise<boolean> {
  const hasTag = head.toString('latin1', 0, 3) === 'ID3' && head.length >= 10;
  const tagSize = hasTag ? 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0) : 0;
  const begin = await readAt(tagSize, 8192);
  const first = begin.findIndex((byte, at) => byte === 0xff && frameLength(begin.subarray(at)) > 0);
  // Without a tag nothing but a frame may stand at the beginning; behind one, blanks may.
  if (first < 0 || (!hasTag && first > 0)) return false;
  const length = frameLength(begin.subarray(first));
  const next = await readAt(tagSize + first + length, 4);
  return frameLength(next) > 0 || (hasTag && next.length < 4);
}

/** Bytes of the frame of MPEG audio, layer III, that begins here; 0 if none does. */
function frameLength(bytes: Buffer): number {
  if (bytes.length < 4 || bytes[0] !== 0xff) return 0;
  const [, second = 0, third = 0] = bytes;
  const version = (second >> 3) & 3;
  const [bits, rate] = [third >> 4, (third >> 2) & 3];
  if ((second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return 0;
  if (bits === 0 || bits === 15 || rate === 3) return 0;
  const isFirst = version === 3;
  const kilobits = (isFirst ? RATES_1 : RATES_2)[bits] ?? 0;
  const hertz = ([44_100, 48_000, 32_000][rate] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4);
  return Math.floor(((isFirst ? 144_000 : 72_000) * kilobits) / hertz) + ((third >> 1) & 1);
}

/** Kilobits a second, by their number: of MPEG 1, and of MPEG 2 and 2.5. */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
