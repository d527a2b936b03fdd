import type { Variables } from './environment.js';
import { startS3Server } from './s3-server.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Every storage driver by name, for suites that must hold over each of them. Starting one gives the variables that
 * choose it; it is empty and ends with the tests of this file.
 */
export const storageDrivers: readonly [name: string, start: () => Promise<Variables>][] = [
  ['folder', async () => ({ STORAGE_DRIVER: 'folder', DATA_DIR: temporaryFolder() })],
  ['s3', startS3Server],
];
