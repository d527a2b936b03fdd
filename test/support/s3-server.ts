import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Config } from '../../src/uploads/storage/s3-storage.js';

/** An S3 service on this machine, with no bucket in it. */
export interface S3Server {
  readonly config: S3Config;
  close(): Promise<void>;
}

/** Starts an S3 service on a free port; it answers over HTTP as a real one does, but checks no signature. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'test-s3-'));
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory });
  const { port } = await server.run();
  return {
    config: {
      driver: 's3',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'blog-images',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      forcePathStyle: true,
      publicUrl: undefined,
    },
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
