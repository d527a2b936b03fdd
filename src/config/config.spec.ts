import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ConfigError, loadConfig, readEnvironment } from './config.js';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('needs nothing for one machine', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      mode: 'development',
      server: { host: '127.0.0.1', port: 3000, publicUrl: 'http://localhost:3000' },
      dataDir: resolve('data'),
      database: { url: 'embedded' },
      storage: { driver: 'folder', folder: resolve('data/media') },
      mail: {
        from: { name: null, address: null },
        transport: { kind: 'capture', folder: resolve('data/mail') },
      },
    });
    expect(config).toMatchObject({
      site: { url: 'http://localhost:3000', showsPlaceholders: true },
      company: { values: { name: 'Your IT Team', legal_name: null, claim_founded: true }, given: [], locked: [] },
    });
  });

  it.each([
    // What openssl rand -base64 makes, and what a .env file leaves of it after a #.
    ['postgresql://site:9f/Qk+2w@db:5432/site', false],
    ['postgresql://site:what?@db/site', false],
    ['postgresql://site:9f#Qk@db/site', false],
    ['postgresql://site:9f', false],
    ['postgresql://db:54a/site', false],
    [' postgresql://site:9f%2FQk+2w@db:5432/site ', true],
    ['postgresql://site:50%@db/site', true],
    ['postgresql:///site?host=/run/postgresql', true],
    ['postgresql://site@/site?host=/run/postgresql', true],
    ['postgres://site:a b@%2Frun%2Fpostgresql/site', true],
  ])('says of the address of a database that cannot be read how to write it: %s', (url, isRead) => {
    const problem = (variable: string) =>
      `${variable}: cannot be read as postgresql://user:password@host:port/name; in user and password, / is written as ` +
      '%2F, ? as %3F and # as %23';
    expect(problemsOf({ DATABASE_URL: url })).toEqual(isRead ? [] : [problem('DATABASE_URL')]);
    const both = { DATABASE_URL: 'postgresql://pooler/site', DATABASE_DIRECT_URL: url };
    expect(problemsOf(both)).toEqual(isRead ? [] : [problem('DATABASE_DIRECT_URL')]);
    if (isRead) expect(loadConfig({ DATABASE_URL: url }).database.url).toBe(url.trim());
  });

  it.each([
    ['postgresql://site:a%FFb@db/site', false],
    ['postgresql://site@db/site%E4', false],
    ['postgresql://site:a%C3%A4b@db/site', true],
    ['postgresql://site:50%off@db/site', true],
    ['postgresql://site:50%25ff@db/site', true],
  ])('names an address of a database at which the driver would fail: %s', (url, isRead) => {
    const problem = 'DATABASE_URL: has an escape that stands for no text; a % of the password itself is written as %25';
    expect(problemsOf({ DATABASE_URL: url })).toEqual(isRead ? [] : [problem]);
  });

  it.each([
    // Host "me" and its port 12: the mails would be for whoever has that name.
    ['smtp://me:12/34@mail.example:587', false],
    ['smtp://me:12?34@mail.example:587', false],
    ['smtp://me:12#34@mail.example:587', false],
    ['smtp://me@it.example:12#34@mail.example:587', false],
    ['smtp://me@it.example:12/34@mail.example:587', false],
    ['smtp://me:9f/Qk@mail.example:587', false],
    ['smtp://me:9f', false],
    ['smtp://mail.example:587#office', false],
    ['smtp://:587', false],
    ['smtp://me:12%2F34%23%3F@mail.example:587', true],
    ['smtp://me@it.example:p@ss@mail.example:587?requireTLS=true', true],
    ['smtps://mail.example', true],
    ['smtp://[fd00::7]:25/?tls.rejectUnauthorized=false', true],
  ])('says of the address of a mail server that cannot be read how to write it: %s', (url, isRead) => {
    const problem =
      'SMTP_URL: cannot be read as smtp://user:password@host:port; in user and password, / is written as %2F, ? as %3F ' +
      'and # as %23';
    expect(problemsOf({ SMTP_URL: url })).toEqual(isRead ? [] : [problem]);
    if (isRead) expect(loadConfig({ SMTP_URL: url }).mail.transport).toEqual({ kind: 'smtp', url });
  });

  it.each([
    ['HTTPS://IT.Example', 'https://it.example'],
    ['https://it.example:443/', 'https://it.example'],
    ['http://it.example:80', 'http://it.example'],
    ['https://it.example:8443', 'https://it.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[0:0::1]:3000', 'http://[::1]:3000'],
    ['HTTPS://IT.Example:443/Blog/', 'https://it.example/Blog'],
  ])('knows the address of the site as browsers write it: %s', (given, expected) => {
    const { server, site, auth } = loadConfig({ PUBLIC_URL: given });
    expect([server.publicUrl, site.url, auth.externalUrl]).toEqual([expected, expected, `${expected}/auth/v1`]);
  });

  it('refuses one port for the site and its metrics', () => {
    expect(problemsOf({ METRICS_PORT: '3000' })).toEqual([
      'METRICS_PORT: is 3000, as PORT is by default; set another one',
    ]);
    expect(problemsOf({ PORT: '9464', METRICS_PORT: '9464' })).toEqual([
      'METRICS_PORT: is 9464, as PORT is; set another one',
    ]);
    expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  });

  it('names every wrong variable in one message, and what is wrong with it', () => {
    const problems = problemsOf({
      PORT: 'many',
      PUBLIC_URL: 'example.com',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://localhost/site',
      DATABASE_POOL_SIZE: '0',
      STORAGE_DRIVER: 'ftp',
      S3_FORCE_PATH_STYLE: 'yes',
      SMTP_URL: 'mail.example',
      MAIL_FROM: 'Us <us@it.example>\nBcc: all@it.example',
      MAIL_CAPTURE: 'maybe',
      SITE_EMAIL: 'nobody',
      SITE_TIME_ZONE: 'Pacific',
      SITE_PARTNER_URL: 'javascript:alert(1)',
    });
    expect(problems).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      'PUBLIC_URL: must be an http or https address',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      'DATABASE_URL: must be postgresql://user:password@host:port/name, or embedded',
      'DATABASE_POOL_SIZE: must be a whole number from 1 to 200',
      'STORAGE_DRIVER: must be one of folder, s3',
      'S3_FORCE_PATH_STYLE: must be true or false',
      'SMTP_URL: must be smtp://user:password@host:port or smtps://user:password@host:port',
      'MAIL_FROM: must be name@host or Name <name@host>',
      'MAIL_CAPTURE: must be true or false',
      'SITE_EMAIL: must be an email address',
      'SITE_PARTNER_URL: must be an http or https address',
      'SITE_TIME_ZONE: must be an IANA time zone such as America/Los_Angeles',
    ]);
    expect(new ConfigError(problems).message).toContain(`\n  - ${problems.join('\n  - ')}`);
  });

  it('knows zones by their names: an offset means the opposite to the database', () => {
    expect(loadConfig({ SITE_TIME_ZONE: 'Asia/Kolkata' }).site.timeZone).toBe('Asia/Kolkata');
    for (const SITE_TIME_ZONE of ['+05:30', '-08']) {
      expect(problemsOf({ SITE_TIME_ZONE })).toEqual([expect.stringMatching(/^SITE_TIME_ZONE: must be an IANA/)]);
    }
  });

  it('says nothing of the values, which may be secret', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@localhost' }).join()).not.toContain('hunter2');
  });

  it('starts production with nothing left to chance, and names what is missing beside what is wrong', () => {
    expect(problemsOf({ NODE_ENV: 'production', PORT: '-1' })).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      expect.stringMatching(/^PUBLIC_URL: is missing; /),
      expect.stringMatching(/^DATABASE_URL: is missing; /),
      expect.stringMatching(/^AUTH_JWT_KEYS: is missing; /),
      expect.stringMatching(/^AUTH_TOKEN_SECRET: is missing; /),
      expect.stringMatching(/^SMTP_URL: is missing; /),
    ]);
    // A new site asks for it at /setup, which cannot say what is locked.
    expect(problemsOf({ NODE_ENV: 'production', SITE_LOCKED: 'SITE_PHONE, SITE_EMAIL' })).toContainEqual(
      expect.stringMatching(/^SITE_EMAIL: is missing; SITE_LOCKED names it/),
    );
    const secrets = { AUTH_JWT_SECRET: 's'.repeat(32), AUTH_TOKEN_SECRET: 't'.repeat(32) };
    const config = loadConfig({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://it.example/',
      DATABASE_URL: 'embedded',
      SMTP_URL: 'smtp://mail.example',
      SITE_EMAIL: 'desk@it.example',
      ...secrets,
    });
    expect(config.auth.jwt).toMatchObject({ keys: undefined, secret: secrets.AUTH_JWT_SECRET });
    expect(config.server.publicUrl).toBe('https://it.example');
    expect(config.site.url).toBe('https://it.example');
  });

  it('has as many processes as it is told to, but one in development', () => {
    const workersOf = (count: string, NODE_ENV = 'test') =>
      loadConfig({ WEB_CONCURRENCY: count, NODE_ENV }).server.workers;
    expect(loadConfig({ NODE_ENV: 'test' }).server.workers).toBe(1);
    expect(workersOf('4')).toBe(4);
    expect(workersOf('auto')).toBe(availableParallelism());
    expect(workersOf('4', 'development')).toBe(1);
    for (const wrong of ['0', '129', 'many', '1.5']) expect(problemsOf({ WEB_CONCURRENCY: wrong })).toHaveLength(1);
  });

  it('knows a provider by issuer and client, and what belongs to it', () => {
    const provider = { AUTH_OIDC_ISSUER: 'https://login.example.com/', AUTH_OIDC_CLIENT_ID: 'site' };
    expect(loadConfig({}).auth.provider).toBeNull();
    expect(loadConfig({}).site.accounts.provider).toBeNull();
    const { auth, site } = loadConfig({ ...provider, AUTH_OIDC_PROVIDER: 'keycloak', AUTH_OIDC_NAME: 'Example' });
    expect(auth.provider).toMatchObject({ issuer: 'https://login.example.com/', id: 'keycloak', adminClaim: null });
    expect(site.accounts.provider).toEqual({ id: 'keycloak', name: 'Example' });
    const wrong: [Record<string, string>, string][] = [
      [{ AUTH_OIDC_ISSUER: provider.AUTH_OIDC_ISSUER }, 'AUTH_OIDC_CLIENT_ID: is missing'],
      [{ AUTH_OIDC_CLIENT_ID: 'site' }, 'AUTH_OIDC_ISSUER: is missing'],
      [{ AUTH_OIDC_APP_CLIENT_IDS: 'phone' }, 'AUTH_OIDC_ISSUER: is missing'],
      [{ ...provider, AUTH_OIDC_ADMIN_CLAIM: 'groups' }, 'AUTH_OIDC_ADMIN_VALUE: is missing'],
      [{ ...provider, AUTH_OIDC_ADMIN_VALUE: 'admin' }, 'AUTH_OIDC_ADMIN_CLAIM: is missing'],
      [{ ...provider, AUTH_OIDC_PROVIDER: 'made-up' }, 'AUTH_OIDC_PROVIDER: must be'],
      [{ ...provider, AUTH_OIDC_SCOPES: 'email' }, 'AUTH_OIDC_SCOPES: must have openid'],
      [{ ...provider, AUTH_OIDC_ISSUER: 'login.example.com' }, 'AUTH_OIDC_ISSUER: must be'],
    ];
    for (const [given, problem] of wrong) expect(() => loadConfig(given)).toThrow(problem);
  });

  it('needs the keys of a bucket only where there is one', () => {
    expect(problemsOf({ STORAGE_DRIVER: 's3' })).toEqual([
      'S3_ACCESS_KEY_ID: is missing; STORAGE_DRIVER is s3',
      'S3_SECRET_ACCESS_KEY: is missing; STORAGE_DRIVER is s3',
    ]);
    const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(loadConfig({ STORAGE_DRIVER: 's3', ...keys }).storage).toEqual({
      driver: 's3',
      endpoint: undefined,
      region: 'us-east-1',
      bucket: 'blog-images',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      forcePathStyle: true,
      publicUrl: undefined,
    });
  });

  it('sends mail through the server it is told of, from whom it is told', () => {
    const { mail } = loadConfig({
      SMTP_URL: 'smtps://user:pass@mail.example',
      MAIL_FROM: 'The Desk <desk@it.example>',
    });
    expect(mail).toEqual({
      from: { name: 'The Desk', address: 'desk@it.example' },
      transport: { kind: 'smtp', url: 'smtps://user:pass@mail.example' },
    });
    expect(loadConfig({ MAIL_FROM: 'desk@it.example' }).mail.from).toEqual({
      name: null,
      address: 'desk@it.example',
    });
  });

  it('keeps mails instead of sending them where it is told to, in production too', () => {
    const secrets = { AUTH_JWT_KEYS: 'generated', AUTH_TOKEN_SECRET: 'generated' };
    const own = { PUBLIC_URL: 'https://it.example', DATABASE_URL: 'embedded', SITE_EMAIL: 'desk@it.example' };
    const env = { NODE_ENV: 'production', ...own, ...secrets };
    expect(loadConfig({ ...env, MAIL_CAPTURE: 'true' }).mail.transport.kind).toBe('capture');
    expect(loadConfig({ MAIL_CAPTURE: 'true', SMTP_URL: 'smtp://mail.example' }).mail.transport.kind).toBe('capture');
  });

  it('takes an empty or blank variable for a missing one', () => {
    expect(loadConfig({ PORT: '', SITE_NAME: '  ', PUBLIC_URL: '' })).toEqual(loadConfig({}));
    const secrets = { AUTH_JWT_KEYS: 'generated', AUTH_TOKEN_SECRET: 'generated' };
    const given = { NODE_ENV: 'production', PUBLIC_URL: ' ', DATABASE_URL: 'embedded', ...secrets };
    expect(problemsOf(given)).toEqual([expect.stringMatching(/^PUBLIC_URL: /), expect.stringMatching(/^SMTP_URL: /)]);
  });

  it('sends nothing to the address of the example, or from it, in production', () => {
    const secrets = { AUTH_JWT_KEYS: 'generated', AUTH_TOKEN_SECRET: 'generated', SMTP_URL: 'smtp://mail.example' };
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://it.example', DATABASE_URL: 'embedded', ...secrets };
    const to = 'desk@it.example';
    // Where nobody says it, a new site is set up before anybody is served (src/setup).
    expect(problemsOf(env)).toEqual([]);
    expect(loadConfig({ ...env, SITE_EMAIL: to })).toMatchObject({
      company: { values: { email: to } },
      contact: { to: null },
      mail: { from: { address: null } },
    });
    const apart = loadConfig({ ...env, CONTACT_TO: to, MAIL_FROM: 'Us <us@it.example>' });
    expect(apart).toMatchObject({ contact: { to }, mail: { from: { name: 'Us', address: 'us@it.example' } } });
  });

  it('goes around a pooler where it is told to, but not around the embedded database', () => {
    const direct = { DATABASE_DIRECT_URL: 'postgresql://db:5432/site' };
    expect(loadConfig({ ...direct, DATABASE_URL: 'postgresql://pooler:6432/site' }).database).toMatchObject({
      url: 'postgresql://pooler:6432/site',
      directUrl: 'postgresql://db:5432/site',
    });
    expect(loadConfig({}).database.directUrl).toBeUndefined();
    for (const url of ['', 'embedded']) {
      expect(problemsOf({ ...direct, DATABASE_URL: url })).toEqual([
        expect.stringMatching(/^DATABASE_DIRECT_URL: is set without/),
      ]);
    }
    expect(problemsOf({ DATABASE_URL: 'postgresql://db/site', DATABASE_DIRECT_URL: 'embedded' })).toEqual([
      'DATABASE_DIRECT_URL: must be postgresql://user:password@host:port/name',
    ]);
  });

  it('puts the API of accounts where it is told to, the root too', () => {
    const pathOf = (path: string) => loadConfig({ AUTH_BASE_PATH: path }).auth.basePath;
    expect(loadConfig({}).auth).toMatchObject({ basePath: '/auth/v1', externalUrl: 'http://localhost:3000/auth/v1' });
    expect(['', '/', 'auth/v1/', '/a'].map(pathOf)).toEqual(['', '', '/auth/v1', '/a']);
    expect(loadConfig({ AUTH_BASE_PATH: '' }).auth.externalUrl).toBe('http://localhost:3000');
    expect(problemsOf({ AUTH_BASE_PATH: '//evil.example' })).toHaveLength(1);
  });

  it('reads what accounts need in lists', () => {
    const { auth } = loadConfig({
      AUTH_REDIRECT_URLS: 'https://a.example/**, http://{b,c}.example',
      AUTH_SMS_TEST_OTP: '+4912345:123456, 777=654321',
      AUTH_PASSWORD_REQUIRED_CHARACTERS: 'abc:123:\\:!',
    });
    expect(auth.redirects.map(({ text }) => text)).toEqual(['https://a.example/**', 'http://{b,c}.example']);
    expect(auth.sms.testCodes).toEqual({ '4912345': '123456', '777': '654321' });
    expect(auth.password.requiredCharacters).toEqual(['abc', '123', ':!']);
    expect(problemsOf({ AUTH_JWT_KEYS: '{}', AUTH_TOKEN_SECRET: 'short' })).toEqual([
      'AUTH_JWT_KEYS: must be a JSON list of JWKs, or generated',
      'AUTH_TOKEN_SECRET: must have at least 32 characters',
    ]);
  });

  it('tells of tokens that are so short that browsers renew them at each call', () => {
    expect(loadConfig({ AUTH_JWT_EXP: '119' }).warnings).toEqual([
      expect.stringMatching(/^AUTH_JWT_EXP: .* with 119,/),
    ]);
    expect(loadConfig({ AUTH_JWT_EXP: '120' }).warnings).toEqual([]);
  });
});

