import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BackupService } from '../../src/backup/backup.service.js';
import { createStorage } from '../../src/uploads/uploads.module.js';
import { runCli } from '../support/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import {
  createInstallation,
  fingerprint,
  populate,
  readEverything,
  type Installation,
} from '../support/installation.js';
import { makeFilm } from '../support/playable-files.js';
import { startProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The bench does it twenty times, on a large site. */
const KILLS = 4;

describe('cli backup', () => {
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    app = await createTestApp();
    folder = temporaryFolder();
  });

  const titleOf = async (slug: string) => {
    const { statusCode, body } = await app.inject(`/blogs/${slug}`);
    return statusCode === 200 ? /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1] : statusCode;
  };

  it('makes and restores a backup beside a running server', async () => {
    await createPosts(app, [{ slug: 'kept', title: 'The first title' }]);
    const file = join(folder, 'site.tar');
    const created = await runCli(['backup', 'create', file], app.environment);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toMatch(
      /^\S+site\.tar\n1 post, 0 accounts, \d+ rows in \d+ tables, 0 image files; [\d.]+ kB\n$/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await createPosts(app, [{ slug: 'later' }]);
    expect(await titleOf('later')).toMatch(/^Post/);
    const unsure = await runCli(['backup', 'restore', file], app.environment);
    expect(unsure).toMatchObject({ code: 2, stdout: '' });
    // Names the database, as the settings may be those of another machine; and never its password.
    const { host, pathname } = new URL(app.environment.DATABASE_URL ?? '');
    expect(unsure.stderr).toMatch(
      new RegExp(
        String.raw`will replace .*2 public\.blog_posts.* in the database ${pathname.slice(1)} at ${host}\.\nNobody can be asked here: give --yes`,
      ),
    );
    expect(await titleOf('later')).toMatch(/^Post/);

    const restored = await runCli(['backup', 'restore', file, '--yes'], app.environment);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toMatch(
      /^Restored the state of .*\nWhat was here at \d{4}-\S+Z is in \S+before-restore-\S+\.tar\nWhat was written after that is gone\.\nNothing prunes that file: remove it when you are sure of what was restored\.\n$/,
    );
    await until(async () => (await titleOf('later')) === 404);
    expect(await titleOf('kept')).toBe('The first title');
  });

  it('leaves the folder of backups to the user of the server where root makes the first one', async () => {
    const { config, environment } = await createInstallation();
    try {
      chownSync(config.dataDir, 12_345, 12_345);
    } catch {
      // Whoever is not root, or root where there is no such user, can give nothing away: all stays theirs.
    }
    expect(await runCli(['backup', 'create'], environment)).toMatchObject({ code: 0, stderr: '' });
    const backups = join(config.dataDir, 'backups');
    const { uid, gid } = statSync(config.dataDir);
    const made = [backups, ...readdirSync(backups).map((name) => join(backups, name))];
    const owners = made.map((path) => statSync(path)).map((found) => [found.uid, found.gid]);
    expect(owners).toEqual([
      [uid, gid],
      [uid, gid],
    ]);
  });

  itSlow('checks, lists and prunes backups, and says what is none', async () => {
    const file = join(folder, 'site.tar');
    const verified = await runCli(['backup', 'verify', file, '--restore-test'], app.environment);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(
      /^OK {4}1 post.*: whole, of .*\nOK {4}restored into a database of its own: .*1 public/,
    );
    const listed = await runCli(['backup', 'list', folder, '--json'], app.environment);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ file, rows: { 'public.blog_posts': 1 }, image_files: 0 }]);

    const [old, recent] = ['backup-20200101T000000Z.tar', 'backup-20200102T000000Z.tar'].map((name) =>
      join(folder, name),
    );
    for (const each of [old, recent]) copyFileSync(file, each ?? '');
    writeFileSync(old ?? '', 'cut off');
    utimesSync(old ?? '', 0, 0);
    const would = await runCli(['backup', 'prune', folder, '--dry-run'], app.environment);
    expect(would).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Would remove 1 backup older than 30 days\n  ${old}\n`,
    });
    const pruned = await runCli(['backup', 'prune', folder], app.environment);
    expect(pruned).toMatchObject({ code: 0, stderr: '', stdout: `Removed 1 backup older than 30 days\n  ${old}\n` });
    expect([old, recent, file].map((each) => existsSync(each ?? ''))).toEqual([false, true, true]);
    const mistyped = join(folder, 'mistyped');
    expect(await runCli(['backup', 'prune', mistyped], app.environment)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `Error: ${mistyped} is not there.\n`,
    });
    expect((await runCli(['backup', 'verify', folder], app.environment)).stderr).toBe(
      `Error: ${folder} is no backup: it is a folder.\n`,
    );
    expect((await runCli(['backup', 'prune', '--days', '0'], app.environment)).stderr).toContain(
      'Give whole days, from 1.',
    );
  });
});

describe('cli backup where it cannot go on', () => {
  let site: Installation;

  beforeAll(async () => {
    site = await createInstallation();
    await populate(site, 'one');
  });

  it('leaves nothing behind when Ctrl+C ends it', async () => {
    const folder = temporaryFolder();
    const owner = new pg.Client({ connectionString: site.config.database.url });
    await owner.connect();
    try {
      await owner.query('begin; lock table blog_posts in access exclusive mode');
      const creating = startProcess(['dist/cli.js', 'backup', 'create', join(folder, 'site.tar')], site.environment);
      await until(() => readdirSync(folder).length > 0);
      expect(await creating.stop('SIGINT')).toMatchObject({ signal: 'SIGINT', stdout: '', stderr: '' });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      await owner.end();
    }
  });

  itSlow('names the file that cannot be written, also where its place is bad', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'site.tar');
    const id = 'f'.repeat(32);
    await site.query(`insert into images (id, name, source_hash, byte_size) values ($1, $2, 'x', 1)`, [
      id,
      `${id}.mp4`,
    ]);
    const storage = await createStorage(site.config.storage);
    await storage.put(`${id}.mp4`, makeFilm(1, 600_000), 'video/mp4');
    await storage.close();
    const limited = await startProcess(
      ['-c', 'ulimit -f 300 && exec "$0" "$@"', process.execPath, 'dist/cli.js', 'backup', 'create', file],
      site.environment,
      undefined,
      '',
      '/bin/sh',
    ).ended;
    expect(limited).toMatchObject({ code: 2, stdout: '' });
    expect(limited.stderr).toBe(`Error: ${file} cannot be written: EFBIG: file too large, write.\n`);
    expect(readdirSync(folder)).toEqual([]);

    writeFileSync(file, '');
    const inside = join(file, 'site.tar');
    const misplaced = await runCli(['backup', 'create', inside], site.environment);
    expect(misplaced).toMatchObject({ code: 2, stdout: '' });
    expect(misplaced.stderr).toContain(`Error: ${inside} cannot be written: `);
  });

  it('prunes what can be removed, and names the rest', async () => {
    const folder = temporaryFolder();
    const [stuck, old] = ['backup-20200101T000000Z.tar', 'backup-20200102T000000Z.tar'].map((name) =>
      join(folder, name),
    );
    // Nobody removes a folder as a file, root neither.
    mkdirSync(stuck ?? '');
    writeFileSync(old ?? '', 'cut off');
    for (const each of [stuck, old]) utimesSync(each ?? '', 0, 0);
    const pruned = await runCli(['backup', 'prune', folder, '--json'], site.environment);
    expect(pruned.code).toBe(1);
    expect(pruned.stderr).toContain(`${stuck} was not removed: `);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ removed: [old], not_removed: [{ file: stuck }] });
    expect(readdirSync(folder)).toEqual(['backup-20200101T000000Z.tar']);
  });
});

describe('a restore that is killed', () => {
  let site: Installation;
  const archives = [0, 1].map((number) => join(temporaryFolder(), `${number}.tar`));
  const states: string[] = [];

  const sessions = () =>
    site.query(`select 1 from pg_stat_activity where datname = current_database() and application_name = 'restore'`);
  const start = (archive: string) =>
    startProcess(['dist/cli.js', 'backup', 'restore', archive, '--yes', '--no-safety-backup'], site.environment);

  /** Posts enough for a restore to take its time. */
  async function makeState(seed: string, archive: string): Promise<void> {
    const made = await createInstallation();
    await populate(made, seed);
    await made.query(
      `insert into blog_posts (slug, title, author, content, published_date)
       select $1 || n, $1, 'a', repeat(md5($1 || n), 200), now() from generate_series(1, 400) n`,
      [seed],
    );
    // Before it is backed up, which leaves a mark that is in no backup.
    states.push(await fingerprint(made));
    await new BackupService(made.config).create(archive);
  }

  itSlow('leaves the old state or the new one', async () => {
    await makeState('old', archives[0] ?? '');
    await makeState('new', archives[1] ?? '');
    site = await createInstallation();
    await new BackupService(site.config).restore(archives[0] ?? '', {
      confirm: () => Promise.resolve(false),
      isCautious: false,
    });
    expect(await fingerprint(site)).toBe(states[0]);

    const undisturbed = start(archives[1] ?? '');
    await until(async () => (await sessions()).length > 0);
    const begunAt = performance.now();
    expect(await undisturbed.ended).toMatchObject({ code: 0 });
    const duration = performance.now() - begunAt;
    let current = 1;
    expect(await fingerprint(site)).toBe(states[current]);

    for (let kill = 0; kill < KILLS; kill += 1) {
      const restoring = start(archives[1 - current] ?? '');
      const { signal } = await killWithin(restoring, (duration * (kill + 0.5)) / KILLS);
      await until(async () => (await sessions()).length === 0);
      const found = states.indexOf(await fingerprint(site));
      expect(found).not.toBe(-1);
      // One that ended before the signal has restored.
      if (signal === null) expect(found).toBe(1 - current);
      current = found;
    }
    const last = await start(archives[1 - current] ?? '').ended;
    expect(last).toMatchObject({ code: 0, stderr: '' });
    expect(await fingerprint(site)).toBe(states[1 - current]);
    // Images of both states are there: nothing of either was ever written over.
    expect(Object.keys((await readEverything(site))['files'] as object)).toHaveLength(22);
  });

  async function killWithin(restoring: ReturnType<typeof startProcess>, afterMs: number) {
    let hasEnded = false;
    void restoring.ended.then(() => (hasEnded = true));
    await until(async () => hasEnded || (await sessions()).length > 0);
    // A moment is random by being timed.
    await delay(afterMs);
    return await restoring.stop('SIGKILL');
  }
});
