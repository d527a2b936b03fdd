/** Headers, contents and the end of a tar archive come in blocks of so many bytes (POSIX.1-1988, ustar). */
export const TAR_BLOCK = 512;

/** A file in a tar archive. */
export interface TarEntry {
  readonly name: string;
  /** Bytes, without the padding to whole blocks. */
  readonly size: number;
}

const NAME = { start: 0, length: 100 };
const MODE = 100;
const OWNER = 108;
const GROUP = 116;
const SIZE = { start: 124, length: 12 };
const TIME = 136;
const CHECKSUM = { start: 148, length: 8 };
const TYPE = 156;
const MAGIC = 257;
const FILE_TYPE = '0'.charCodeAt(0);
/** Marks numbers that eleven octal digits cannot hold as binary (GNU, POSIX.1-2001 readers). */
const BINARY = 0x80;

/**
 * The block in front of a file's content. Files are for their owner only.
 * @throws RangeError for a name above 100 bytes
 */
export function encodeTarHeader({ name, size }: TarEntry, time: Date): Buffer {
  if (Buffer.byteLength(name) > NAME.length) throw new RangeError(`Too long for a tar archive: ${name}`);
  const block = Buffer.alloc(TAR_BLOCK);
  block.write(name, NAME.start);
  block.write('0000600\0', MODE);
  block.write('0000000\0', OWNER);
  block.write('0000000\0', GROUP);
  block.write(`${octal(Math.floor(time.getTime() / 1000), 11)}\0`, TIME);
  if (size < 8 ** 11) block.write(`${octal(size, 11)}\0`, SIZE.start);
  else {
    block[SIZE.start] = BINARY;
    block.writeBigUInt64BE(BigInt(size), SIZE.start + 4);
  }
  block[TYPE] = FILE_TYPE;
  block.write('ustar\x0000', MAGIC);
  block.write(`${octal(checksumOf(block), 6)}\0 `, CHECKSUM.start);
  return block;
}

/**
 * Reads such a block; null for one of zeros, which ends an archive.
 * @throws RangeError for anything but the header of a plain file: no folder, link or device is ever taken
 */
export function decodeTarHeader(block: Buffer): TarEntry | null {
  if (block.every((byte) => byte === 0)) return null;
  const checksum = parseInt(block.toString('latin1', CHECKSUM.start, CHECKSUM.start + CHECKSUM.length), 8);
  if (checksum !== checksumOf(block)) throw new RangeError('not a tar header');
  const name = untilZero(block.subarray(NAME.start, NAME.length));
  if (block[TYPE] !== FILE_TYPE) throw new RangeError(`${JSON.stringify(name)} is not a plain file`);
  return { name, size: decodeSize(block) };
}

/** Bytes of padding after a file of that size. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
}

function decodeSize(block: Buffer): number {
  if (block[SIZE.start] === BINARY) return Number(block.readBigUInt64BE(SIZE.start + 4));
  const digits = untilZero(block.subarray(SIZE.start, SIZE.start + SIZE.length)).trim();
  if (!/^[0-7]+$/.test(digits)) throw new RangeError('not a tar header');
  return parseInt(digits, 8);
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

/** The sum of all bytes, those of the checksum itself taken as blanks. */
function checksumOf(block: Buffer): number {
  const isChecksum = (index: number) => index >= CHECKSUM.start && index < CHECKSUM.start + CHECKSUM.length;
  return block.reduce((sum, byte, index) => sum + (isChecksum(index) ? 32 : byte), 0);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