describe('readEnvironment', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('adds what the .env file says and the shell does not', () => {
    writeFileSync(join(folder, '.env'), 'PORT=4000\nSITE_NAME="From the file" # a comment\nLOG_LEVEL=warn\n');
    expect(readEnvironment({ PORT: '5000', LOG_LEVEL: '' }, folder)).toEqual({
      PORT: '5000',
      SITE_NAME: 'From the file',
      LOG_LEVEL: 'warn',
    });
  });

  it('does without the file, and tests do so always', () => {
    expect(readEnvironment({ PORT: '5000' }, folder)).toEqual({ PORT: '5000' });
    writeFileSync(join(folder, '.env'), 'PORT=4000\n');
    expect(readEnvironment({ NODE_ENV: 'test' }, folder)).toEqual({ NODE_ENV: 'test' });
  });

  it('refuses a file of which nobody can tell what it says, by its name, instead of going on without', () => {
    const file = join(folder, '.env');
    const read = () => readEnvironment({ PORT: '5000' }, folder);
    // As shells of Windows write it, in both orders of bytes.
    const inUtf16 = Buffer.from('\uFEFFPORT=4000\r\n', 'utf16le');
    for (const bytes of [inUtf16, Buffer.from(inUtf16).swap16()]) {
      writeFileSync(file, bytes);
      expect(read).toThrow(new ConfigError([`.env: ${file} is in UTF-16; save it as UTF-8`]));
    }
    const other = temporaryFolder();
    mkdirSync(join(other, '.env'));
    expect(() => readEnvironment({}, other)).toThrow(`.env: ${join(other, '.env')} is a folder, and has to be a file`);
    const third = temporaryFolder();
    // Refused to root as well, who may read whatever is a file.
    symlinkSync('/proc/self/mem', join(third, '.env'));
    expect(() => readEnvironment({}, third)).toThrow(`.env: ${join(third, '.env')} cannot be read (EIO)`);
    // Tests do without all of them.
    expect(readEnvironment({ NODE_ENV: 'test' }, folder)).toEqual({ NODE_ENV: 'test' });
  });
});

