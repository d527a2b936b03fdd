import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`There is no package.json above ${here}`);
  return findRoot(parent);
}

/** The repository's folder, without a slash at its end: the same from the sources, their translation and the bundle. */
export const PROJECT_ROOT = findRoot(dirname(here));

/** True in built code, beside which the sources may be missing. */
export const IS_BUILT = here.startsWith(join(PROJECT_ROOT, 'dist/'));
