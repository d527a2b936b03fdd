/** Bands of the 63 coefficients, and bits of each: with the first scan 99, of which libraries read no more than 100. */
const BANDS = 7;
const BITS = 14;
/** Blocks that one code of 15 bits skips at most. */
const RUN = 32_767;

/** Marks of the start and the end of a file. */
const [START, END] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];

/**
 * A gray JPEG that is small and right, and takes seconds to decode: each of its 99 scans goes over all of its pixels
 * again and changes none (ITU T.81, annex G).
 * @param side pixels, divisible by 8
 */
export function makeSlowJpeg(side: number): Buffer {
  const nothing = repeatRun(Math.ceil((side / 8) ** 2 / RUN));
  const scans = Array.from({ length: BANDS * BITS }, (_, index) => {
    const [first, bit] = [1 + Math.floor(index / BITS) * 9, BITS - 1 - (index % BITS)];
    return scan([1], [first, first + 8], bit === BITS - 1 ? 0 : bit + 1, bit, nothing);
  });
  return Buffer.concat([...begin(side, [1]), ...scans, END]);
}

/** A JPEG in color whose one scan is followed by none, although there might be more: all of it is kept in memory. */
export function makeHeavyJpeg(side: number): Buffer {
  return Buffer.concat([...begin(side, [1, 2, 3]), END]);
}

/** The head, and a scan that says that all of it has one color. */
function begin(side: number, components: readonly number[]): Buffer[] {
  const size = [side >> 8, side & 255];
  const blocks = (side / 8) ** 2 * components.length;
  return [
    START,
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, ...size, ...size, components.length, ...components.flatMap((id) => [id, 0x11, 0])]),
    // One code of one bit each: no difference to the block before, and 'nothing in the next blocks'.
    segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0x00]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0xe0]),
    scan(components, [0, 0], 0, 0, Buffer.alloc(Math.ceil(blocks / 8))),
  ];
}

function segment(marker: number, body: readonly number[]): Buffer {
  const length = body.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...body]);
}

function scan(
  components: readonly number[],
  band: readonly [number, number],
  high: number,
  low: number,
  data: Buffer,
): Buffer {
  const head = [components.length, ...components.flatMap((id) => [id, 0]), ...band, high * 16 + low];
  return Buffer.concat([segment(0xda, head), data]);
}

/** A zero and fourteen ones, so often; what is left of the last byte is filled with ones. */
function repeatRun(count: number): Buffer {
  const bits = '011111111111111'.repeat(count).padEnd(Math.ceil((count * 15) / 8) * 8, '1');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}
