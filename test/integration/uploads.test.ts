import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { MEDIA_PATH, renditionsOf, toPicture } from '../../src/shared/media.js';
import { Image } from '../../src/uploads/image.entity.js';
import { readStored } from '../../src/uploads/storage/read-stored.js';
import { STORAGE, StorageError, type Storage } from '../../src/uploads/storage/storage.js';
import { PlayableFilesService } from '../../src/uploads/playable-files.service.js';
import { UploadsService, type StoreStep } from '../../src/uploads/uploads.service.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { openDatabaseGate, type DatabaseGate } from '../support/database-gate.js';
import type { Variables } from '../support/environment.js';
import { makeFilm } from '../support/playable-files.js';
import { itSlow } from '../support/slow-tests.js';
import { storageDrivers } from '../support/storages.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** A picture that no other test uses: the colors lie so far apart that JPEG tells them apart. */
let color = 0;
function makeImage(width = 600, height = 300): Promise<Buffer> {
  const background = { r: (++color * 10) % 256, g: 80, b: 160 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Lets two go on once both have come: neither has a row before the other one writes its files. */
function meet(): (who: object) => Promise<void> {
  const both = Promise.withResolvers<void>();
  const arrived = new Set<object>();
  return async (who) => {
    if (arrived.add(who).size === 2) both.resolve();
    await both.promise;
  };
}

describe.each(storageDrivers)('uploads over the %s storage', (driver, start) => {
  /** Over the second storage, the quick tests show that it takes and gives what the first does. */
  const itOverAny = driver === 'folder' ? it : itSlow;
  let one: TestApp;
  let two: TestApp;
  let uploads: UploadsService;
  let storage: Storage;
  let variables: Variables;

  beforeAll(async () => {
    // Two processes of the product, as far as the database and the storage can tell.
    variables = await start();
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

  itOverAny('stores every rendition that the address promises, and a row', async () => {
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

  itSlow('gives the same address for the same bytes, and stores them once', async () => {
    const bytes = await makeImage();
    const first = { ...(await uploads.storeImage(bytes)), isNew: false };
    const again = await gains(async () => {
      expect(await uploads.storeImage(Buffer.from(bytes))).toEqual(first);
      expect(await two.get(UploadsService).storeImage(bytes)).toEqual(first);
    });
    expect(again).toEqual({ files: [], rows: 0 });
  });

  itOverAny('lets one of several at once win, and keeps nothing of the others', async () => {
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

  itOverAny('lets none of several at once remove what another has stored under the name of an export', async () => {
    const { name } = await uploads.storeImage(await makeImage());
    const bytes = (await readStored(storage, name))!;
    const exported = name.replace(/^.{32}/, 'e'.repeat(32));
    const arrive = meet();
    const removals = [one, two].map((app) => {
      const own = app.get<Storage>(STORAGE);
      const put = own.put.bind(own);
      jest.spyOn(own, 'put').mockImplementation(async (...file) => {
        await arrive(own);
        await put(...file);
      });
      return jest.spyOn(own, 'delete');
    });
    const gained = await gains(async () => {
      const services = [uploads, two.get(UploadsService)];
      const images = await Promise.all(services.map((service) => service.storeImage(bytes, exported)));
      expect(images.map((image) => image.name)).toEqual([exported, exported]);
      expect(images.filter(({ isNew }) => isNew)).toHaveLength(1);
    });
    expect(gained).toEqual({ files: promisedNames(MEDIA_PATH + exported), rows: 1 });
    for (const removal of removals) expect(removal).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  itSlow('says what it waits for, so that the one that hangs is named', async () => {
    const bytes = await makeImage();
    const steps: StoreStep[] = [];
    const handleStep = (step: StoreStep) => void steps.push(step);
    await uploads.storeImage(bytes, undefined, undefined, { handleStep });
    expect(steps).toEqual(['decoding', 'storage', 'database']);
    steps.length = 0;
    // The same bytes: nothing is stored, but the storage is asked.
    await uploads.storeImage(bytes, undefined, undefined, { handleStep });
    expect(steps).toEqual(['storage']);
  });

  itOverAny('leaves nothing behind when the storage fails halfway', async () => {
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

  describe('when the answer to the row is lost', () => {
    let gate: DatabaseGate;
    let far: TestApp;

    beforeAll(async () => {
      gate = await openDatabaseGate(one.config.database.url);
      far = await createTestApp({ ...variables, DATABASE_URL: gate.url });
    });

    /** Stores something whose row arrives, and of which the database cannot say so. */
    async function storeUnheard(store: () => Promise<unknown>): Promise<void> {
      const before = await countRows();
      const cut = gate.cutWhen({ from: 'client', at: /insert into (?:"\w+"\.)?"images"/i, isDelivered: true });
      await expect(store()).rejects.toMatchObject({ code: '08006' });
      await cut;
      await gate.open();
      await until(async () => (await countRows()) === before + 1);
    }

    it('keeps the files of an image, as its row promises them', async () => {
      const bytes = await makeImage();
      const { files } = await gains(() => storeUnheard(() => far.get(UploadsService).storeImage(bytes)));
      const again = await gains(async () => {
        const image = await far.get(UploadsService).storeImage(bytes);
        expect(files).toEqual(promisedNames(image.url));
      });
      expect(again).toEqual({ files: [], rows: 0 });
    });

    it('keeps a film', async () => {
      const path = join(temporaryFolder(), 'unheard.mp4');
      writeFileSync(path, makeFilm(12));
      const films = far.get(PlayableFilesService);
      const film = await films.inspect(path);
      const { files } = await gains(() => storeUnheard(() => films.store(film)));
      const again = await gains(async () =>
        expect([await films.store(film)]).toEqual(files.map((name) => MEDIA_PATH + name)),
      );
      expect(again).toEqual({ files: [], rows: 0 });
    });
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
      const opened = jest.spyOn(storage, 'open');
      const answer = await one.inject({ url, headers: { 'if-none-match': pattern.replace('%', etag) } });
      expect(answer.statusCode).toBe(304);
      // A bucket would begin to send it.
      expect(opened).not.toHaveBeenCalled();
      opened.mockRestore();
      expect(answer.rawPayload).toHaveLength(0);
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=31536000, immutable' });
    });

    it('serves it to a browser that has another', async () => {
      expect((await one.inject({ url, headers: { 'if-none-match': '"x"' } })).statusCode).toBe(200);
    });

    it('answers HEAD with the size and no body, without reading it', async () => {
      const { rawPayload } = await one.inject({ url });
      const opened = jest.spyOn(storage, 'open');
      const answer = await one.inject({ method: 'HEAD', url });
      expect(opened).not.toHaveBeenCalled();
      opened.mockRestore();
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

  describe('sound and films', () => {
    const folder = temporaryFolder();
    const write = (name: string, bytes: Buffer | string) => {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      return path;
    };
    const store = async (name: string, bytes: Buffer) => {
      const files = one.get(PlayableFilesService);
      return await files.store(await files.inspect(write(name, bytes)));
    };
    let url: string;
    const film = makeFilm(9);

    beforeAll(async () => {
      // As a Mac writes names.
      url = await store('a fi\u0301lm.mov', film);
    });

    it('are stored as they came, under a name that says the format, once', async () => {
      expect(url).toMatch(/^\/media\/[0-9a-f]{32}\.mp4$/);
      expect(await gains(async () => expect(await store('again.mp4', film)).toBe(url))).toEqual({ files: [], rows: 0 });
      const row = await one
        .get(EntityManager)
        .fork()
        .findOneOrFail(Image, { name: url.slice(MEDIA_PATH.length) });
      expect(row).toMatchObject({ kind: 'video', fileName: 'a f\u00edlm.mov', byteSize: film.length });
      await storage.delete(row.name);
      expect(await store('again.mp4', film)).toBe(url);
      expect(await storage.sizeOf(row.name)).toBe(film.length);
    });

    it('come from two processes at once as one file', async () => {
      const bytes = makeFilm(10);
      const path = write('both.mp4', bytes);
      const gained = await gains(async () => {
        const services = [one, two].map((app) => app.get(PlayableFilesService));
        const [first, second] = await Promise.all(services.map(async (each) => each.store(await each.inspect(path))));
        expect(second).toBe(first);
      });
      expect(gained).toMatchObject({ rows: 1, files: [expect.stringMatching(/\.mp4$/)] });
    });

    it('lose nothing to another process that stores them at once under the name of an export', async () => {
      const name = `${'f'.repeat(32)}.mp4`;
      const path = write(name, makeFilm(13));
      const arrive = meet();
      const removals = [one, two].map((app) => {
        const own = app.get<Storage>(STORAGE);
        const put = own.putStream.bind(own);
        jest.spyOn(own, 'putStream').mockImplementation(async (...file) => {
          await arrive(own);
          await put(...file);
        });
        return jest.spyOn(own, 'delete');
      });
      const services = [one, two].map((app) => app.get(PlayableFilesService));
      const urls = await Promise.all(services.map(async (each) => each.store(await each.inspect(path))));
      expect(urls).toEqual([MEDIA_PATH + name, MEDIA_PATH + name]);
      expect(await storage.sizeOf(name)).toBe(makeFilm(13).length);
      for (const removal of removals) expect(removal).not.toHaveBeenCalled();
      jest.restoreAllMocks();
    });

    it.each([
      ['shorter', (bytes: Buffer) => bytes.subarray(0, -1)],
      ['longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
      ['another', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(7)])],
    ])('leave nothing behind when the file is %s by then', async (_word, change) => {
      const files = one.get(PlayableFilesService);
      const path = write('changing.mp4', makeFilm(11, 200_000));
      const inspected = await files.inspect(path);
      writeFileSync(path, change(makeFilm(11, 200_000)));
      expect(await gains(() => expect(files.store(inspected)).rejects.toThrow(StorageError))).toEqual({
        files: [],
        rows: 0,
      });
    });

    it('are refused by their content, and named', async () => {
      const files = one.get(PlayableFilesService);
      await expect(files.inspect(write('page.mp4', '<html>'))).rejects.toThrow('is not sound or a film that browsers');
      await expect(files.inspect(write('a.vtt', 'a text'), true)).rejects.toThrow('is not captions in WebVTT');
      await expect(files.inspect(write('b.vtt', Buffer.alloc(1024 * 1024 + 1)), true)).rejects.toThrow('1 MB');
      await expect(files.inspect(join(folder, 'none.mp3'))).rejects.toThrow('cannot be read');
      await expect(uploads.storeImage(film)).rejects.toThrow('This is a video, not');
    });

    it.each([
      ['bytes=0-', `bytes 0-${film.length - 1}/${film.length}`, film],
      ['bytes=10-19', `bytes 10-19/${film.length}`, film.subarray(10, 20)],
      ['bytes=-5', `bytes ${film.length - 5}-${film.length - 1}/${film.length}`, film.subarray(-5)],
    ])('are served in parts: %s', async (range, contentRange, expected) => {
      for (const ifRange of [undefined, `"${url.slice(MEDIA_PATH.length)}"`]) {
        const headers = { range, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) };
        const answer = await one.inject({ url, headers });
        expect(answer.statusCode).toBe(206);
        expect(answer.rawPayload.equals(expected)).toBe(true);
        expect(answer.headers).toMatchObject({
          'content-range': contentRange,
          'content-length': String(expected.length),
          'content-type': 'video/mp4',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        });
      }
    });

    it.each([
      ['no range', {}],
      ['several', { range: 'bytes=0-1,4-5' }],
      ['one of another file', { range: 'bytes=0-1', 'if-range': '"other"' }],
      ['one of a date', { range: 'bytes=0-1', 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
      ['what is none', { range: 'bytes=5-1' }],
    ])('are served whole for %s', async (_, headers) => {
      const answer = await one.inject({ url, headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.rawPayload.equals(film)).toBe(true);
      expect(answer.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(film.length) });
      expect(answer.headers).not.toHaveProperty('content-range');
    });

    it('answer 416 beyond their end, 304 to who has them, and HEAD without reading them', async () => {
      const beyond = await one.inject({ url, headers: { range: `bytes=${film.length}-` } });
      expect(beyond.statusCode).toBe(416);
      expect(beyond.headers).toMatchObject({ 'content-range': `bytes */${film.length}` });
      expect(beyond.headers['cache-control']).not.toContain('immutable');
      const etag = `"${url.slice(MEDIA_PATH.length)}"`;
      expect((await one.inject({ url, headers: { 'if-none-match': etag, range: 'bytes=0-1' } })).statusCode).toBe(304);
      const opened = jest.spyOn(storage, 'open');
      const head = await one.inject({ method: 'HEAD', url, headers: { range: 'bytes=0-1' } });
      expect(head.statusCode).toBe(200);
      expect(head.headers).toMatchObject({ 'content-length': String(film.length), 'accept-ranges': 'bytes', etag });
      expect(head.rawPayload).toHaveLength(0);
      expect(opened).not.toHaveBeenCalled();
      const gone = `${MEDIA_PATH}${'0'.repeat(32)}.mp4`;
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await one.inject({ method, url: gone, headers: { range: 'bytes=0-1' } })).statusCode).toBe(404);
      }
    });
  });
});
