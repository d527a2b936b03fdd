import { readFile } from 'node:fs/promises';

/**
 * Reads a file that an argument names.
 * @throws Error that names it, of a folder too, of which the system says no name
 */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new Error(`${path} is a folder`, { cause: error });
    throw error;
  }
}

/**
 * Returns the text that bytes are, without the mark that some programs put before it.
 * @param name of where they are from, for people
 * @throws Error when they are not in UTF-8: read as if they were, each letter beyond ASCII would be lost
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${name} is not in UTF-8`, { cause: error });
  }
}

/** Reads a text in UTF-8 that an argument names. @throws Error that names the file */
export async function readText(path: string): Promise<string> {
  return decodeText(await readBytes(path), path);
}
