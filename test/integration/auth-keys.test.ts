import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAuthServers, PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { withOtherEnds } from '../support/respellings.js';
import { encodePart, payloadOf } from '../support/sign-token.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import type { Variables } from '../support/environment.js';

const jwk = (type: 'rsa' | 'ec', extra: object) => {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), ...extra };
};
const secret = 'a secret of at least thirty-two characters';

async function signedIn(overrides: Variables) {
  const server = await startAuthServer({ AUTH_MAIL_AUTOCONFIRM: 'true', ...overrides });
  const client = server.client();
  const { data, error } = await client.signUp({ email: server.newEmail(), password: PASSWORD });
  if (error) throw error;
  return { server, client, access: data.session!.access_token };
}

const ask = (server: AuthServer, token: string) =>
  server.call('/user', { headers: { authorization: `Bearer ${token}` } });
/** The status of a call of another room, where the guard asks. */
const askRoom = async (server: AuthServer, token: string) =>
  (await server.app.inject({ url: '/api/me', headers: { authorization: `Bearer ${token}` } })).statusCode;

afterEach(closeAuthServers);

describe('access tokens', () => {
  const algorithms: readonly (readonly [alg: string, settings: () => Variables])[] = [
    ['RS256', () => ({ AUTH_JWT_KEYS: JSON.stringify([jwk('rsa', { kid: 'one', key_ops: ['sign', 'verify'] })]) })],
    ['ES256', () => ({ AUTH_JWT_KEYS: JSON.stringify([jwk('ec', { kid: 'one', key_ops: ['sign'] })]) })],
    [
      'HS256',
      () => ({
        AUTH_JWT_KEYS: JSON.stringify([
          { kty: 'oct', k: randomBytes(32).toString('base64url'), kid: 'one', key_ops: ['sign'] },
        ]),
      }),
    ],
    ['HS256', () => ({ AUTH_JWT_KEYS: '', AUTH_JWT_SECRET: secret })],
  ];

  it.each(fewOf(algorithms, ([alg]) => alg === 'ES256'))(
    'are signed with %s and verified by the client',
    async (alg, settings) => {
      const { client, access, server } = await signedIn(settings());
      expect(JSON.parse(Buffer.from(access.split('.')[0]!, 'base64url').toString())).toMatchObject({ alg });
      const { data, error } = await client.getClaims();
      expect(error).toBeNull();
      expect(data?.claims.role).toBe('authenticated');
      const listed = (await server.call('/.well-known/jwks.json')).body['keys'] as object[];
      expect(listed).toHaveLength(alg === 'HS256' ? 0 : 1);
      expect(JSON.stringify(listed)).not.toMatch(/"(d|p|q|k)":/);
      // Of the last character some bits are read by nobody: each token has one spelling all the same.
      for (const token of withOtherEnds(access)) {
        expect([token, (await ask(server, token)).body['code']]).toEqual([token, 'bad_jwt']);
      }
      expect(await askRoom(server, access)).toBe(200);
    },
  );

  it('are refused when the algorithm is none, or another than that of the key', async () => {
    const { server, access } = await signedIn({});
    const [key] = (await server.call('/.well-known/jwks.json')).body['keys'] as { kid: string }[];
    const payload = encodePart(payloadOf(access));
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    const forgeries = [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(key),
      '',
    ]
      .flatMap((material) =>
        [{ kid: key!.kid }, {}].map((kid) => ({ material, head: encodePart({ alg: 'HS256', typ: 'JWT', ...kid }) })),
      )
      .map(
        ({ material, head }) =>
          `${head}.${payload}.${createHmac('sha256', material).update(`${head}.${payload}`).digest('base64url')}`,
      );
    const unsigned = ['none', 'None', 'NONE', ''].map(
      (alg) => `${encodePart({ alg, typ: 'JWT', kid: key!.kid })}.${payload}.`,
    );
    const altered = `${access.split('.')[0]}.${encodePart({ ...payloadOf(access), role: 'service_role' })}.${access.split('.')[2]}`;
    for (const token of [...forgeries, ...unsigned, altered, `${access}x`, access.slice(0, -4)]) {
      expect(await ask(server, token)).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
      expect(await askRoom(server, token)).toBe(401);
    }
    expect((await ask(server, access)).status).toBe(200);
  });

  it('of a former key are still good while it is listed', async () => {
    const former = jwk('ec', { kid: 'former', key_ops: ['sign'] });
    const { server, access } = await signedIn({ AUTH_JWT_KEYS: JSON.stringify([former]) });
    const keys = [jwk('rsa', { kid: 'new', key_ops: ['sign'] }), { ...former, key_ops: ['verify'] }];
    const next = await startAuthServer({ ...server.app.environment, AUTH_JWT_KEYS: JSON.stringify(keys) });
    expect((await ask(next, access)).status).toBe(200);
    expect(await askRoom(next, access)).toBe(200);
  });

  itSlow('are verified by the application that is asked, when a process runs two', async () => {
    const one = await signedIn({});
    const other = await signedIn({});
    expect(await askRoom(one.server, one.access)).toBe(200);
    expect(await askRoom(one.server, other.access)).toBe(401);
    expect(await askRoom(other.server, other.access)).toBe(200);
    expect(await askRoom(other.server, one.access)).toBe(401);
  });

  it('cannot be signed by two keys, or none', async () => {
    const key = jwk('ec', { key_ops: ['sign'] });
    for (const keys of [[key, key], [{ ...key, key_ops: ['verify'] }]]) {
      await expect(startAuthServer({ AUTH_JWT_KEYS: JSON.stringify(keys) })).rejects.toThrow(
        /AUTH_JWT_KEYS: exactly one key/,
      );
    }
  });
});
