import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** Lines hold 40 digits, a colon and a count: less than this. */
const CHUNK_BYTES = 256;
/** Places at which a list is looked at before it is relied on. */
const SAMPLES = 64;
const LINE = /^([0-9A-F]{40})(?::\d+)?\r?$/;

/** A line of the list: its text, and where it and the next one begin, in bytes. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Looks a password up in a list of breached ones: a line of 40 hexadecimal digits each, the SHA-1 of a password, in
 * ascending order, with `:` and a count behind it or not, as Have I Been Pwned's downloader writes them. The list may be
 * larger than memory: a lookup reads some 40 places.
 * @param path the list's file
 * @throws the error of the file system, when it cannot be read
 */
export async function isBreachedPassword(path: string, password: string): Promise<boolean> {
  // The form of the list, and no secret: passwords are kept as Argon2id.
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase();
  return await withFile(path, async (file, size) => {
    let from = 0;
    let to = size;
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const line = await readLineAfter(file, middle, size);
      if (line === null || line.start >= to) {
        to = middle;
        continue;
      }
      const found = line.text.slice(0, wanted.length).toUpperCase();
      if (found === wanted) return true;
      if (found < wanted) from = line.end;
      else to = middle;
    }
    return false;
  });
}

/** Says what keeps a list of breached passwords from being relied on, as half a sentence; null when nothing does. */
export async function findListProblem(path: string): Promise<string | null> {
  try {
    return await withFile(path, async (file, size) => {
      if (size === 0) return 'is empty';
      let last = '';
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const place = Math.floor((size * sample) / SAMPLES);
        const line = await readLineAfter(file, place, size);
        if (line === null && place + CHUNK_BYTES < size) return `has no lines at byte ${place}`;
        if (line === null) break;
        const [, hash] = LINE.exec(line.text.toUpperCase()) ?? [];
        if (hash === undefined) return `has no SHA-1 of 40 hexadecimal digits at byte ${line.start}`;
        if (hash < last) return `is not in ascending order at byte ${line.start}`;
        last = hash;
      }
      return null;
    });
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

async function withFile<T>(path: string, use: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await use(file, size);
  } finally {
    await file.close();
  }
}

/** The first line that begins at this place or after it; null when there is none. */
async function readLineAfter(file: FileHandle, place: number, size: number): Promise<Line | null> {
  let start = place;
  if (place > 0) {
    // A line that begins here has its predecessor's end before it.
    const before = (await readChunk(file, place - 1)).indexOf('\n');
    if (before < 0) return null;
    start = place + before;
  }
  if (start >= size) return null;
  const text = await readChunk(file, start);
  const length = text.indexOf('\n');
  if (length < 0) return { start, end: size, text };
  return { start, end: start + length + 1, text: text.slice(0, length) };
}

async function readChunk(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
  return buffer.toString('latin1', 0, bytesRead);
}
