import { RefusedError } from '../import.errors.js';

/**
 * The value that was cut out of a larger text. A key `__proto__` in it is a key like any other.
 * @throws RefusedError when it is none, not UTF-8, or has a problem already
 */
export function parseSlice(slice: { readonly bytes: Buffer | null; readonly problem: string | null }): unknown {
  if (slice.bytes === null) throw new RefusedError([slice.problem ?? 'it cannot be read']);
  const text = decode(slice.bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new RefusedError([`it is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`]);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedError(['it holds bytes that are not UTF-8']);
  }
}
