import S3rver from 's3rver';
import { onCleanup } from './cleanup.js';
import type { Variables } from './environment.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Starts an S3 service on a free port, with no bucket in it; it ends with the tests of this file. It answers over HTTP
 * as a real one does, but checks no signature.
 * @returns the variables that lead the product to it
 */
export async function startS3Server() {
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: temporaryFolder() });
  const { port } = await server.run();
  onCleanup(() => server.close());
  return {
    STORAGE_DRIVER: 's3',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  } satisfies Variables;
}
