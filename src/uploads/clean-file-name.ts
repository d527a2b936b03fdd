import { cleanLine } from '../shared/clean-characters.js';
import { FILE_NAME_MAX } from '../shared/limits.js';

/** The name of a file as it is kept: one line, and composed (decision 56), as a Mac sends letters and their accents apart. */
export function cleanFileName(name: string): string {
  return cleanLine(name.normalize('NFC'), FILE_NAME_MAX);
}
