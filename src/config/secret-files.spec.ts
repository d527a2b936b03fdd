import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ConfigError, loadConfig, readEnvironment } from './config.js';
import { environmentSchema } from './environment.js';
import { fileVariableOf, secretVariables } from './secret-files.js';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('a secret in a file', () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  function write(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  it('is read without the end of its line, and nothing else is taken from it', () => {
    const config = loadConfig({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://it.example',
      SITE_EMAIL: 'desk@it.example',
      DATABASE_URL_FILE: write('database', 'postgresql://site:p%20w@db/site\n'),
      DATABASE_DIRECT_URL_FILE: write('direct', 'postgresql://site@db:5433/site\r\n'),
      SMTP_URL_FILE: write('smtp', 'smtp://me:pass@mail.example'),
      AUTH_JWT_SECRET_FILE: write('jwt', `  ${'s'.repeat(32)} \n\n`),
      AUTH_TOKEN_SECRET_FILE: write('token', 't'.repeat(32)),
      STORAGE_DRIVER: 's3',
      S3_ACCESS_KEY_ID_FILE: write('id', 'key\n'),
      S3_SECRET_ACCESS_KEY_FILE: write('key', 'secret\n'),
    });
    expect(config).toMatchObject({
      database: { url: 'postgresql://site:p%20w@db/site', directUrl: 'postgresql://site@db:5433/site' },
      mail: { transport: { kind: 'smtp', url: 'smtp://me:pass@mail.example' } },
      auth: { jwt: { keys: undefined, secret: `  ${'s'.repeat(32)} ` }, tokenSecret: 't'.repeat(32) },
      storage: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
  });

  it('is the same whichever editor has written it, and refused where it is no text', () => {
    const secret = 's'.repeat(32);
    const jwt = write('jwt', `\uFEFF${secret}\r\n`);
    expect(loadConfig({ AUTH_JWT_SECRET_FILE: jwt }).auth.jwt.secret).toBe(secret);
    for (const bytes of [
      Buffer.from(`\uFEFF${secret}`, 'utf16le'),
      Buffer.from(`\uFEFF${secret}`, 'utf16le').swap16(),
    ]) {
      writeFileSync(jwt, bytes);
      expect(problemsOf({ AUTH_JWT_SECRET_FILE: jwt })).toEqual([
        'AUTH_JWT_SECRET_FILE: names a file in UTF-16; save it as UTF-8',
      ]);
    }
    writeFileSync(join(folder, '.env'), '\uFEFFPORT=4000\r\nHOST=::1\r\n');
    expect(readEnvironment({}, folder)).toEqual({ PORT: '4000', HOST: '::1' });
  });

  it('is refused by name when it is there twice, empty, out of reach or wrong, all in one message', () => {
    const url = write('database', 'mysql://root:hunter2@db');
    expect(
      problemsOf({
        DATABASE_URL_FILE: url,
        SMTP_URL: 'smtp://mail.example',
        SMTP_URL_FILE: write('smtp', 'smtp://mail.example'),
        AUTH_JWT_SECRET_FILE: write('jwt', ' \n'),
        AUTH_TOKEN_SECRET_FILE: join(folder, 'nowhere'),
        AUTH_JWT_KEYS_FILE: folder,
      }),
    ).toEqual([
      'DATABASE_URL: must be postgresql://user:password@host:port/name, or embedded (read from DATABASE_URL_FILE)',
      'AUTH_JWT_KEYS_FILE: names a file that cannot be read (EISDIR)',
      'AUTH_JWT_SECRET_FILE: names a file that is empty',
      'AUTH_TOKEN_SECRET_FILE: names a file that cannot be read (ENOENT)',
      'SMTP_URL_FILE: is set, and so is SMTP_URL; set one of them',
    ]);
  });

  it('that cannot be read is not called missing as well', () => {
    const nowhere = join(folder, 'nowhere');
    const files = Object.fromEntries(secretVariables.map((name) => [fileVariableOf(name), nowhere]));
    const problems = problemsOf({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://it.example',
      CONTACT_TO: 'a@b.example',
      MAIL_FROM: 'a@b.example',
      STORAGE_DRIVER: 's3',
      ...files,
    });
    expect(problems).toEqual(secretVariables.map((name) => `${name}_FILE: names a file that cannot be read (ENOENT)`));
  });

  it('of the shell wins over the .env file, whichever way it is given there', () => {
    writeFileSync(join(folder, '.env'), 'SMTP_URL=smtp://one\nAUTH_JWT_SECRET_FILE=/run/one\nPORT=4000\n');
    const own = { SMTP_URL_FILE: '/run/two', AUTH_JWT_SECRET: 'two' };
    expect(readEnvironment(own, folder)).toEqual({ ...own, PORT: '4000' });
  });

  it('can be any that there is', () => {
    const names = Object.keys(environmentSchema.shape).filter((name) => /SECRET|KEYS?\b|KEY_|_URL$/.test(name));
    // The key of IndexNow is no secret: the site shows it to everyone.
    const open = /^(?:INDEXNOW_KEY|(?:PUBLIC|S3_PUBLIC|SITE_\w+|AUTH_(?:EXTERNAL|SITE))_URL)$/;
    expect(
      names.filter((name) => !open.test(name)).filter((name) => !secretVariables.some((one) => one === name)),
    ).toEqual([]);
  });
});
