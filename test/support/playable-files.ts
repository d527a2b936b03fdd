/** A box of an MP4: its size, its kind, its content. */
function box(kind: string, content: Buffer | string): Buffer {
  const body = Buffer.from(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** Bytes that are told from others: equal for equal seeds. */
function fill(size: number, seed: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, index) => (index * 31 + seed * 7) % 251));
}

/** A film as far as its boxes say so; no browser would show a picture of it. */
export function makeFilm(seed = 1, size = 3000, brand = 'isom'): Buffer {
  const start = box('ftyp', `${brand}\0\0\x02\0isomavc1`);
  return Buffer.concat([start, box('mdat', fill(size, seed)), box('moov', 'trak mdia hdlr vide')]);
}

/** The same without a picture. */
export function makeSound(seed = 1): Buffer {
  return Buffer.concat([
    box('ftyp', 'M4A \0\0\x02\0'),
    box('moov', 'trak mdia hdlr soun'),
    box('mdat', fill(500, seed)),
  ]);
}

/** Frames of MPEG audio, layer III, 128 kilobits a second, at 44,100 hertz; with or without a tag in front. */
export function makeMp3(seed = 1, tag = Buffer.alloc(0)): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), fill(413, seed).map((byte) => byte & 0x7f)]);
  return Buffer.concat([tag, frame, frame, frame]);
}

/** One second of silence, which browsers do play. */
export function makeWav(hertz = 8000): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + hertz, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(hertz, 24);
  head.writeUInt32LE(hertz, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(hertz, 40);
  return Buffer.concat([head, Buffer.alloc(hertz, 128)]);
}