describe('the key for search engines', () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.it-team.com',
    DATABASE_URL: 'embedded',
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    MAIL_CAPTURE: 'true',
    SITE_EMAIL: 'desk@it-team.com',
  };

  it('must be one that they accept', () => {
    for (const INDEXNOW_KEY of ['short', 'with/slash-in-it', 'x'.repeat(129), 'ümlaute-sind-keine']) {
      expect(problemsOf({ INDEXNOW_KEY })).toEqual(['INDEXNOW_KEY: must be 8 to 128 letters, digits and dashes']);
    }
  });

  it('works in production, where they can reach the site, and says so elsewhere', () => {
    const INDEXNOW_KEY = 'a-key-of-this-site';
    expect(loadConfig({ ...production, INDEXNOW_KEY })).toMatchObject({
      indexNow: { key: INDEXNOW_KEY, endpoint: 'https://api.indexnow.org/indexnow' },
      warnings: [],
    });
    expect(loadConfig(production)).toMatchObject({ indexNow: null, warnings: [] });
    expect(loadConfig({ INDEXNOW_KEY })).toMatchObject({
      indexNow: null,
      warnings: ['INDEXNOW_KEY: does nothing outside of production'],
    });
    for (const host of ['localhost:3000', '192.168.1.2', '[::1]:80', 'site.internal', 'intranet', 'site.test']) {
      const config = loadConfig({ ...production, PUBLIC_URL: `http://${host}`, INDEXNOW_KEY });
      expect([config.indexNow, config.warnings.length]).toEqual([null, 1]);
    }
  });

  it('notices names that are ours but for a slip, and leaves those of others alone', () => {
    const slips = { SMTP_ULR: 'x', SHUTDOWN_DELY: '5', TRUSTED_PROXY: 'loopback', AUTH_TOKEN_SECRETFILE: '/x' };
    const others = {
      LANG: 'C',
      LC_ALL: 'C',
      NODE_PATH: '/x',
      NODE_OPTIONS: '',
      POSTGRES_PASSWORD: 'x',
      XDG_DATA_DIRS: '/x',
    };
    expect(loadConfig({ ...slips, ...others }).warnings).toEqual([
      'SMTP_ULR: nobody reads it; SMTP_URL may be meant',
      'SHUTDOWN_DELY: nobody reads it; SHUTDOWN_DELAY may be meant',
      'TRUSTED_PROXY: nobody reads it; TRUSTED_PROXIES may be meant',
      'AUTH_TOKEN_SECRETFILE: nobody reads it; AUTH_TOKEN_SECRET_FILE may be meant',
    ]);
    // Who set both had the other one in mind.
    expect(loadConfig({ SHUTDOWN_DELY: '5', SHUTDOWN_DELAY: '5' }).warnings).toEqual([]);
  });
});
