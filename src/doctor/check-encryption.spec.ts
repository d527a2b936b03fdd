import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadConfig } from '../config/config.js';
import { checkEncryption } from './check-encryption.js';

// Of the block for documentation: a machine of the internet, as far as anybody can see.
const FAR = '203.0.113.5';
const own = { NODE_ENV: 'test', DATA_DIR: temporaryFolder() };
const bucket = { STORAGE_DRIVER: 's3', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
const check = (variables: Readonly<Record<string, string>>) => checkEncryption(loadConfig({ ...own, ...variables }));

describe('the check of encryption', () => {
  it.each([
    ['defaults', {}],
    ['an embedded database', { DATABASE_URL: 'embedded' }],
    ['this machine', { DATABASE_URL: 'postgresql://me@localhost/site', SMTP_URL: 'smtp://127.0.0.1:25' }],
    ['a socket', { DATABASE_URL: 'postgresql:///site?host=/var/run/postgresql' }],
    ['a network of ours', { DATABASE_URL: 'postgresql://me@10.0.0.7/site', SMTP_URL: 'smtp://[fd00::7]:25' }],
    ['a certificate for the database', { DATABASE_URL: `postgresql://me@${FAR}/site?sslmode=verify-full` }],
    ['TLS from the start', { SMTP_URL: `smtps://me:word@${FAR}:465` }],
    ['STARTTLS or nothing', { SMTP_URL: `smtp://me:word@${FAR}:587?requireTLS=true` }],
    ['a bucket of Amazon', bucket],
    ['a bucket behind https', { ...bucket, S3_ENDPOINT: `https://${FAR}` }],
    ['a bucket next to it', { ...bucket, S3_ENDPOINT: 'http://192.168.1.7:9000' }],
  ])('is content with %s', async (_name, variables) => {
    expect(await check(variables)).toMatchObject({ level: 'ok', advice: null });
  });

  it.each([
    ['DATABASE_URL', { DATABASE_URL: `postgresql://me@${FAR}/site` }],
    ['DATABASE_URL', { DATABASE_URL: `postgresql://me@${FAR}/site?sslmode=disable` }],
    [
      'DATABASE_DIRECT_URL',
      { DATABASE_URL: 'postgresql://me@127.0.0.1/site', DATABASE_DIRECT_URL: `postgresql://me@${FAR}/site` },
    ],
    ['SMTP_URL', { SMTP_URL: `smtp://me:word@${FAR}:587` }],
    ['S3_ENDPOINT', { ...bucket, S3_ENDPOINT: `http://${FAR}:9000` }],
  ])('names %s, from which anybody on the way could read', async (variable, variables) => {
    const finding = await check(variables);
    expect(finding).toMatchObject({
      level: 'warn',
      message: `${variable} does not make sure that the way to ${FAR} is encrypted`,
      advice: expect.stringContaining(variable),
    });
    expect(JSON.stringify(finding)).not.toContain('word');
  });

  it.each([
    ['DATABASE_URL', { DATABASE_URL: `postgresql://me@${FAR}/site?sslmode=no-verify` }],
    ['SMTP_URL', { SMTP_URL: `smtps://me:word@${FAR}?tls.rejectUnauthorized=false` }],
  ])('names %s, which takes any certificate', async (variable, variables) => {
    expect(await check(variables)).toMatchObject({
      level: 'warn',
      message: `${variable} does not check the certificate of ${FAR}`,
    });
  });

  it('names all of them at once', async () => {
    const variables = { SMTP_URL: `smtp://${FAR}`, DATABASE_URL: `postgresql://me@${FAR}/site` };
    expect((await check(variables)).message.split('; ')).toHaveLength(2);
  });

  it('warns at the start where no certificate is checked at all', () => {
    expect(loadConfig({ ...own, NODE_TLS_REJECT_UNAUTHORIZED: '0' }).warnings).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED: lets every certificate pass/),
    ]);
  });
});
