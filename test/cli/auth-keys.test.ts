import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Key = JsonWebKey & { readonly kid: string; readonly key_ops: readonly string[] };

/** A data folder of its own; no database answers there, as none is needed. */
const newEnvironment = (overrides: Variables = {}) =>
  testEnvironment({ databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', dataDir: temporaryFolder() }, overrides);

async function read(args: readonly string[], environment: Variables): Promise<string> {
  const { code, stdout, stderr } = await runCli(['auth', ...args], environment);
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

    expect(await read(['keys', 'rotate'], environment)).toBe('');
    const keys = await readPublic(environment);
    expect(keys.map(({ kid }) => kid)).toEqual([expect.any(String), first?.kid]);
    expect(claimsOf(token, keys)).toMatchObject({ role: 'service_role' });
    const next = await read(['service-role-token'], environment);
    expect(decode(next.split('.')[0])['kid']).toBe(keys[0]?.kid);
    expect(statSync(join(environment.DATA_DIR, 'auth-keys.json')).mode & 0o777).toBe(0o600);
  });

  it('makes keys for the configuration before there is one, and rotates them for an operator to set', async () => {
    const generated = await read(['keys', 'generate'], { NODE_ENV: 'production' });
    const [first] = readKeys(generated);
    expect(first).toMatchObject({ kty: 'EC', alg: 'ES256', d: expect.any(String), key_ops: ['sign', 'verify'] });
    const environment = newEnvironment(parseEnv(generated));
    const token = await read(['service-role-token'], environment);

    const rotated = await read(['keys', 'rotate'], environment);
    expect(readKeys(rotated).map(({ kid, key_ops: operations }) => [kid, operations])).toEqual([
      [expect.any(String), ['sign', 'verify']],
      [first?.kid, ['verify']],
    ]);
    const keys = await readPublic(newEnvironment(parseEnv(rotated)));
    expect(keys).toHaveLength(2);
    expect(claimsOf(token, keys)).toMatchObject({ role: 'service_role' });
    expect(await readPublic(environment)).toHaveLength(1);
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
    const run = await runCli(['auth', ...args], newEnvironment());
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });
});
