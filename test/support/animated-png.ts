import { crc32 } from 'node:zlib';

/** The end of a PNG's signature and its first chunk (`IHDR`), which every PNG has. */
const HEADER_BYTES = 33;

/** Returns this PNG with the chunk of an animation (`acTL`), which says that it has so many frames. */
export function toAnimatedPng(png: Buffer, frames = 2): Buffer {
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  chunk.write('acTL', 4, 'latin1');
  chunk.writeUInt32BE(frames, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16);
  return Buffer.concat([png.subarray(0, HEADER_BYTES), chunk, png.subarray(HEADER_BYTES)]);
}
