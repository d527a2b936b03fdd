import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SigningKeysService } from '../../src/auth/keys/signing-keys.service.js';
import { DoctorService, type Finding } from '../../src/doctor/doctor.service.js';
import { examineConfig } from '../../src/doctor/examined-config.js';
import { toAttention } from '../../src/overview/office-words.js';
import { onCleanup } from '../support/cleanup.js';
import { createDatabaseOfEncoding, createEmptyDatabase } from '../support/database.js';
import type { Variables } from '../support/environment.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { createInstallation, withClient, type Installation } from '../support/installation.js';
import { listenOnReservedPort } from '../support/reserved-port.js';
import { newTokenKey } from '../support/sign-token.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NOWHERE = '127.0.0.1:1';

let site: Installation;
let healthy: Variables;

beforeAll(async () => {
  const sink = await startSmtpSink();
  site = await createInstallation({ SMTP_URL: sink.url });
  healthy = site.environment;
  // Made, as by the first start.
  new SigningKeysService(site.config);
});

/** Looks at everything, or at what is named. */
const examine = (overrides: Variables = {}, only?: string) =>
  new DoctorService(examineConfig({ ...healthy, ...overrides })).examine(only === undefined ? only : new Set([only]));
const notOk = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'ok');
const failed = async (overrides: Variables) => notOk(await examine(overrides));

/** A way to a database that greets with process numbers of its own, as poolers do. */
async function startPooler(databaseUrl: string): Promise<URL> {
  const url = new URL(databaseUrl);
  const database = { host: url.hostname, port: Number(url.port) };
  const server = createServer((client) => {
    const service = connect(database);
    client.pipe(service).on('data', (bytes: Buffer) => {
      // BackendKeyData: its length, the number of the process, and its key.
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) bytes.writeInt32BE(bytes.readInt32BE(at + 5) + 1, at + 5);
      client.write(bytes);
    });
    for (const socket of [client, service])
      socket.on('error', () => undefined).on('close', () => [client, service].forEach((each) => each.destroy()));
  });
  url.port = String(await listenOnReservedPort(server, 0));
  url.hostname = '127.0.0.1';
  onCleanup(() => void server.close());
  return url;
}

