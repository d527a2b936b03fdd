import { mkdir, open, readdir, writeFile, type FileHandle } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '../../src/config/config.js';
import { FolderStorage } from '../../src/uploads/storage/folder-storage.js';
import { S3Storage, type S3Config } from '../../src/uploads/storage/s3-storage.js';
import { StorageError, type Storage } from '../../src/uploads/storage/storage.js';
import { createStorage } from '../../src/uploads/uploads.module.js';
import type { Variables } from '../support/environment.js';
import { startS3Server } from '../support/s3-server.js';
import { storageDrivers } from '../support/storages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 256));

async function namesIn(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of storage.list()) names.push(key);
  return names.sort();
}

describe.each(storageDrivers)('the %s storage', (_, start) => {
  let storage: Storage;

  beforeAll(async () => {
    storage = await createStorage(loadConfig(await start()).storage);
  });

  afterAll(() => storage.close());

  it('is empty before its folder or bucket exists', async () => {
    expect(await namesIn(storage)).toEqual([]);
    expect(await storage.open('none.png')).toBeNull();
    await storage.delete('none.png');
  });

  it('gives back what was put in, byte for byte', async () => {
    // Together, although the first must make the folder or bucket.
    await Promise.all(['a.png', 'b.png', 'c.png'].map((key) => storage.put(key, BYTES, 'image/png')));
    const file = await storage.open('b.png');
    expect(file?.size).toBe(BYTES.length);
    expect((await buffer(file?.stream ?? Readable.from([]))).equals(BYTES)).toBe(true);
    expect(await namesIn(storage)).toEqual(['a.png', 'b.png', 'c.png']);
    // A bucket counts in seconds.
    for await (const { storedAt } of storage.list()) expect(Date.now() - storedAt.getTime()).toBeLessThan(60_000);
  });

  it('forgets what was deleted, and deletes twice without complaint', async () => {
    await storage.put('gone.png', BYTES, 'image/png');
    await storage.delete('gone.png');
    await storage.delete('gone.png');
    expect(await storage.open('gone.png')).toBeNull();
    expect(await namesIn(storage)).not.toContain('gone.png');
  });

  it.each([
    '',
    '.',
    '..',
    '../a.png',
    'a/b.png',
    'a\\b.png',
    '/etc/passwd',
    '.hidden.png',
    'a.png\0',
    'a png',
    'A.PNG',
  ])('refuses the key %j everywhere', async (key) => {
    await expect(storage.put(key, BYTES, 'image/png')).rejects.toThrow(StorageError);
    await expect(storage.open(key)).rejects.toThrow(StorageError);
    await expect(storage.delete(key)).rejects.toThrow(StorageError);
  });
});

describe('the folder storage', () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('leaves no temporary file, also when a file cannot be stored', async () => {
    const storage = new FolderStorage(folder);
    await storage.put('a.png', BYTES);
    // A folder in the way makes the last step fail.
    await mkdir(join(folder, 'b.png'));
    await expect(storage.put('b.png', BYTES)).rejects.toThrow(`The image folder ${folder} cannot be written`);
    expect(await readdir(folder)).toEqual(['a.png', 'b.png']);
  });

  it('has file and name on the disk before it says so: a power cut takes neither away', async () => {
    const probe = await open(folder);
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const { sync } = handles;
    const flushed: string[] = [];
    const spy = jest.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
      flushed.push((await this.stat()).isDirectory() ? (await readdir(folder)).join() : 'the bytes');
      await sync.call(this);
    });
    await new FolderStorage(folder).put('a.png', BYTES);
    spy.mockRestore();
    expect(flushed).toEqual(['the bytes', 'a.png']);
  });

  it('says which folder cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const storage = new FolderStorage(join(folder, 'file'));
    await expect(storage.put('a.png', BYTES)).rejects.toThrow(`The image folder ${join(folder, 'file')}`);
  });

  it('does not list what is still being written, and removes it once it is old', async () => {
    const storage = new FolderStorage(folder);
    await writeFile(join(folder, '.incoming-1'), 'half');
    await writeFile(join(folder, '.other'), 'not ours');
    expect(await namesIn(storage)).toEqual([]);
    await storage.deleteUnfinished(new Date(Date.now() - 60_000));
    expect(await readdir(folder)).toEqual(['.incoming-1', '.other']);
    await storage.deleteUnfinished(new Date(Date.now() + 60_000));
    expect(await readdir(folder)).toEqual(['.other']);
  });
});

