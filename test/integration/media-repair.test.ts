import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { MEDIA_PATH, renditionsOf } from '../../src/shared/media.js';
import { Clock } from '../../src/shared/clock.js';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { examineConfig } from '../../src/doctor/examined-config.js';
import { Image } from '../../src/uploads/image.entity.js';
import { MediaCheckService, type LackingImage } from '../../src/uploads/media-check.service.js';
import { MediaRepairService } from '../../src/uploads/media-repair.service.js';
import { MediaUpkeep } from '../../src/uploads/media-upkeep.js';
import { readStored } from '../../src/uploads/storage/read-stored.js';
import { STORAGE, type Storage } from '../../src/uploads/storage/storage.js';
import { PlayableFilesService } from '../../src/uploads/playable-files.service.js';
import { UploadsService, type StoredImage } from '../../src/uploads/uploads.service.js';
import { onCleanup } from '../support/cleanup.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { makeFilm } from '../support/playable-files.js';
import { installLastRelease } from '../support/last-release.js';
import { runCli } from '../support/cli.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { storageDrivers } from '../support/storages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let color = 0;
/** A picture that no other test uses. */
function makeImage(width = 600): Promise<Buffer> {
  const background = { r: (++color * 12) % 256, g: 60, b: 120 };
  return sharp({ create: { width, height: 40, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

const filesOf = (image: { readonly name: string }) => renditionsOf(image.name).map(({ name }) => name);

describe.each(fewOf(storageDrivers, ([name]) => name === 'folder'))('the stored images of a %s', (_driver, start) => {
  let app: TestApp;
  let storage: Storage;
  let checker: MediaCheckService;
  let repairer: MediaRepairService;

  beforeAll(async () => {
    app = await createTestApp(await start());
    storage = app.get<Storage>(STORAGE);
    checker = app.get(MediaCheckService);
    repairer = app.get(MediaRepairService);
  });

  const em = () => app.get(EntityManager).fork();
  const store = async () => await app.get(UploadsService).storeImage(await makeImage());
  const read = async (name: string) => (await readStored(storage, name))?.toString('base64');
  const lose = async (...names: string[]) => await Promise.all(names.map((name) => storage.delete(name)));

  async function check(isQuick = false) {
    const found: LackingImage[] = [];
    const result = await checker.check({ isQuick, handleLacking: (image) => void found.push(image) });
    expect(found).toHaveLength(result.lacking);
    return found.map(({ name, missing, damaged }) => ({ name, missing, damaged }));
  }

  /** Restores what the command finds at the end: nothing may be left for other tests. */
  async function restore(image: StoredImage, files: ReadonlyMap<string, Buffer>): Promise<void> {
    for (const name of filesOf(image)) await storage.put(name, files.get(name)!, 'image/jpeg');
    await em().nativeUpdate(Image, { name: image.name }, { files: null });
    expect(await check()).toEqual([]);
  }

  async function keep(image: StoredImage): Promise<Map<string, Buffer>> {
    return new Map(
      await Promise.all(filesOf(image).map(async (name) => [name, (await readStored(storage, name))!] as const)),
    );
  }

  it('are whole after uploads, and a file that is lost, cut or altered is named', async () => {
    const image = await store();
    expect(await check()).toEqual([]);
    const files = await keep(image);
    const [fallback, first, second] = filesOf(image) as [string, string, string];
    await lose(first);
    await storage.put(second, files.get(second)!.subarray(0, 50), 'image/avif');
    const altered = Buffer.from(files.get(fallback)!);
    altered[altered.length - 3]! ^= 1;
    await storage.put(fallback, altered, 'image/jpeg');
    expect(await check()).toEqual([{ name: image.name, missing: [first], damaged: [fallback, second] }]);
    // Without reading, a byte that changed is not seen.
    expect(await check(true)).toEqual([{ name: image.name, missing: [first], damaged: [second] }]);
    await restore(image, files);
  });

  itSlow('from before checksums were kept are learned once they are found whole, and not before', async () => {
    const image = await store();
    const row = await em().findOneOrFail(Image, { name: image.name });
    await em().nativeUpdate(Image, { id: row.id }, { files: null });
    const files = await keep(image);
    const [fallback, first] = filesOf(image) as [string, string];
    await storage.put(first, files.get(first)!.subarray(0, -20), 'image/avif');
    const found = [{ name: image.name, missing: [], damaged: [first] }];
    expect(await check()).toEqual(found);
    expect(await check(true)).toEqual(found);
    expect((await em().findOneOrFail(Image, { id: row.id })).files).toBeNull();
    await storage.put(first, files.get(first)!, 'image/avif');
    expect(await check()).toEqual([]);
    expect((await em().findOneOrFail(Image, { id: row.id })).files).toEqual(row.files);
    const altered = Buffer.from(files.get(fallback)!);
    altered[altered.length - 3]! ^= 1;
    await storage.put(fallback, altered, 'image/jpeg');
    expect(await check()).toEqual([{ name: image.name, missing: [], damaged: [fallback] }]);
    await storage.put(fallback, files.get(fallback)!, 'image/jpeg');
  });

  it('lose nothing to a check or a repair: files of an upload under way belong to nobody yet, and are left alone', async () => {
    const name = `${'b'.repeat(32)}-8x8.png`;
    await storage.put(name, Buffer.from('half an upload'), 'image/png');
    expect((await checker.check()).left).toEqual([]);
    expect(await repairer.repair()).toMatchObject({ lacking: 0, left: [] });
    jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 2 * 3_600_000));
    expect((await checker.check()).left).toEqual(['b'.repeat(32)]);
    expect(await storage.sizeOf(name)).toBe(14);
    await storage.delete(name);
  });

  it('get their smaller renditions again from the largest one', async () => {
    const image = await store();
    const [fallback, ...others] = filesOf(image) as [string, ...string[]];
    const before = await read(fallback);
    await lose(...others);
    const dry = await repairer.repair({ isDryRun: true });
    expect(dry).toMatchObject({ lacking: 1, repaired: 1 });
    expect(await check(true)).toHaveLength(1);
    expect(await repairer.repair()).toMatchObject({ lacking: 1, repaired: 1 });
    expect(await check()).toEqual([]);
    expect(await read(fallback)).toBe(before);
    expect((await app.inject(MEDIA_PATH + others[0]!)).statusCode).toBe(200);
  });

  itSlow('come back when the same picture is handed in again', async () => {
    const bytes = await makeImage();
    const image = await app.get(UploadsService).storeImage(bytes);
    const before = await keep(image);
    await lose(...filesOf(image));
    expect(await check(true)).toHaveLength(1);
    const again = await app.get(UploadsService).storeImage(bytes);
    expect(again).toEqual({ ...image, isNew: false });
    expect(await keep(image)).toEqual(before);
    expect(await check()).toEqual([]);
  });

  itSlow('come back out of a backup, byte for byte, by the commands, which say what is lost until then', async () => {
    const [image, other] = [await store(), await store()];
    const before = await keep(image);
    const source = join(temporaryFolder(), 'film.mp4');
    writeFileSync(source, makeFilm());
    const films = app.get(PlayableFilesService);
    const film = (await films.store(await films.inspect(source))).slice(MEDIA_PATH.length);
    rmSync(source);
    const archive = join(temporaryFolder(), 'site.tar');
    const made = await runCli(['backup', 'create', archive], app.environment);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    await lose(...filesOf(image), filesOf(other)[1]!);
    const altered = makeFilm();
    altered[100]! ^= 1;
    await storage.put(film, altered, 'video/mp4');

    const checked = await runCommand(app, ['media', 'check']);
    expect(checked.code).toBe(1);
    for (const name of filesOf(image)) expect(checked.stdout).toContain(`missing  ${name}\n`);
    expect(checked.stdout).toContain(`damaged  ${film}\n`);
    expect(checked.stdout).toContain('3 lacking files\n');
    const incomplete = join(temporaryFolder(), 'incomplete.tar');
    const lacking = await runCli(['backup', 'create', incomplete], app.environment);
    expect(lacking.code).toBe(1);
    expect(lacking.stderr).toContain('This backup is INCOMPLETE: the storage had lost');
    expect(lacking.stderr).toContain(`\n  missing  ${image.name}\n`);
    const verified = await runCli(['backup', 'verify', incomplete], app.environment);
    expect(verified).toMatchObject({ code: 1, stderr: expect.stringContaining('INCOMPLETE') });
    expect(
      JSON.parse((await runCli(['backup', 'verify', incomplete, '--json'], app.environment)).stdout),
    ).toMatchObject({
      isWhole: true,
      isComplete: false,
    });

    const repaired = await runCommand(app, ['media', 'repair', '--from-backup', archive, '--json']);
    expect(repaired.code).toBe(0);
    expect(JSON.parse(repaired.stdout)).toMatchObject({ isDryRun: false, repaired: 3, left: [] });
    expect(await read(film)).toBe(makeFilm().toString('base64'));
    const listed = await runCommand(app, ['media', 'list', '--kind', 'video', '--unused', '--json']);
    expect(JSON.parse(listed.stdout)).toEqual([
      expect.objectContaining({ name: film, file_name: 'film.mp4', bytes: makeFilm().length, kind: 'video', uses: [] }),
    ]);
    const table = (await runCommand(app, ['media', 'list'])).stdout;
    expect(table).toMatch(new RegExp(`^video +3.1 kB +${film} +film.mp4 +not used$`, 'm'));
    expect(table).toMatch(new RegExp(`^image .*${image.name}`, 'm'));
    expect(await keep(image)).toEqual(before);
    expect(await runCommand(app, ['media', 'check'])).toMatchObject({ code: 0, stderr: '' });
    expect((await runCli(['backup', 'verify', archive], app.environment)).code).toBe(0);
  });

  it('that nothing can bring back stay named', async () => {
    const image = await store();
    const files = await keep(image);
    await lose(image.name);
    const repaired = await runCommand(app, ['media', 'repair']);
    expect(repaired).toMatchObject({ code: 1, stderr: '' });
    expect(repaired.stdout).toContain(`lost      ${image.name} of ${image.name}\n`);
    await restore(image, files);
  });

  it('that are gone are counted by the doctor, the daily check and the health details', async () => {
    const examine = async () => {
      const findings = await new DoctorService(examineConfig(app.environment)).examine(new Set(['images']));
      return findings[0];
    };
    const details = async () => (await app.inject('/api/health/details')).json<{ media: object | null }>().media;
    expect(await examine()).toMatchObject({ level: 'ok' });
    const image = await store();
    const files = await keep(image);
    await lose(filesOf(image)[2]!);
    expect(await examine()).toMatchObject({
      level: 'fail',
      message: expect.stringMatching(/^1 of \d+ images lack files/),
      advice: expect.stringContaining('media repair'),
    });
    await app.get(MediaUpkeep).sweepAlone();
    expect(await details()).toEqual({ lacking: 1, images: await em().count(Image), checked_at: expect.any(String) });
    await restore(image, files);
    expect(await details()).toMatchObject({ lacking: 0 });
  });
});

describe('images that were imported', () => {
  let app: TestApp;
  let folder: string;

  const loseAll = () => rmSync(join(app.config.dataDir, 'media'), { recursive: true });
  const lacking = async () => (await app.get(MediaCheckService).check({ isQuick: true })).lacking;

  itSlow(
    'come back with a second import although no post has changed, and with a repair from where they came',
    async () => {
      app = await createTestApp();
      folder = temporaryFolder();
      const remote = await makeImage();
      const site = createServer((_request, response) => response.end(remote)).listen(0, '127.0.0.1');
      await once(site, 'listening');
      onCleanup(() => site.close().closeAllConnections());
      const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/far.jpg`;
      mkdirSync(join(folder, 'blog'));
      writeFileSync(join(folder, 'blog/near.jpg'), await makeImage());
      const text = `---\ntitle: A\ndate: 2024-01-01\npublished: true\n---\n![Near](near.jpg) ![Far](${address})\n`;
      writeFileSync(join(folder, 'blog/a.md'), text);
      const run = async (isDryRun = false) =>
        (await importPosts(app, join(folder, 'blog'), { source: 'test', privateHosts: ['127.0.0.1'], isDryRun }))
          .items[0];

      expect(await run()).toMatchObject({ outcome: 'created', warnings: [] });
      expect(await run()).toMatchObject({ outcome: 'unchanged', warnings: [] });
      loseAll();
      expect(await lacking()).toBe(2);
      expect(await run(true)).toMatchObject({ outcome: 'unchanged', warnings: [expect.stringContaining('would be')] });
      expect(await lacking()).toBe(2);
      expect(await run()).toMatchObject({
        outcome: 'unchanged',
        warnings: ['files of 2 images of it were lost and are brought back'],
      });
      expect(await lacking()).toBe(0);
      expect(await run()).toMatchObject({ outcome: 'unchanged', warnings: [] });

      loseAll();
      const private_ = ['media', 'repair', '--json'];
      const partly = await runCommand(app, private_);
      expect(partly.code).toBe(1);
      expect(JSON.parse(partly.stdout)).toMatchObject({ repaired: 1 });
      const whole = await runCommand(app, ['media', 'repair', '--allow-private-host', '127.0.0.1']);
      expect(whole).toMatchObject({ code: 0, stderr: '' });
      expect(whole.stdout).toContain('from where it was imported from');
      expect(await lacking()).toBe(0);
    },
  );

  itSlow('as drawings (SVG) are drawn once more by a repair', async () => {
    const own = await createTestApp();
    const blog = temporaryFolder();
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle r="20" fill="teal"/></svg>';
    writeFileSync(join(blog, 'drawing.svg'), drawing);
    writeFileSync(join(blog, 'a.md'), '---\ntitle: A\ndate: 2024-01-01\n---\n![Drawing](drawing.svg)\n');
    expect((await importPosts(own, blog, { source: 'test' })).items).toMatchObject([{ outcome: 'created' }]);
    rmSync(join(own.config.dataDir, 'media'), { recursive: true });
    const { code, stdout } = await runCommand(own, ['media', 'repair', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { images: 1, repaired: 1 }]);
    expect((await own.get(MediaCheckService).check()).lacking).toBe(0);
  });

  itSlow('do not come back as another picture that lies there by now', async () => {
    writeFileSync(join(folder, 'blog/near.jpg'), await makeImage());
    loseAll();
    const { code, stdout } = await runCommand(app, ['media', 'repair', '--no-fetch']);
    expect(code).toBe(1);
    expect(stdout).toContain('0 repaired, 2 lost');
  });
});

itSlow('images of the last release are found whole when it was brought up to date', async () => {
  const site = await installLastRelease();
  expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0 });
  const checked = await runCli(['media', 'check', '--json'], site.environment);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(checked.stdout)).toEqual({ images: 2, lacking: [], left: [] });
  const [row] = await site.query<{ files: Record<string, object>; name: string }>('select name, files from images');
  expect(Object.keys(row!.files).sort()).toEqual(filesOf(row!).sort());
  const first = join(site.config.dataDir, 'media', row!.name);
  writeFileSync(first, readFileSync(first).subarray(1));
  expect((await runCli(['media', 'check'], site.environment)).code).toBe(1);
});