describe('the doctor', () => {
  it('finds nothing wrong with an installation that is well, and leaves no trace', async () => {
    const findings = await examine();
    expect(notOk(findings)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'configuration',
      'node',
      'database',
      'migrations',
      'connections',
      'clock',
      'queue',
      'mail-budget',
      'images',
      'remote-images',
      'admin-factors',
      'links',
      'search-engines',
      'webhook',
      'backup',
      'setup',
      'storage',
      'mail',
      'provider',
      'encryption',
      'keys',
      'disk',
      'public-url',
      'passwords',
      'proxies',
      'site',
    ]);
    expect(findings.every(({ advice }) => advice === null)).toBe(true);
  });

  it('names every bad variable, and looks at what does not depend on them', async () => {
    const findings = await examine({ SMTP_URL: 'nonsense', PORT: 'many', STORAGE_DRIVER: 's3' });
    expect(notOk(findings)).toEqual([
      expect.objectContaining({ check: 'configuration', message: expect.stringMatching(/^PORT: must be/) }),
      expect.objectContaining({ check: 'configuration', message: expect.stringMatching(/^SMTP_URL: must be/) }),
      expect.objectContaining({
        check: 'configuration',
        message: expect.stringMatching(/^S3_ACCESS_KEY_ID: is missing/),
      }),
      expect.objectContaining({ check: 'configuration', message: expect.stringMatching(/^S3_SECRET_ACCESS_KEY: is/) }),
      expect.objectContaining({ check: 'storage', level: 'fail', advice: 'Set S3_ACCESS_KEY_ID first.' }),
      expect.objectContaining({ check: 'mail', level: 'fail', advice: 'Set SMTP_URL first.' }),
      expect.objectContaining({ check: 'encryption', level: 'fail', advice: 'Set SMTP_URL first.' }),
    ]);
    // A database that was never meant is not touched.
    const { DATABASE_URL: _, ...rest } = healthy;
    const missing = await new DoctorService(examineConfig({ ...rest, NODE_ENV: 'production' })).examine();
    expect(missing.find(({ check }) => check === 'database')).toMatchObject({ advice: 'Set DATABASE_URL first.' });
  });

  it('holds an installation with a bad variable to what production asks for', async () => {
    const findings = await examine({ NODE_ENV: 'production', PORT: 'many', PUBLIC_URL: 'http://www.example.com' });
    const levelOf = (name: string) => findings.find(({ check }) => check === name)?.level;
    expect(levelOf('configuration')).toBe('fail');
    expect(['backup', 'public-url', 'site'].map(levelOf)).toEqual(['warn', 'warn', 'warn']);
  });

  it('says where enquiries go where that is not the address of the company, whatever is written at /admin/company', async () => {
    const said = async (overrides: Variables) =>
      (await examine(overrides)).find(({ check }) => check === 'site')?.message;
    const company = { SITE_EMAIL: 'office@firm.net' };
    const there = 'enquiries are mailed to desk@firm.net (CONTACT_TO), not to office@firm.net';
    expect(await said({ ...company, CONTACT_TO: 'desk@firm.net' })).toBe(`nothing is left at an example; ${there}`);
    expect(await said({ ...company, CONTACT_TO: 'Office@firm.net' })).toBe('nothing is left at an example');
    // Beside what is wrong as well.
    expect(await said({ ...company, CONTACT_TO: 'desk@firm.net', NODE_ENV: 'production' })).toMatch(
      new RegExp(`^these are examples still: .*; ${there.replace(/[().]/g, String.raw`\$&`)}$`),
    );
  });

  it('says that mails are refused of an address that a release before took', async () => {
    const told = await createInstallation();
    await told.query(
      `insert into settings_documents (name, revision, content, version, changed_at, changed_by_kind)
       values ('company', 1, '{"email": "jörg@firm.net"}', 1, now(), 'operator')`,
    );
    const [finding] = notOk(await examine({ ...told.environment }, 'site'));
    expect(finding).toMatchObject({ check: 'site', level: 'warn', message: expect.stringContaining('jörg@firm.net') });
  });

  it('says that the system which is told of alarms takes none, until it takes one', async () => {
    const told = await createInstallation();
    const note = (state: string, error: string | null, minutesAgo: number) =>
      told.query(
        `insert into webhook_deliveries (id, type, text, body, state, attempts, last_error, created_at, last_tried_at)
         values (gen_random_uuid(), 'alarm.began', 'x', '{}', $1, 1, $2, now(), now() - make_interval(mins => $3))`,
        [state, error, minutesAgo],
      );
    const webhook = {
      NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:1/secret-path',
      NOTIFY_WEBHOOK_SECRET: 'abcdefghijklmnopqrstuvwxyz',
    };
    const find = async () => {
      const findings = await examine({ ...told.environment, ...webhook }, 'webhook');
      return findings.find(({ check }) => check === 'webhook');
    };
    expect(await find()).toMatchObject({ level: 'ok' });
    await note('failed', 'answered 404', 60);
    await note('delivered', null, 50);
    expect(await find()).toMatchObject({ level: 'ok' });
    await note('failed', 'answered 410: it wants no messages any more', 40);
    await note('waiting', 'answered 302: it leads elsewhere, which is not followed', 30);
    await note('waiting', null, 20);
    const finding = await find();
    expect(finding).toMatchObject({
      level: 'warn',
      message:
        '127.0.0.1:1 took none of the last messages (1 tried again, 1 given up): answered 302: it leads elsewhere, which is not followed',
    });
    expect(JSON.stringify(finding)).not.toContain('secret-path');
    await told.query(
      `update webhook_deliveries set state = 'delivered', last_tried_at = now() where last_error is null`,
    );
    expect(await find()).toMatchObject({ level: 'ok' });
  });

  it('names a folder of backups in which none can be made', async () => {
    const blocked = await createInstallation();
    const folder = join(blocked.config.dataDir, 'backups');
    writeFileSync(folder, '');
    const findings = await examine(blocked.environment);
    expect(findings.find(({ check }) => check === 'backup')).toMatchObject({
      level: 'warn',
      message: `${folder} is no folder: no backup can be made there`,
      hasObstacle: true,
    });
  });

  it('asks the provider that people sign in with, and names the redirect URI', async () => {
    const { issuer } = await startIdentityProvider('http://site.test/auth/v1/callback');
    const asked = async (given: string) => {
      const findings = await examine({ AUTH_OIDC_ISSUER: given, AUTH_OIDC_CLIENT_ID: 'site' });
      return findings.find(({ check }) => check === 'provider');
    };
    expect(await asked(issuer)).toMatchObject({
      level: 'ok',
      message: `${issuer} answers; its redirect URI for this site is http://site.test/auth/v1/callback`,
    });
    const other = issuer.replace('127.0.0.1', 'localhost');
    expect(await asked(other)).toMatchObject({
      level: 'fail',
      message: `${other}: its metadata name another issuer`,
      advice: expect.stringContaining('AUTH_OIDC_ISSUER'),
    });
    expect(await asked(`http://${NOWHERE}`)).toMatchObject({ level: 'fail' });
  });

  it('names patterns of addresses that admit nothing', async () => {
    const message =
      'AUTH_REDIRECT_URLS: *.app.example admits nothing: it has no scheme; put https:// or another one in front';
    expect(await failed({ AUTH_REDIRECT_URLS: 'https://app.example/**, *.app.example' })).toEqual([
      expect.objectContaining({ check: 'configuration', level: 'warn', message }),
    ]);
  });

  it('looks at everything else when the database is down, and tells no password', async () => {
    const findings = await examine({ DATABASE_URL: `postgresql://me:secret-word@${NOWHERE}/site` });
    expect(notOk(findings)).toEqual([
      expect.objectContaining({ check: 'database', level: 'fail', message: expect.stringContaining('ECONNREFUSED') }),
      ...[
        ...['migrations', 'connections', 'clock', 'queue', 'mail-budget', 'images', 'remote-images'],
        ...['admin-factors', 'links', 'search-engines', 'webhook', 'backup', 'setup'],
      ].map((check) => expect.objectContaining({ check })),
    ]);
    expect(JSON.stringify(findings)).not.toContain('secret-word');
    // An address without a host is none that a browser could read, and the driver can.
    const socket = await failed({ DATABASE_URL: 'postgresql://me@/site?host=/nowhere' });
    expect(socket).toContainEqual(
      expect.objectContaining({ check: 'database', message: expect.stringMatching(/^PostgreSQL cannot be reached: /) }),
    );
    const unreadable = await failed({ DATABASE_URL: 'postgresql://me:9f/Qk@db/site' });
    expect(unreadable).toContainEqual(
      expect.objectContaining({
        check: 'configuration',
        message: expect.stringMatching(
          /^DATABASE_URL: cannot be read as postgresql.*; in user and password, \/ is written as %2F/,
        ),
      }),
    );
    const embedded = await failed({ DATABASE_URL: 'embedded' });
    expect(embedded[0]).toMatchObject({ check: 'database', level: 'warn', message: 'there is none yet' });
    const stranger = new URL(healthy.DATABASE_URL ?? '');
    stranger.password = 'wrong';
    expect(await failed({ DATABASE_URL: stranger.href })).toContainEqual(
      expect.objectContaining({ check: 'database', advice: 'Correct user and password in DATABASE_URL.' }),
    );
  });

  it('sees a schema that is behind or ahead', async () => {
    expect(await failed({ DATABASE_URL: await createEmptyDatabase() })).toMatchObject([
      { check: 'migrations', level: 'fail', advice: 'Run: npm run cli -- db migrate' },
      { check: 'queue', level: 'fail' },
      { check: 'mail-budget', level: 'fail' },
      { check: 'images', level: 'fail' },
      { check: 'remote-images', level: 'fail' },
      { check: 'links', level: 'fail' },
      { check: 'backup', level: 'fail' },
    ]);
    const later = await createInstallation();
    await later.query(`insert into mikro_orm_migrations (name, executed_at) values ('Migration29990101000000', now())`);
    const url = { DATABASE_URL: later.environment.DATABASE_URL ?? '' };
    const note = (oldest: string) =>
      later.query(`comment on table mikro_orm_migrations is '{"version": "9.0.0", "oldest": "${oldest}"}'`);
    await note('8.0.0');
    expect(await failed(url)).toMatchObject([
      {
        check: 'migrations',
        level: 'fail',
        message: expect.stringContaining('of version 9.0.0, which has Migration2999'),
        advice: 'To start: use version 9.0.0.',
      },
    ]);
    await note('0.1.0');
    expect(await failed(url)).toMatchObject([
      { check: 'migrations', level: 'warn', message: expect.stringContaining('which can run on it') },
    ]);
  });

  it('sees connections that will run out, clocks that differ, and jobs that wait', async () => {
    expect(await failed({ DATABASE_POOL_SIZE: '200' })).toMatchObject([{ check: 'connections', level: 'fail' }]);
    // Each worker has a pool of its own.
    const [ofTwo] = (await examine({ WEB_CONCURRENCY: '2', DATABASE_POOL_SIZE: '7' })).filter(
      ({ check }) => check === 'connections',
    );
    expect(ofTwo).toMatchObject({ level: 'ok', message: expect.stringMatching(/a server needs at most 26$/) });
    expect(await failed({ WEB_CONCURRENCY: '40' })).toMatchObject([
      { check: 'connections', level: 'fail', advice: expect.stringContaining('WEB_CONCURRENCY (40)') },
    ]);

    const now = jest.spyOn(Date, 'now');
    const real = performance.timeOrigin;
    now.mockImplementation(() => real + performance.now() + 10_000);
    const behind = await examine();
    now.mockImplementation(() => real + performance.now() - 100_000);
    const ahead = await examine();
    now.mockRestore();
    expect(notOk(behind)).toMatchObject(
      [{ check: 'clock', level: 'warn', message: /behind/ }].map(({ message, ...rest }) => ({
        ...rest,
        message: expect.stringMatching(message),
      })),
    );
    expect(notOk(ahead)).toMatchObject([{ check: 'clock', level: 'fail' }]);

    const late = await createInstallation();
    const url = { DATABASE_URL: late.environment.DATABASE_URL ?? '' };
    await late.query(`select pgboss.create_queue('mail', '{"policy": "standard"}')`);
    await late.query(`insert into pgboss.job (name, start_after) values ('mail', now() + interval '1 day')`);
    expect(await failed(url)).toEqual([]);
    await late.query(`insert into pgboss.job (name, state, created_on, start_after)
      values ('mail', 'retry', now() - interval '1 hour', now() + interval '5 minutes')`);
    expect(await failed(url)).toMatchObject([
      { check: 'queue', level: 'warn', message: '1 waiting, the oldest (mail) for 60 minutes' },
    ]);
    await late.query(`update pgboss.job set created_on = now() - interval '3 days' where state = 'retry'`);
    expect(await failed(url)).toMatchObject([{ check: 'queue', level: 'fail' }]);
    await late.query(`insert into blog_posts (id, slug, title, content, author, published_date, created_at, updated_at)
      values (gen_random_uuid(), 'one', 'One', '', 'Ada', now(), now(), now())`);
    await late.query(`insert into post_links select id, version, 1, '[]', 2, now() from blog_posts`);
    expect(await failed(url)).toContainEqual(
      expect.objectContaining({ check: 'links', level: 'warn', message: '2 dead links in 1 post' }),
    );
    await late.query('delete from blog_posts');
    await late.query(`update pgboss.job set state = 'failed' where state = 'retry'`);
    expect(await failed(url)).toMatchObject(
      [{ check: 'queue', level: 'warn', message: /given up/ }].map(({ message, ...rest }) => ({
        ...rest,
        message: expect.stringMatching(message),
      })),
    );
    // The office hears nothing of mails that are under way meanwhile, but of those that wait.
    await late.query(`insert into pgboss.job (name) values ('mail')`);
    const context = { now: new Date(), timeZone: 'UTC' };
    const underWay = await failed(url);
    expect(underWay).toEqual([expect.not.objectContaining({ since: expect.anything() })]);
    expect(toAttention(underWay, context)).toEqual([]);
    await late.query(`update pgboss.job set created_on = now() - interval '16 minutes', start_after = now() - interval '16 minutes'
      where state = 'created' and start_after <= now()`);
    expect(toAttention(await failed(url), context)).toMatchObject([
      { check: 'queue', title: expect.stringMatching(/^Mail has been waiting since /) },
    ]);
  });

  it('names what lets tokens of other issuers in', async () => {
    expect(await failed({ AUTH_FOREIGN_ADMIN_TOKENS: 'true', AUTH_ADMIN_ROLES: 'service_role' })).toMatchObject([
      {
        check: 'configuration',
        level: 'warn',
        message: expect.stringMatching(/^AUTH_FOREIGN_ADMIN_TOKENS: takes tokens of service_role from any issuer/),
      },
    ]);
    expect(await failed({ AUTH_ADMIN_ROLES: 'service_role,authenticated' })).toMatchObject([
      { check: 'configuration', level: 'fail', message: 'AUTH_ADMIN_ROLES: must not name the role of everybody' },
    ]);
  });

  it('sees a database that loses letters or dates', async () => {
    const findings = await failed({ DATABASE_URL: await createDatabaseOfEncoding('SQL_ASCII') });
    expect(findings[0]).toMatchObject({
      check: 'database',
      level: 'fail',
      message: expect.stringContaining('SQL_ASCII'),
      advice: expect.stringContaining('--encoding=UTF8'),
    });
    const url = await createEmptyDatabase();
    const name = new URL(url).pathname.slice(1);
    await withClient(url, (client) => client.query(`alter database ${name} set datestyle to 'SQL, DMY'`));
    expect((await failed({ DATABASE_URL: url }))[0]).toMatchObject({
      check: 'database',
      level: 'fail',
      message: expect.stringContaining('SQL, DMY'),
      advice: expect.stringContaining(`ALTER DATABASE ${name} SET DateStyle TO ISO`),
    });
  });

  it('sees a database that takes no changes', async () => {
    const url = await createEmptyDatabase();
    const name = new URL(url).pathname.slice(1);
    await withClient(url, (client) => client.query(`alter database ${name} set default_transaction_read_only to on`));
    expect((await failed({ DATABASE_URL: url }))[0]).toMatchObject({
      check: 'database',
      level: 'fail',
      message: expect.stringMatching(/^PostgreSQL \S+ takes no changes: it is read only$/),
      advice: expect.stringContaining('default_transaction_read_only'),
    });
  });

  it('sees a pooler that nothing goes around', async () => {
    const { href } = await startPooler(healthy['DATABASE_URL'] ?? '');
    expect(await failed({ DATABASE_URL: href })).toMatchObject([
      { check: 'connections', level: 'warn', advice: expect.stringContaining('DATABASE_DIRECT_URL') },
    ]);
    expect(await failed({ DATABASE_URL: href, DATABASE_DIRECT_URL: healthy['DATABASE_URL'] })).toEqual([]);
  });

  it('asks for the folder of the data where there is none, and not for that above it', async () => {
    const closed = temporaryFolder();
    writeFileSync(join(closed, 'file'), '');
    // Below a file nobody makes a folder, not even root.
    const DATA_DIR = join(closed, 'file', 'data');
    const findings = await failed({ DATA_DIR });
    expect(findings.find(({ check }) => check === 'disk')).toMatchObject({
      message: `${DATA_DIR} does not exist, and cannot be made`,
      advice: `Make ${DATA_DIR}, and give it to the user of the server.`,
    });
  });

  it('sees a storage, a mail server and keys that cannot work', async () => {
    const blocked = temporaryFolder();
    writeFileSync(join(blocked, 'media'), 'a file where the folder should be');
    mkdirSync(join(blocked, 'data'));
    writeFileSync(join(blocked, 'data/auth-keys.json'), '{"keys": [');
    expect(await failed({ DATA_DIR: blocked })).toMatchObject([
      { check: 'storage', level: 'fail', message: expect.stringContaining('cannot be written') },
      { check: 'keys', level: 'warn', message: 'there are none yet' },
    ]);
    expect(await failed({ DATA_DIR: join(blocked, 'data') })).toMatchObject([{ check: 'keys', level: 'fail' }]);
    expect(await failed({ AUTH_JWT_KEYS: '[{"kty": "oct", "k": "c2hvcnQ", "key_ops": ["sign"]}]' })).toMatchObject([
      { check: 'keys', level: 'fail', message: expect.stringContaining('at least 32 bytes') },
    ]);
    const file = join(site.config.dataDir, 'auth-keys.json');
    const listed = await examine({ AUTH_JWT_KEYS: newTokenKey('listed').variable });
    expect(listed.find(({ check }) => check === 'keys')).toMatchObject({
      level: 'ok',
      message: `ES256 key listed signs; AUTH_JWT_ comes before the keys in ${file}`,
    });
    chmodSync(file, 0o644);
    expect(await failed({})).toMatchObject([{ check: 'keys', level: 'warn', message: `others may read ${file}` }]);
    chmodSync(file, 0o600);

    const s3 = {
      STORAGE_DRIVER: 's3',
      S3_ENDPOINT: `http://${NOWHERE}`,
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    };
    expect(await failed({ ...s3, SMTP_URL: `smtp://me:secret-word@${NOWHERE}` })).toMatchObject([
      { check: 'storage', level: 'fail', advice: expect.stringContaining('S3_ENDPOINT') },
      { check: 'mail', level: 'fail', message: `${NOWHERE} does not take us: ESOCKET` },
    ]);
  });

  itSlow('sees backups that are missing or old, examples that are left, and addresses that cannot work', async () => {
    const production = { NODE_ENV: 'production', AUTH_TOKEN_SECRET: 'generated', MAIL_CAPTURE: 'true' } as const;
    expect(await failed({ ...production, PUBLIC_URL: 'http://localhost:3000' })).toMatchObject([
      { check: 'backup', level: 'warn', message: 'no backup was made yet' },
      { check: 'mail', level: 'warn' },
      { check: 'public-url', level: 'fail' },
      {
        check: 'site',
        level: 'warn',
        message: expect.stringMatching(/ SITE_PHONE, .*SITE_CLAIM_FOUNDED, .*SITE_EMAIL/),
      },
    ]);
    await site.query(`insert into site_marks (name, at) values ('backup.made', now() - interval '9 days')`);
    expect(await failed({})).toMatchObject([
      { check: 'backup', level: 'warn', message: 'the last one is 9 days old', since: expect.stringMatching(/^2/) },
    ]);
    expect(await failed({ BACKUP_WARN_DAYS: '10' })).toEqual([]);
    expect(await failed({ BACKUP_WARN_DAYS: '0' })).toEqual([]);
    // One that the release before has made.
    mkdirSync(join(site.config.dataDir, 'backups'));
    writeFileSync(join(site.config.dataDir, 'backups/backup-20261122T000000Z.tar'), '');
    expect(await failed({ NODE_ENV: 'production', PUBLIC_URL: 'http://www.example.com' })).toMatchObject([
      { check: 'public-url', level: 'warn' },
      { check: 'site', level: 'warn' },
    ]);
    expect(await failed({ PUBLIC_URL: 'https://www.example.com/blog' })).toMatchObject([
      { check: 'public-url', level: 'fail' },
    ]);
  });
});
