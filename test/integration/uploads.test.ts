import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { MEDIA_PATH, renditionsOf, toPicture } from '../../src/shared/media.js';
import { Image } from '../../src/uploads/image.entity.js';
import { STORAGE, StorageError, type Storage } from '../../src/uploads/storage/storage.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { storageDrivers } from '../support/storages.js';

/** A picture that no other test uses: the colors lie so far apart that JPEG tells them apart. */
let color = 0;
function makeImage(width = 600, height = 300): Promise<Buffer> {
  const background = { r: (++color * 10) % 256, g: 80, b: 160 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

describe.each(storageDrivers)('uploads over the %s storage', (_, start) => {
  let one: TestApp;
  let two: TestApp;
  let uploads: UploadsService;
  let storage: Storage;

  beforeAll(async () => {
    // Two processes of the product, as far as the database and the storage can tell.
    const variables = await start();
    one = await createTestApp(variables);
    two = await createTestApp({ ...variables, DATABASE_URL: one.config.database.url });
    uploads = one.get(UploadsService);
    storage = one.get<Storage>(STORAGE);
  });

  async function storedNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const { key } of storage.list()) names.push(key);
    return names.sort();
  }

  const countRows = () => one.get(EntityManager).fork().count(Image);

  /** Returns the files and the number of rows that an action has added. */
  async function gains(action: () => Promise<unknown>): Promise<{ files: string[]; rows: number }> {
    const [names, rows] = [await storedNames(), await countRows()];
    await action();
    return {
      files: (await storedNames()).filter((name) => !names.includes(name)),
      rows: (await countRows()) - rows,
    };
  }

  const promisedNames = (url: string) =>
    renditionsOf(url.slice(MEDIA_PATH.length))
      .map((rendition) => rendition.name)
      .sort();

  it('stores every rendition that the address promises, and a row', async () => {
    const bytes = await makeImage();
    const image = await uploads.storeImage(bytes);
    expect(image).toEqual({
      url: expect.stringMatching(/^\/media\/[0-9a-f]{32}-600x300\.jpg$/),
      width: 600,
      height: 300,
      isAnimated: false,
      name: image.url.slice(MEDIA_PATH.length),
      bytes: expect.any(Number),
      isNew: true,
    });
    const names = promisedNames(image.url);
    expect(names).toHaveLength(5);
    expect(await storedNames()).toEqual(expect.arrayContaining(names));
    const row = await one
      .get(EntityManager)
      .fork()
      .findOneOrFail(Image, { name: image.url.slice(MEDIA_PATH.length) });
    expect(image.url).toContain(row.id);
    expect(row.byteSize).toBeGreaterThan(bytes.length);
    expect(row.byteSize).toBe(image.bytes);
  });

  it('gives the same address for the same bytes, and stores them once', async () => {
    const bytes = await makeImage();
    const first = { ...(await uploads.storeImage(bytes)), isNew: false };
    const again = await gains(async () => {
      expect(await uploads.storeImage(Buffer.from(bytes))).toEqual(first);
      expect(await two.get(UploadsService).storeImage(bytes)).toEqual(first);
    });
    expect(again).toEqual({ files: [], rows: 0 });
  });

  it('lets one of several at once win, and keeps nothing of the others', async () => {
    const bytes = await makeImage();
    let urls: string[] = [];
    const gained = await gains(async () => {
      const services = [uploads, two.get(UploadsService), uploads, two.get(UploadsService)];
      const images = await Promise.all(services.map((service) => service.storeImage(bytes)));
      expect(images.filter(({ isNew }) => isNew)).toHaveLength(1);
      urls = images.map((image) => image.url);
    });
    expect(new Set(urls).size).toBe(1);
    expect(gained).toEqual({ files: promisedNames(urls[0] ?? ''), rows: 1 });
  });

  it('leaves nothing behind when the storage fails halfway', async () => {
    const bytes = await makeImage();
    const put = storage.put.bind(storage);
    let calls = 0;
    const spy = jest.spyOn(storage, 'put').mockImplementation(async (...file) => {
      if (++calls === 3) throw new StorageError('The disk is full');
      await put(...file);
    });
    const gained = await gains(() => expect(uploads.storeImage(bytes)).rejects.toThrow('The disk is full'));
    expect(calls).toBeGreaterThan(3);
    expect(gained).toEqual({ files: [], rows: 0 });
    spy.mockRestore();
    expect((await gains(() => uploads.storeImage(bytes))).rows).toBe(1);
  });

  it('leaves nothing behind when the row cannot be written', async () => {
    const em = one.get(EntityManager).fork();
    await em.execute('alter table images add constraint none_more check (byte_size < 0) not valid');
    const bytes = await makeImage();
    const gained = await gains(() => expect(uploads.storeImage(bytes)).rejects.toThrow('none_more'));
    await em.execute('alter table images drop constraint none_more');
    expect(gained).toEqual({ files: [], rows: 0 });
  });

  it.each([
    ['image_empty', async () => Buffer.alloc(0)],
    ['image_unsupported', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['image_damaged', async () => (await makeImage()).subarray(0, 400)],
    ['image_too_large', async () => Buffer.alloc(5 * 1024 * 1024)],
  ])('refuses with %s, storing nothing', async (code, make) => {
    const bytes = await make();
    const gained = await gains(async () => {
      await expect(uploads.storeImage(bytes)).rejects.toMatchObject({ name: 'ImageRejectedError', code });
      await expect(uploads.inspectImage(bytes)).rejects.toMatchObject({ name: 'ImageRejectedError', code });
    });
    expect(gained).toEqual({ files: [], rows: 0 });
  });

  it('inspects an image without storing it', async () => {
    const gained = await gains(async () =>
      expect(await uploads.inspectImage(await makeImage())).toEqual({
        format: 'jpeg',
        width: 600,
        height: 300,
        isAnimated: false,
      }),
    );
    expect(gained).toEqual({ files: [], rows: 0 });
  });

  describe('GET /media', () => {
    let url: string;

    beforeAll(async () => {
      ({ url } = await uploads.storeImage(await makeImage()));
    });

    it('serves every rendition, to be kept for ever', async () => {
      for (const { name, width, contentType } of renditionsOf(url.slice(MEDIA_PATH.length))) {
        const answer = await one.inject({ url: MEDIA_PATH + name });
        expect(answer.statusCode).toBe(200);
        expect(answer.headers).toMatchObject({
          'content-type': contentType,
          'content-length': String(answer.rawPayload.length),
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${name}"`,
          'x-content-type-options': 'nosniff',
        });
        expect((await sharp(answer.rawPayload, { failOn: 'warning' }).metadata()).width).toBe(width);
      }
    });

    it('serves the sources of a picture from another process too', async () => {
      const picture = toPicture(url, two.get(UploadsService).publicBase);
      const addresses = picture?.sources.flatMap(({ srcset }) => srcset.match(/\/\S+/g) ?? []) ?? [];
      expect(addresses).toHaveLength(4);
      for (const address of addresses) expect((await two.inject({ url: address })).statusCode).toBe(200);
    });

    it.each(['"x", W/%', '%', '*'])('answers 304 to a browser that has it: %s', async (pattern) => {
      const etag = `"${url.slice(MEDIA_PATH.length)}"`;
      const answer = await one.inject({ url, headers: { 'if-none-match': pattern.replace('%', etag) } });
      expect(answer.statusCode).toBe(304);
      expect(answer.rawPayload).toHaveLength(0);
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=31536000, immutable' });
    });

    it('serves it to a browser that has another', async () => {
      expect((await one.inject({ url, headers: { 'if-none-match': '"x"' } })).statusCode).toBe(200);
    });

    it('answers HEAD with the size and no body', async () => {
      const { rawPayload } = await one.inject({ url });
      const answer = await one.inject({ method: 'HEAD', url });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-length']).toBe(String(rawPayload.length));
      expect(answer.rawPayload).toHaveLength(0);
    });

    it.each([
      `${'0'.repeat(32)}-600x300.jpg`,
      'photo.jpg',
      '..%2F..%2Fpackage.json',
      '%2e%2e%2fpostgres',
      '.incoming-1',
      'a%00.jpg',
    ])('answers 404 to %s, not to be kept', async (name) => {
      for (const headers of [{}, { 'if-none-match': '*' }]) {
        const answer = await one.inject({ url: MEDIA_PATH + name, headers });
        expect(answer.statusCode).toBe(404);
        expect(answer.json()).toMatchObject({ code: 'not_found' });
        expect(answer.headers['cache-control']).not.toContain('immutable');
      }
    });
  });
});
