import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { runCommandAlone } from '../support/command.js';
import { createTestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Key = JsonWebKey & { readonly kid: string; readonly key_ops: readonly string[] };

/** A data folder of its own; no database answers there, as none is needed. */
const newEnvironment = (overrides: Variables = {}) =>
  testEnvironment({ databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', dataDir: temporaryFolder() }, overrides);

async function read(args: readonly string[], environment: Variables): Promise<string> {
  const { code, stdout, stderr } = await runCommandAlone(['auth', ...args], environment);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const readPublic = async (environment: Variables) =>
  (JSON.parse(await read(['keys', 'print'], environment)) as { keys: Key[] }).keys;
const readKeys = (line: string) => JSON.parse(parseEnv(line)['AUTH_JWT_KEYS'] ?? '') as Key[];
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** The claims of a token, if one of the keys signed it. */
function claimsOf(token: string, keys: readonly Key[]): Record<string, unknown> {
  const [head, body, signature = ''] = token.trim().split('.');
  const key = keys.find(({ kid }) => kid === decode(head)['kid']);
  const publicKey = { key: createPublicKey({ key: key ?? {}, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'));
  expect(isSigned).toBe(true);
  return decode(body);
}

describe('cli auth', () => {
  it('makes and keeps keys in the data folder, and rotates them', async () => {
    const environment = newEnvironment();
    const [first, ...none] = await readPublic(environment);
    expect(none).toEqual([]);
    expect(first).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', key_ops: ['verify'] });
    expect(first).not.toHaveProperty('d');
    expect(await readPublic(environment)).toEqual([first]);
    const token = await read(['service-role-token'], environment);

    expect(await read(['keys', 'add'], environment)).toBe('');
    const [next] = await readPublic(environment);
    const states = async () =>
      (await read(['keys', 'list'], environment))
        .trim()
        .split('\n')
        .map((line) => line.split(/ +/).slice(0, 2));
    expect(await states()).toEqual([
      [next?.kid, 'next'],
      [first?.kid, 'current'],
    ]);
    expect(decode((await read(['service-role-token'], environment)).split('.')[0])['kid']).toBe(first?.kid);
    expect(await read(['keys', 'promote', '--force'], environment)).toBe('');
    expect(await states()).toEqual([
      [next?.kid, 'current'],
      [first?.kid, 'former'],
    ]);
    const keys = await readPublic(environment);
    expect(claimsOf(token, keys)).toMatchObject({ role: 'service_role' });
    expect(decode((await read(['service-role-token'], environment)).split('.')[0])['kid']).toBe(next?.kid);
    expect(await read(['keys', 'retire', '--force'], environment)).toBe('');
    expect(await readPublic(environment)).toEqual([next]);
    expect(statSync(join(environment.DATA_DIR, 'auth-keys.json')).mode & 0o777).toBe(0o600);
  });

  it('makes keys for the configuration before there is one, and rotates them for an operator to set', async () => {
    const generated = await read(['keys', 'generate'], { NODE_ENV: 'production' });
    const [first] = readKeys(generated);
    expect(first).toMatchObject({ kty: 'EC', alg: 'ES256', d: expect.any(String), key_ops: ['sign', 'verify'] });
    const environment = newEnvironment(parseEnv(generated));
    const token = await read(['service-role-token'], environment);

    const operationsOf = (line: string) => readKeys(line).map(({ kid, key_ops: operations }) => [kid, operations]);
    const added = await read(['keys', 'add'], environment);
    expect(operationsOf(added)).toEqual([
      [expect.any(String), ['verify']],
      [first?.kid, ['sign', 'verify']],
    ]);
    expect(await readPublic(environment)).toHaveLength(1);
    const promoted = await read(['keys', 'promote', '--force'], newEnvironment(parseEnv(added)));
    expect(operationsOf(promoted)).toEqual([
      [expect.any(String), ['sign', 'verify']],
      [first?.kid, ['verify']],
    ]);
    const keys = await readPublic(newEnvironment(parseEnv(promoted)));
    expect(claimsOf(token, keys)).toMatchObject({ role: 'service_role' });
    const AUTH_JWT_KEYS = await read(['keys', 'retire', '--force', '--json'], newEnvironment(parseEnv(promoted)));
    expect(await readPublic(newEnvironment({ AUTH_JWT_KEYS }))).toEqual([keys[0]]);
  });

  it('rotates from a plain secret to keys', async () => {
    const AUTH_JWT_SECRET = 'a secret of at least thirty-two characters';
    const withKeys = (line: string) => newEnvironment({ AUTH_JWT_SECRET, ...parseEnv(line) });
    const algorithmOf = async (environment: Variables) =>
      decode((await read(['service-role-token'], environment)).split('.')[0])['alg'];
    const added = await read(['keys', 'add'], newEnvironment({ AUTH_JWT_KEYS: '', AUTH_JWT_SECRET }));
    expect(await algorithmOf(withKeys(added))).toBe('HS256');
    const promoted = await read(['keys', 'promote', '--force'], withKeys(added));
    expect(await algorithmOf(withKeys(promoted))).toBe('ES256');
    const retired = await runCommandAlone(['auth', 'keys', 'retire', '--force'], withKeys(promoted));
    expect(retired.stderr).toContain('Leave AUTH_JWT_SECRET out');
    expect(await algorithmOf(newEnvironment(parseEnv(retired.stdout)))).toBe('ES256');
  });

  it('takes no step too early, too often or without the database, and changes nothing then', async () => {
    const environment = newEnvironment();
    const [first] = await readPublic(environment);
    const refusal = async (...args: string[]) => {
      const run = await runCommandAlone(['auth', 'keys', ...args], environment);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      return run.stderr;
    };
    expect(await refusal('promote')).toContain('No key waits to sign. Begin with: auth keys add');
    expect(await refusal('retire')).toContain('There is no former key');
    expect(await refusal('retire', 'x')).toContain('There is no key x');
    expect(await refusal('retire', first?.kid ?? '', '--force')).toContain('Another one has to sign first');
    // At once: one of them is told that the other one was first.
    const rivals = fewOf([1, 2, 3], (rival) => rival < 3);
    const runs = await Promise.all(rivals.map(() => runCli(['auth', 'keys', 'add'], environment)));
    expect(runs.map(({ code }) => code).sort()).toEqual(rivals.map((rival) => (rival === 1 ? 0 : 2)));
    expect(await readPublic(environment)).toHaveLength(2);
    expect(await refusal('promote')).toContain('The database cannot be asked which keys the servers use');
    const [next] = await readPublic(environment);
    expect(await read(['keys', 'retire', next?.kid ?? '', '--force'], environment)).toBe('');
    expect(await readPublic(environment)).toEqual([first]);
  });

  itSlow('asks servers whose address of the database brings a name for connections along', async () => {
    const url = new URL(await cloneDatabase());
    url.searchParams.set('application_name', 'site');
    const { environment, close } = await createTestApp({ DATABASE_URL: url.href });
    await read(['keys', 'add'], environment);
    expect(await runCommandAlone(['auth', 'keys', 'promote'], environment)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/ running servers? at/),
    });
    await close();
    await read(['keys', 'promote'], environment);
  });

  itSlow('still knows of a token that was issued since the backup which is restored', async () => {
    const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
    const environment = testEnvironment(own, { AUTH_JWT_KEYS: 'generated' });
    const backup = join(temporaryFolder(), 'site.tar');
    await read(['service-role-token', '--days', '1'], environment);
    expect(await runCli(['backup', 'create', backup], environment)).toMatchObject({ code: 0, stderr: '' });
    const { exp } = claimsOf(await read(['service-role-token'], environment), await readPublic(environment));
    await read(['keys', 'add'], environment);
    await read(['keys', 'promote'], environment);
    const restored = await runCli(['backup', 'restore', backup, '--yes', '--no-safety-backup'], environment);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const retired = await runCommandAlone(['auth', 'keys', 'retire'], environment);
    expect(retired).toMatchObject({ code: 2, stdout: '' });
    expect(retired.stderr).toContain(`that is good until ${new Date(Number(exp) * 1000).toISOString()}`);
  });

  itSlow('still knows of a token of a key that is newer than the backup which is restored', async () => {
    const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
    const environment = testEnvironment(own, { AUTH_JWT_KEYS: 'generated' });
    const backup = join(temporaryFolder(), 'site.tar');
    expect(await runCli(['backup', 'create', backup], environment)).toMatchObject({ code: 0, stderr: '' });
    await read(['keys', 'add'], environment);
    await read(['keys', 'promote'], environment);
    const token = await read(['service-role-token'], environment);
    const { exp } = claimsOf(token, await readPublic(environment));
    const restored = await runCli(['backup', 'restore', backup, '--yes', '--no-safety-backup'], environment);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    await read(['keys', 'add'], environment);
    await read(['keys', 'promote'], environment);
    const kid = String(decode(token.split('.')[0])['kid']);
    const retired = await runCommandAlone(['auth', 'keys', 'retire', kid], environment);
    expect(retired).toMatchObject({ code: 2, stdout: '' });
    expect(retired.stderr).toContain(`that is good until ${new Date(Number(exp) * 1000).toISOString()}`);
  });

  it('makes no new keys in the place of damaged ones, and shows nothing of them', async () => {
    const environment = newEnvironment();
    await readPublic(environment);
    const file = join(environment.DATA_DIR, 'auth-keys.json');
    const whole = readFileSync(file, 'utf8');
    for (const damaged of [whole.slice(0, 120), '', '[]', `${whole}x`]) {
      writeFileSync(file, damaged);
      const run = await runCommandAlone(['auth', 'keys', 'print'], environment);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr.trim()).toMatch(/auth-keys\.json is damaged; bring it back from a copy$/);
      expect(readFileSync(file, 'utf8')).toBe(damaged);
    }
  });

  it('says what is set, and where it comes from, without secrets', async () => {
    const AUTH_TOKEN_SECRET = 'a secret of at least thirty-two characters';
    const environment = newEnvironment({ AUTH_TOKEN_SECRET, AUTH_DISABLE_SIGNUP: 'true' });
    const text = await read(['settings'], environment);
    expect(text).toMatch(/^AUTH_DISABLE_SIGNUP +true +environment$/m);
    expect(text).toMatch(/^AUTH_TOKEN_SECRET +\(secret\) +environment$/m);
    expect(text).toMatch(/^AUTH_EMAIL_ENABLED +true +default$/m);
    const settings = JSON.parse(await read(['settings', '--json'], environment)) as unknown[];
    expect(settings).toContainEqual({ name: 'AUTH_JWT_EXP', value: '3600', origin: 'default' });
    expect(text + JSON.stringify(settings)).not.toContain(AUTH_TOKEN_SECRET);
    expect(await runCommandAlone(['auth', 'settings'], { ...environment, AUTH_JWT_EXP: 'x' })).toMatchObject({
      code: 2,
    });
  });

  it('issues a token of the role service_role for as long as it is told', async () => {
    const environment = newEnvironment();
    const keys = await readPublic(environment);
    const lifetimeOf = ({ iat, exp }: Record<string, unknown>) => (Number(exp) - Number(iat)) / 86_400;
    const claims = claimsOf(await read(['service-role-token', '--days', '2'], environment), keys);
    expect(claims).toMatchObject({ role: 'service_role', iss: 'http://site.test/auth/v1' });
    expect(claims).not.toHaveProperty('sub');
    expect(lifetimeOf(claims)).toBe(2);
    expect(lifetimeOf(claimsOf(await read(['service-role-token'], environment), keys))).toBe(365);
  });

  it.each([
    [['keys', 'forge'], /unknown command 'forge'/],
    [['keys', 'print', 'more'], /too many arguments/],
    [['service-role-token', '--days', '0'], /Give a whole number from 1 to 9999/],
    [['service-role-token', '--days', 'x'], /Give a whole number from 1 to 9999/],
  ])('answers with 2 to auth %j', async (args, stderr) => {
    const run = await runCommandAlone(['auth', ...args], newEnvironment());
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });
});
