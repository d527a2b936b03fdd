import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BackupService } from '../../src/backup/backup.service.js';
import { loadConfig } from '../../src/config/config.js';
import { PRODUCT_VERSION } from '../../src/config/version.js';
import { listKnownMigrations, migrate, prepareSchema } from '../../src/database/migrate.js';
import { OLDEST_COMPATIBLE, readSchemaRelease } from '../../src/database/schema-release.js';
import { runCli } from '../support/cli.js';
import { runCommandAlone } from '../support/command.js';
import { createEmptyDatabase } from '../support/database.js';
import { createInstallation, withClient, type Installation } from '../support/installation.js';
import { createReleasedDatabase } from '../support/last-release.js';
import { launchServer, startServer } from '../support/process.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const OWN = { version: PRODUCT_VERSION, oldest: OLDEST_COMPATIBLE };
const LATER = 'Migration29990101000000';

const releaseOf = (url: string) => withClient(url, readSchemaRelease);

/** An installation that a later version has brought up to date; null for one that left no note. */
async function installLater(note: { readonly version: string; readonly oldest: string } | null): Promise<Installation> {
  const site = await createInstallation({ LOG_LEVEL: 'silent' });
  await site.query(`insert into mikro_orm_migrations (name, executed_at) values ('${LATER}', now())`);
  await site.query(`comment on table mikro_orm_migrations is ${note ? `'${JSON.stringify(note)}'` : 'null'}`);
  return site;
}

