import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageConfig } from '../../src/config/config.js';
import { startS3Server } from './s3-server.js';

/** An empty place for images, for one test file. */
export interface TestStorage {
  readonly config: StorageConfig;
  close(): Promise<void>;
}

/** Every storage driver by name, for suites that must hold over each of them. */
export const storageDrivers: readonly [name: string, start: () => Promise<TestStorage>][] = [
  ['folder', startFolder],
  ['s3', startS3Server],
];

async function startFolder(): Promise<TestStorage> {
  const parent = await mkdtemp(join(tmpdir(), 'test-media-'));
  // The driver makes the folder itself.
  const config = { driver: 'folder', folder: join(parent, 'media') } as const;
  return { config, close: () => rm(parent, { recursive: true }) };
}
