import { readFileSync } from 'node:fs';

/** Texts in a configuration of docs/operations, and their replacements here. */
export type Changes = readonly (readonly [printed: string | RegExp, here: string])[];

/** Returns a printed configuration with the ports and folders of a test; each of the changes has to apply. */
export function adaptFile(file: string, changes: Changes): string {
  return changes.reduce(
    (text, [printed, here]) => {
      const changed = text.replaceAll(typeof printed === 'string' ? printed : new RegExp(printed, 'g'), here);
      if (changed === text) throw new Error(`${file} does not say ${String(printed)} any more`);
      return changed;
    },
    readFileSync(file, 'utf8'),
  );
}
