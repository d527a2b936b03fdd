import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { ArchiveReader } from '../../src/backup/archive-reader.js';
import { BackupError, BackupService, type RowCounts } from '../../src/backup/backup.service.js';
import { keyOf, listTables, quote } from '../../src/backup/database-catalog.js';
import { encodeManifest, readManifest, type Manifest } from '../../src/backup/manifest.js';
import { encodeTarHeader, tarPadding } from '../../src/backup/tar-header.js';
import { CONTENT_CHANNEL } from '../../src/database/content-listener.js';
import { SETTINGS_CHANNEL } from '../../src/site/site.service.js';
import { listKnownMigrations, migrate } from '../../src/database/migrate.js';
import { factsOf } from '../../src/uploads/image-files.js';
import { FolderStorage } from '../../src/uploads/storage/folder-storage.js';
import { createStorage } from '../../src/uploads/uploads.module.js';
import { onCleanup } from '../support/cleanup.js';
import { runCommandAlone } from '../support/command.js';
import { createEmptyDatabase } from '../support/database.js';
import { createInstallation, populate, readEverything, withClient } from '../support/installation.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { storageDrivers } from '../support/storages.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const yes = { confirm: () => Promise.resolve(true), isCautious: false };
const neverAsked = { confirm: () => Promise.reject(new Error('It is empty')), isCautious: true };

/** The parts of an archive, to be put together otherwise. */
interface Parts {
  manifest: Manifest;
  files: Map<string, Buffer>;
}

async function takeApart(file: string): Promise<Parts> {
  const archive = await ArchiveReader.open(file);
  const files = new Map<string, Buffer>();
  for (const name of archive.entries.keys()) files.set(name, (await archive.readSmall(name, 1e9)) ?? Buffer.of());
  const manifest = await readManifest(file, archive);
  await archive.close();
  return { manifest, files };
}

type TarFile = readonly [name: string, content: Buffer];

/** A tar archive of these files; `change` may spoil a header. */
function writeTar(files: Iterable<TarFile>, change: (header: Buffer, name: string) => void = () => undefined): string {
  const file = join(temporaryFolder(), 'made.tar');
  const blocks = [...files].flatMap(([name, content]) => {
    const header = encodeTarHeader({ name, size: content.length }, new Date());
    change(header, name);
    return [header, content, Buffer.alloc(tarPadding(content.length))];
  });
  writeFileSync(file, Buffer.concat([...blocks, Buffer.alloc(1024)]));
  return file;
}

/** The archive with another manifest, whose checksum is right. */
function withManifest({ files }: Parts, manifest: object): string {
  const { text, checksum } = encodeManifest(manifest as Manifest);
  return writeTar(new Map(files).set('manifest.json', text).set('manifest.json.sha256', checksum));
}

describe.each(fewOf(storageDrivers, ([name]) => name === 'folder'))('a backup over the %s storage', (driver, start) => {
  it('brings every row, sequence, waiting job and file back into an empty installation', async () => {
    const variables = await start();
    const source = await createInstallation(variables);
    await populate(source, driver);
    const service = new BackupService(source.config);
    const before = await readEverything(source);
    const { file, size, manifest } = await service.create();
    expect(file).toMatch(/backups\/backup-\d{8}T\d{6}Z\.tar$/);
    expect(statSync(file)).toMatchObject({ size, mode: 0o100_600 });
    expect(manifest.missingMedia).toEqual([]);
    expect(manifest.media.length).toBeGreaterThan(2);
    expect(manifest.tables.filter(({ rows }) => rows === 0)).toEqual([]);

    // One begins with a migrated database, the other with one that has nothing at all.
    const isBare = driver === 'folder';
    const target = await createInstallation({
      ...variables,
      DATA_DIR: temporaryFolder(),
      S3_BUCKET: 'another-bucket',
      ...(isBare && { DATABASE_URL: await createEmptyDatabase() }),
    });
    const restored = await new BackupService(target.config).restore(file, neverAsked);
    expect(restored).toMatchObject({ before: undefined, skipped: [], media: manifest.media.length });
    expect(await readEverything(target)).toEqual(before);
    // The mark is of what was written, and so not in it.
    expect(JSON.stringify(await readEverything(source))).toContain('backup.made');
  });
});