describe('the schema', () => {
  it('says which version it is of and which can run on it', async () => {
    const fresh = await createEmptyDatabase();
    await migrate(fresh);
    expect(await releaseOf(fresh)).toEqual(OWN);
  });

  itSlow('says so as well once that of the last release is brought up to date, which had no note', async () => {
    const upgraded = await createReleasedDatabase();
    expect(await releaseOf(upgraded)).toBeNull();
    await migrate(upgraded);
    expect(await releaseOf(upgraded)).toEqual(OWN);
  });

  it('is brought up to date without changing a file of the clone, which would ask for a new build', async () => {
    const writtenAt = () => statSync(new URL('../../migrations/.snapshot.json', import.meta.url)).mtimeMs;
    const before = writtenAt();
    // The schema of one migration is not the one that the file tells of.
    const [first = ''] = await listKnownMigrations();
    await migrate(await createEmptyDatabase(), [first]);
    expect(writtenAt()).toBe(before);
  });

  itSlow('goes on saying so when a backup is restored over it', async () => {
    const site = await createInstallation();
    const file = join(temporaryFolder(), 'site.tar');
    await new BackupService(site.config).create(file);
    await migrate(site.config.database.url);
    await site.query(`comment on table mikro_orm_migrations is '{"version": "9.0.0", "oldest": "0.2.0"}'`);
    await new BackupService(site.config).restore(file, { confirm: async () => true, isCautious: false });
    expect(await releaseOf(site.config.database.url)).toEqual({ version: '9.0.0', oldest: '0.2.0' });
  });

  it('of a later version is refused by the start and every command, which name the version', async () => {
    const { environment } = await installLater({ version: '9.10.0', oldest: '9.9.0' });
    const refusal = new RegExp(
      `version 9\\.10\\.0, which has ${LATER}, and this is version ${PRODUCT_VERSION.replaceAll('.', '\\.')}`,
    );
    const server = await launchServer(environment).ended;
    expect(server).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) });
    expect(server.stderr).toContain('use version 9.10.0, or 9.9.0 at least.');
    const commands = ['db status', 'db migrate', 'posts list', 'users list'];
    for (const command of fewOf(commands, (name) => name === 'db migrate')) {
      const run = await runCli(command.split(' '), environment);
      expect({ command, ...run }).toMatchObject({
        command,
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(refusal),
      });
    }
  });

  itSlow('of a version that left no note is refused too', async () => {
    const { config, environment } = await installLater(null);
    await expect(prepareSchema(config, config.database.url)).rejects.toThrow(
      `is of a later version, which has ${LATER}`,
    );
    expect(await runCli(['db', 'status'], environment)).toMatchObject({ code: 2 });
  });

  it('without a migration that is unknown is refused as well where the later version says so', async () => {
    const site = await createInstallation();
    await site.query(`comment on table mikro_orm_migrations is '{"version": "9.0.0", "oldest": "9.0.0"}'`);
    await expect(prepareSchema(site.config, site.config.database.url)).rejects.toThrow('use version 9.0.0');
  });

  itSlow('of a later version on which this one can run is used, and stays of that version', async () => {
    const note = { version: '9.0.0', oldest: PRODUCT_VERSION };
    const { config, environment } = await installLater(note);
    const server = await startServer(environment);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
    const status = await runCli(['db', 'status'], environment);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(status.stdout).toContain(`The schema is of version 9.0.0; versions from ${PRODUCT_VERSION} can run on it.`);
    expect(status.stdout).toContain(LATER);
    expect(await runCli(['db', 'migrate'], environment)).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
    });
    expect(await releaseOf(config.database.url)).toEqual(note);
  });

  itSlow('that stays after a rollback is named by backups and restores, with what leads out', async () => {
    const before = await createInstallation();
    const old = join(temporaryFolder(), 'before.tar');
    expect(await runCli(['backup', 'create', old], before.environment)).toMatchObject({ code: 0 });
    const { environment } = await installLater({ version: '9.0.0', oldest: PRODUCT_VERSION });
    const since = join(temporaryFolder(), 'since.tar');
    expect(await runCli(['backup', 'create', since], environment)).toMatchObject({ code: 0, stderr: '' });

    const advice = `The schema is of version 9.0.0, which has ${LATER}, and this is version ${PRODUCT_VERSION}: use version 9.0.0`;
    const verified = await runCli(['backup', 'verify', since], environment);
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${advice}.`) });
    const refused = await runCli(['backup', 'restore', old, '--yes'], environment);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${advice}, or restore into an empty database.`),
    });
    const elsewhere = { ...environment, DATABASE_URL: await createEmptyDatabase() };
    expect(await runCli(['backup', 'restore', old], elsewhere)).toMatchObject({ code: 0, stderr: '' });
    expect(await releaseOf(elsewhere.DATABASE_URL)).toEqual(OWN);
  });

  itSlow('keeps the comment of somebody else from being taken for a note', async () => {
    const site = await createInstallation();
    await site.query(`comment on table mikro_orm_migrations is 'made by us'`);
    await prepareSchema(site.config, site.config.database.url);
    await migrate(site.config.database.url);
    expect(await releaseOf(site.config.database.url)).toEqual(OWN);
  });

  it('that lacks something says what', async () => {
    const DATABASE_URL = await createEmptyDatabase();
    const { environment } = await createInstallation({ DATABASE_URL });
    const status = await runCommandAlone(['db', 'status'], environment);
    expect(status).toMatchObject({ code: 1, stderr: '' });
    expect(status.stdout).toMatch(
      /\nmissing {2}Migration\d+\n[^]*\nmissing {2}the job queue\nRun: npm run cli -- db migrate\n$/,
    );
  });
});

describe('DATABASE_DIRECT_URL', () => {
  it('that leads to another database is refused before anything is changed there', async () => {
    const site = await createInstallation();
    const other = await createEmptyDatabase();
    const run = await runCommandAlone(['db', 'migrate'], { ...site.environment, DATABASE_DIRECT_URL: other });
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leads to another database than DATABASE_URL'),
    });
    const tables = await withClient(other, (client) =>
      client.query(`select from pg_tables where schemaname = 'public'`),
    );
    expect(tables.rowCount).toBe(0);
  });

  itSlow('that leads to another database is refused by a server that starts', async () => {
    const site = await createInstallation();
    const environment = { ...site.environment, DATABASE_DIRECT_URL: await createEmptyDatabase() };
    const server = await launchServer(environment).ended;
    expect(server).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_DIRECT_URL leads to another') });
  });

  itSlow('is where migrations go', async () => {
    const url = new URL(await createEmptyDatabase());
    const direct = new URL(url);
    direct.searchParams.set('application_name', 'direct');
    const { environment } = await createInstallation({ DATABASE_URL: url.href, DATABASE_DIRECT_URL: direct.href });
    expect(loadConfig(environment).database.directUrl).toBe(direct.href);
    expect(await runCli(['db', 'migrate'], environment)).toMatchObject({ code: 0, stderr: '' });
    expect(await releaseOf(url.href)).toEqual(OWN);
  });
});
