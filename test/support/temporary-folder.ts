import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from './cleanup.js';

/** A new empty folder, removed when the tests of this file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-test-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