describe('a backup', () => {
  let source: Awaited<ReturnType<typeof createInstallation>>;
  let file: string;
  let good: Parts;

  beforeAll(async () => {
    source = await createInstallation();
    await populate(source, 'source');
    file = join(temporaryFolder(), 'site.tar');
    await new BackupService(source.config).create(file);
    good = await takeApart(file);
  });

  it('forgets no table', async () => {
    const all = await source.query<{ key: string }>(
      `select table_schema || '.' || table_name as key from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema', 'pgboss') and table_type = 'BASE TABLE'`,
    );
    const listed = await withClient(source.config.database.url, listTables);
    const keys = [...listed.map(keyOf), 'public.mikro_orm_migrations'];
    expect(keys.sort()).toEqual(all.map(({ key }) => key).sort());
    const lasting = listed.filter(({ isUnlogged }) => !isUnlogged);
    expect(good.manifest.tables.map(keyOf).sort()).toEqual([...lasting.map(keyOf), 'pgboss.job'].sort());
  });

  itSlow('leaves out what is made again, such as share images, and a restore empties it', async () => {
    const target = await createInstallation();
    await populate(target, 'target');
    const unlogged = (await withClient(target.config.database.url, listTables)).filter(({ isUnlogged }) => isUnlogged);
    expect(unlogged.map(keyOf).sort()).toEqual([
      'auth.attempts',
      'auth.rate_limits',
      'public.post_links',
      'public.search_pings',
      'public.share_images',
    ]);
    const countRows = async () => {
      const sums = unlogged.map((table) => `(select count(*) from ${quote(table)})`);
      return (await target.query<{ count: number }>(`select (${sums.join(' + ')})::int as count`))[0]?.count;
    };
    expect(await countRows()).toBe(unlogged.length);
    const service = new BackupService(target.config);
    expect(await service.restore(file, yes)).toMatchObject({ skipped: [] });
    expect(await countRows()).toBe(0);

    // Earlier versions put them into a backup.
    const content = gzipSync('/blogs/old\t2026-11-23 12:00:00+00\n');
    const facts = { rows: 1, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    const table = { schema: 'public', name: 'search_pings', file: 'tables/099-public.search_pings.copy.gz' };
    const { manifest, files } = good;
    const tables = [...manifest.tables, { ...table, columns: ['path', 'at'], ...facts }];
    const old = withManifest({ manifest, files: new Map(files).set(table.file, content) }, { ...manifest, tables });
    expect(await service.verify(old, true)).toMatchObject({ problems: [] });
    expect(await service.restore(old, yes)).toMatchObject({ skipped: [] });
    expect(await countRows()).toBe(0);
  });

  itSlow('is verified, tried out and listed', async () => {
    const service = new BackupService(source.config);
    const { problems, restored } = await service.verify(file, true);
    expect(problems).toEqual([]);
    expect(restored).toEqual(Object.fromEntries(good.manifest.tables.map((table) => [keyOf(table), table.rows])));
    const scratch = async () =>
      (
        await source.query<{ name: string }>(`select datname as name from pg_database where datname like 'scratch%'`)
      ).map(({ name }) => name);
    // Those of other tests, which run at the same time on this server, go as well.
    const left = await scratch();
    await until(async () => (await scratch()).every((name) => !left.includes(name)));

    const folder = temporaryFolder();
    writeFileSync(join(folder, 'broken.tar'), 'no backup');
    await service.create(join(folder, 'one.tar'));
    expect(await service.list(folder)).toMatchObject([
      { file: join(folder, 'one.tar'), content: { product: 'it-support-website' } },
      { file: join(folder, 'broken.tar'), content: expect.any(BackupError) },
    ]);
    await expect(service.list(join(folder, 'nowhere'))).rejects.toThrow(/nowhere is not there/);
    await expect(service.create(join(folder, 'one.tar'))).rejects.toThrow(/one\.tar is there already/);
    expect(readdirSync(folder).sort()).toEqual(['broken.tar', 'one.tar']);
  });

  it('takes the place of what there is only when that is wanted, keeps it, and tells running servers', async () => {
    const target = await createInstallation();
    await populate(target, 'target');
    const old = await readEverything(target);
    const service = new BackupService(target.config);
    let present: RowCounts = {};
    const refused = await service.restore(file, {
      confirm: (counts) => {
        present = counts;
        return Promise.resolve(false);
      },
      isCautious: true,
    });
    expect(refused).toBeNull();
    expect(present).toMatchObject({ 'public.images': 4, 'auth.users': 1 });
    expect(await readEverything(target)).toEqual(old);

    const [reader, listener] = [1, 2].map(() => new pg.Client({ connectionString: target.config.database.url }));
    await Promise.all([reader?.connect(), listener?.connect()]);
    onCleanup(async () => void (await Promise.all([reader?.end(), listener?.end()])));
    // Somebody who began to read before reads on, and does not keep the restore waiting.
    await reader?.query('begin isolation level repeatable read');
    const readSlugs = async () => (await reader?.query<{ slug: string }>('select slug from blog_posts'))?.rows;
    const slugs = await readSlugs();
    await listener?.query(`listen ${CONTENT_CHANNEL}; listen ${SETTINGS_CHANNEL}`);
    const heard = new Set<string>();
    listener?.on('notification', ({ channel }) => heard.add(channel));
    const restored = await service.restore(file, { ...yes, isCautious: true });
    // Servers drop their pages, and read the settings.
    await until(() => heard.size === 2);
    expect(await readSlugs()).toEqual(slugs);

    const { files: filesNow, ...rows } = await readEverything(target);
    // The mark of a backup is not in it.
    await source.query(`delete from site_marks where name = 'backup.made'`);
    const { files: sourceFiles, ...sourceRows } = await readEverything(source);
    expect(rows).toEqual(sourceRows);
    expect(filesNow).toEqual({ ...(old['files'] as object), ...(sourceFiles as object) });
    const before = await service.restore(restored?.before?.file ?? '', yes);
    expect(before?.media).toBe(0);
    expect({ ...(await readEverything(target)), files: old['files'] }).toEqual(old);
  });

  it('keeps what was written while a restore brought its images, and nothing of these', async () => {
    const target = await createInstallation();
    await populate(target, 'busy');
    const { files } = await readEverything(target);
    const put = jest.spyOn(FolderStorage.prototype, 'putStream');
    onCleanup(() => put.mockRestore());
    const write = () => target.query(`insert into site_marks (name, at) values ('written', now())`);
    put.mockImplementationOnce(async function (this: FolderStorage, ...file) {
      await write();
      put.mockRestore();
      await this.putStream(...file);
    });
    const restored = await new BackupService(target.config).restore(file, { ...yes, isCautious: true });
    const before = restored?.before;
    expect(before?.manifest.media.map(({ name }) => name).sort()).toEqual(Object.keys(files as object).sort());
    await new BackupService(target.config).restore(before?.file ?? '', yes);
    expect(await target.query(`select name from site_marks where name = 'written'`)).toHaveLength(1);
  });

  it('holds one moment of a site that is being written', async () => {
    const site = await createInstallation();
    let isDone = false;
    let written = 0;
    const writing = withClient(site.config.database.url, async (client) => {
      while (!isDone) {
        written += 1;
        await client.query(`with u as (insert into auth.users (aud, role) values ('a', 'b') returning id)
          insert into user_roles (user_id, role) select id, 'admin' from u`);
      }
    });
    const backups = [];
    for (const number of [1, 2, 3]) {
      const before = written;
      backups.push(await new BackupService(site.config).create(join(temporaryFolder(), `${number}.tar`)));
      await until(() => written > before + 1);
    }
    isDone = true;
    await writing;
    const counts = backups.map(({ manifest: { tables } }) =>
      ['auth.users', 'public.user_roles'].map((key) => tables.find((table) => keyOf(table) === key)?.rows),
    );
    expect(counts.every(([users, roles]) => users === roles)).toBe(true);
    expect(counts[2]?.[0]).toBeGreaterThan(counts[0]?.[0] ?? Infinity);
    expect(counts[2]?.[0]).toBeLessThanOrEqual(written);
  });

  it('of an earlier schema is brought up to date', async () => {
    const known = await listKnownMigrations();
    const url = await createEmptyDatabase();
    await migrate(url, known.slice(0, 1));
    const earlier = await createInstallation({ DATABASE_URL: url });
    await populate(earlier, 'earlier');
    const { file: archive, manifest } = await new BackupService(earlier.config).create();
    expect(manifest.migrations).toEqual(known.slice(0, 1));

    const target = await createInstallation();
    await populate(target, 'target');
    await new BackupService(target.config).restore(archive, yes);
    await migrate(url);
    const { files: _, ...rows } = await readEverything(target);
    const { files: __, ...expected } = await readEverything(earlier);
    // Migrations note when they ran.
    const timeless = (state: object) => JSON.stringify(state).replace(/\d{4}-\d\d-\d\d [\d:.]+\+00/g, 'time');
    expect(timeless(rows)).toBe(timeless(expected));
  });

  it('says which files of images had gone, and never writes over those with bytes that nobody knows', async () => {
    const site = await createInstallation();
    await populate(site, 'images');
    const storage = await createStorage(site.config.storage);
    const captions = Array.from({ length: 52 }, (_, index) => `${index.toString(16).padStart(32, '0')}.vtt`);
    for (const name of captions) await storage.put(name, Buffer.from('WEBVTT'), 'text/vtt');
    const { media } = (await new BackupService(site.config).create()).manifest;
    const [gone = '', stored = '', changed = ''] = media
      .map(({ name }) => name)
      .filter((name) => !captions.includes(name));
    await storage.delete(gone);
    const archive = await new BackupService(site.config).create(join(temporaryFolder(), 'gone.tar'));
    expect(archive.manifest.missingMedia).toEqual([gone]);
    // As programs that watch over backups hear it.
    const list = ['backup', 'list', dirname(archive.file), '--json'];
    const listed = JSON.parse((await runCommandAlone(list, site.environment)).stdout) as object[];
    expect(listed).toMatchObject([{ file: archive.file, image_files: media.length - 1, missing_image_files: 1 }]);

    const restore = () => new BackupService(site.config).restore(archive.file, yes);
    for (const name of [changed, stored]) await storage.put(name, Buffer.from('other bytes'), 'image/jpeg');
    // One whose checksum is known, and is that of neither.
    const facts = JSON.stringify({ [stored]: factsOf(Buffer.from('as it was stored')) });
    await site.query('update images set files = $1 where id = $2', [facts, stored.slice(0, 32)]);
    const before = await readEverything(site);
    await expect(restore()).rejects.toThrow(`of the backup.\n  ${stored}\n  ${changed}`);
    expect(await readEverything(site)).toEqual(before);
    for (const name of captions) await storage.put(name, Buffer.from('other words'), 'text/vtt');
    await expect(restore()).rejects.toThrow(`\n  ${captions[49]}\n  ... and 4 more`);
  });

  it('has its files again where they were made anew since, once its rows are there, and the way back has the new ones', async () => {
    const site = await createInstallation();
    await populate(site, 'remade');
    const storage = await createStorage(site.config.storage);
    const [name = ''] = Object.keys((await readEverything(site))['files'] as object).sort();
    // As a repair that makes a lost file anew of another one.
    const write = async (text: string) => {
      const bytes = Buffer.from(text);
      await storage.put(name, bytes, 'image/avif');
      const files = JSON.stringify({ [name]: factsOf(bytes) });
      await site.query('update images set files = $1 where id = $2', [files, name.slice(0, 32)]);
    };
    await write('as it was');
    const before = await readEverything(site);
    const service = new BackupService(site.config);
    const { file: archive } = await service.create(join(temporaryFolder(), 'earlier.tar'));
    await write('made anew');
    const remade = await readEverything(site);

    await site.query('alter table blog_posts add constraint takes_none check (false) not valid');
    await expect(service.restore(archive, yes)).rejects.toThrow('takes_none');
    expect(await readEverything(site)).toEqual(remade);
    await site.query('alter table blog_posts drop constraint takes_none');

    const restored = await service.restore(archive, { ...yes, isCautious: true });
    expect(restored?.media).toBe(1);
    expect(await readEverything(site)).toEqual(before);
    await service.restore(restored?.before?.file ?? '', yes);
    expect(await readEverything(site)).toEqual(remade);
  });

  it('goes when it is old, but for the last complete ones, also when all later ones lack images', async () => {
    const site = await createInstallation();
    await populate(site, 'pruned');
    const service = new BackupService(site.config);
    const folder = temporaryFolder();
    const nameOf = (hour: number) => `backup-20260101T${String(hour).padStart(2, '0')}0000Z.tar`;
    const first = await service.create(join(folder, nameOf(0)));
    const lost = first.manifest.media[0]?.name ?? '';
    const parts = await takeApart(first.file);
    for (let hour = 1; hour < 9; hour += 1) {
      // As if it were made after the others.
      const createdAt = new Date(Date.parse(first.manifest.createdAt) + hour).toISOString();
      copyFileSync(withManifest(parts, { ...parts.manifest, createdAt }), join(folder, nameOf(hour)));
    }
    copyFileSync(first.file, join(folder, 'before-the-move.tar'));
    const storage = await createStorage(site.config.storage);
    await storage.delete(lost);
    for (const hour of [9, 10]) await service.create(join(folder, nameOf(hour)));
    // One that was cut off, of the same time.
    writeFileSync(join(folder, nameOf(11)), 'cut');
    const all = readdirSync(folder);

    const prune = async (afterDays: number, isDryRun = false) => {
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + afterDays * 24 * 3_600_000);
      const pruning = await service.prune(folder, { days: 30, isDryRun });
      now.mockRestore();
      const hours = (backups: readonly { file: string }[]) =>
        backups.map(({ file }) => Number(/T(\d\d)0000Z\.tar$/.exec(file)?.[1])).sort((one, other) => one - other);
      return { removed: hours(pruning.removed), spared: hours(pruning.spared), ahead: hours(pruning.ahead) };
    };
    expect(await prune(29)).toEqual({ removed: [], spared: [], ahead: [] });
    // The clock was ahead when they were made: nobody knows how old they are, and they are not the last ones.
    expect(await prune(-400)).toEqual({ removed: [], spared: [], ahead: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] });
    const due = { removed: [0, 1, 9, 10, 11], spared: [2, 3, 4, 5, 6, 7, 8], ahead: [] };
    expect(await prune(31, true)).toEqual(due);
    expect(readdirSync(folder)).toEqual(all);
    expect(await prune(31)).toEqual(due);
    expect(readdirSync(folder)).toEqual([2, 3, 4, 5, 6, 7, 8].map(nameOf).concat('before-the-move.tar'));
    expect(await prune(4000)).toEqual({ removed: [], spared: [2, 3, 4, 5, 6, 7, 8], ahead: [] });
  });

  it('stays although it is old when nobody can look into it, and hides no others', async () => {
    const folder = temporaryFolder();
    const [unread, cut] = ['backup-20260101T000000Z.tar', 'backup-20260102T000000Z.tar'].map((name) =>
      join(folder, name),
    ) as [string, string];
    // A socket is refused to whoever opens it as a file, root too, as the file of somebody else is to everybody else.
    const socket = createServer().listen(unread);
    await once(socket, 'listening');
    onCleanup(() => void socket.close());
    writeFileSync(cut, 'cut');
    for (const file of [unread, cut]) utimesSync(file, 0, 0);
    const service = new BackupService((await createInstallation()).config);

    for (const isDryRun of [true, false]) {
      const { removed, kept } = await service.prune(folder, { days: 30, isDryRun });
      expect(removed.map(({ file }) => file)).toEqual([cut]);
      expect(kept).toEqual([{ file: unread, reason: expect.stringMatching(/cannot be read: ENXIO: [^,]+$/) }]);
    }
    expect(readdirSync(folder)).toEqual(['backup-20260101T000000Z.tar']);
    expect(await service.list(folder)).toMatchObject([{ file: unread, content: { name: 'BackupError' } }]);
  });

  itSlow(
    'that is damaged, foreign, hostile or of another version is refused by name, and nothing is touched',
    async () => {
      const target = await createInstallation();
      await populate(target, 'target');
      const old = await readEverything(target);
      const service = new BackupService(target.config);
      const bytes = readFileSync(file);
      const spoiled = (content: Buffer) => {
        const path = join(temporaryFolder(), 'spoiled.tar');
        writeFileSync(path, content);
        return path;
      };
      const flipped = (text: string) => {
        const copy = Buffer.from(bytes);
        const at = copy.indexOf(text) + (text.startsWith('tables/') ? 512 + 30 : 3);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return spoiled(copy);
      };
      const { manifest, files } = good;
      const [users] = manifest.tables.filter(({ name }) => name === 'users');
      const [roles] = manifest.tables.filter(({ name }) => name === 'user_roles');
      const withRows = (table: Manifest['tables'][number], change: (text: string) => string, rows = table.rows) => {
        const content = gzipSync(change(gunzipSync(files.get(table.file) ?? '').toString()));
        const facts = { rows, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
        const tables = manifest.tables.map((one) => (one === table ? { ...one, ...facts } : one));
        return withManifest({ manifest, files: new Map(files).set(table.file, content) }, { ...manifest, tables });
      };
      const asLink = (header: Buffer, name: string) => {
        if (name !== 'link') return;
        header[156] = '2'.charCodeAt(0);
        header.write('        ', 148);
        const sum = header.reduce((total, byte) => total + byte, 0);
        header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      };
      const cases: [path: string, reason: RegExp][] = [
        [join(temporaryFolder(), 'none.tar'), /none\.tar cannot be read: it is not there/],
        [spoiled(Buffer.of()), /is no backup: it is not a tar archive/],
        [spoiled(gzipSync(bytes)), /is no backup: it is not a tar archive/],
        ...[600, bytes.length / 2, bytes.length - 2000, bytes.length - 512].map(
          (length) => [spoiled(bytes.subarray(0, length)), /is cut off|is damaged, or no backup/] as [string, RegExp],
        ),
        [flipped(users?.file ?? ''), /users\.copy\.gz.* is damaged|is damaged: tables.*users/],
        [flipped('"createdAt"'), /is damaged: manifest\.json/],
        [writeTar([['notes.txt', Buffer.from('hello')]]), /is no backup: it has no manifest\.json/],
        [withManifest(good, { ...manifest, product: 'another' }), /is no backup of this product/],
        [
          withManifest(good, { ...manifest, format: 2, version: '9.0.0' }),
          /format 2 by version 9\.0\.0; .* format 1 only/,
        ],
        [
          withManifest(good, { ...manifest, migrations: [...manifest.migrations, 'Migration29990101000000'] }),
          /made by version .* of a later version, which has Migration2999/,
        ],
        [withManifest(good, { ...manifest, tables: {} }), /manifest\.json: tables/],
        [
          withManifest({ manifest, files: new Map([...files, ['../../etc/cron.d/evil', Buffer.from('x')]]) }, manifest),
          /has a file that no backup has: "\.\.\/\.\./,
        ],
        [
          withManifest(good, { ...manifest, media: [{ name: '../evil.png', size: 1, sha256: '0'.repeat(64) }] }),
          /"\.\.\/evil\.png" is not the name of a stored file/,
        ],
        [withManifest({ manifest, files: new Map([...files].slice(1)) }, manifest), /lacks tables\/001/],
        [writeTar([...files, ['link', Buffer.of()]], asLink), /"link" is not a plain file/],
        [writeTar([...files, ...[...files].slice(0, 1)]), /twice/],
        [withRows(users!, (text) => text + text), /has 2 rows in the backup instead of 1/],
      ];
      // What only the database can see.
      const inTransaction: [path: string, reason: RegExp][] = [
        [withRows(roles!, (text) => text.replace(/^[^\t]*/, '00000000-0000-4000-8000-000000000000')), /foreign key/],
        [withRows(users!, (text) => text + text, 2), /unique constraint/],
      ];
      for (const [path, reason] of cases) {
        await expect(service.restore(path, yes)).rejects.toThrow(reason);
      }
      expect(await readEverything(target)).toEqual(old);
      for (const [path, reason] of inTransaction) {
        await expect(service.restore(path, yes)).rejects.toThrow(reason);
      }
      // Images come before; nothing shows them, and in time they are swept.
      expect({ ...(await readEverything(target)), files: old['files'] }).toEqual(old);
      const damaged = await service.verify(flipped(users?.file ?? ''), true);
      expect(damaged).toMatchObject({ problems: [expect.stringContaining('users.copy.gz')], restored: undefined });
    },
  );
});