describe('the S3 storage', () => {
  let variables: Variables;

  beforeAll(async () => {
    variables = await startS3Server();
  });

  it('stores files as browsers need them when they read the bucket directly', async () => {
    const storage = openS3(variables);
    await storage.put('a.avif', BYTES, 'image/avif');
    const answer = await fetch(`${variables.S3_ENDPOINT}/blog-images/a.avif`);
    expect(answer.headers.get('content-type')).toBe('image/avif');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.from(await answer.arrayBuffer()).equals(BYTES)).toBe(true);
    await storage.close();
  });

  it('lists more files than fit into one answer', async () => {
    // The service of the other tests cannot do this itself: it fails to make the token of the next page.
    const paging = await startServer(200, (url) =>
      url.searchParams.get('continuation-token') === 'next/1'
        ? '<ListBucketResult><Contents><Key>c.png</Key></Contents></ListBucketResult>'
        : '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>next/1</NextContinuationToken>' +
          '<Contents><Key>a.png</Key></Contents><Contents><Key>b.png</Key></Contents></ListBucketResult>',
    );
    const storage = openS3({ ...variables, S3_ENDPOINT: addressOf(paging) });
    expect(await namesIn(storage)).toEqual(['a.png', 'b.png', 'c.png']);
    await storage.close();
    paging.close();
  });

  it('ends where the last answer has an empty place for the next one', async () => {
    const closing = await startServer(200, (url) =>
      url.searchParams.has('continuation-token')
        ? '<ListBucketResult><Contents><Key>asked-again.png</Key></Contents></ListBucketResult>'
        : '<ListBucketResult><IsTruncated>false</IsTruncated><NextContinuationToken/>' +
          '<Contents><Key>a.png</Key></Contents></ListBucketResult>',
    );
    const storage = openS3({ ...variables, S3_ENDPOINT: addressOf(closing) });
    expect(await namesIn(storage)).toEqual(['a.png']);
    await storage.close();
    closing.close();
  });

  it('says where the service was looked for when it cannot be reached', async () => {
    // A port for programs of the system, where none listens.
    const gone = 'http://127.0.0.1:1';
    const storage = openS3({ ...variables, S3_ENDPOINT: gone });
    const message = `The image storage (bucket blog-images at ${gone}) cannot be reached: `;
    await expect(storage.put('a.png', BYTES, 'image/png')).rejects.toThrow(message);
    await expect(storage.open('a.png')).rejects.toThrow(message);
    await storage.close();
  });

  it('says why the service refused', async () => {
    const refusing = await startServer(
      403,
      () => '<Error><Code>AccessDenied</Code><Message>Not for you</Message></Error>',
    );
    const storage = openS3({ ...variables, S3_ENDPOINT: addressOf(refusing) });
    await expect(storage.put('a.png', BYTES, 'image/png')).rejects.toThrow('refused: AccessDenied: Not for you');
    await storage.close();
    refusing.close();
  });
});

function openS3(variables: Variables): S3Storage {
  return new S3Storage(loadConfig(variables).storage as S3Config);
}

/** Answers every request in the words of S3. */
async function startServer(status: number, bodyFor: (url: URL) => string): Promise<Server> {
  const server = createServer((request, response) => {
    const body = bodyFor(new URL(request.url ?? '/', 'http://localhost'));
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/xml' }).end(body));
  });
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
