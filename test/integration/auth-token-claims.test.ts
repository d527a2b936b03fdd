import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { respellings } from '../support/respellings.js';
import { encodePart, newTokenKey, payloadOf, signToken } from '../support/sign-token.js';
import { itSlow } from '../support/slow-tests.js';

const INVALID = 'invalid JWT: unable to parse or verify signature, ';
const UNKNOWN_KEY = 'token is unverifiable: unrecognized JWT kid or alg';
const BAD_ISSUER = 'token has invalid claims: token has invalid issuer';
const BAD_AUDIENCE = 'token has invalid claims: token has invalid audience';
const MISSPELLED = 'token is malformed: could not base64 decode';
const BAD_PARTS = 'token is malformed: token contains an invalid number of segments';
const HOUR = 3600;

const key = newTokenKey('ours');
const stranger = newTokenKey('ours');

let server: AuthServer;
let access: string;
let claims: Record<string, unknown>;
let publicJwk: JsonWebKey;

beforeAll(async () => {
  server = await startAuthServer({ AUTH_JWT_KEYS: key.variable, AUTH_MAIL_AUTOCONFIRM: 'true' });
  const { data, error } = await server.client().signUp({ email: server.newEmail(), password: PASSWORD });
  if (error) throw error;
  access = data.session?.access_token ?? '';
  claims = payloadOf(access);
  const jwks = (await server.call('/.well-known/jwks.json')).body['keys'] as JsonWebKey[];
  publicJwk = jwks[0] ?? {};
});

/** The claims of a good token, with some of them changed; undefined leaves one out. */
const changed = (changes: object) => key.sign({ ...claims, ...changes });
const publicPem = () => createPublicKey({ key: publicJwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
const askApi = (authorization: string, on = server) => on.call('/user', { headers: { authorization } });
/** The status of a room behind the guard. */
const askRoom = async (authorization: string, on = server) =>
  (await on.app.inject({ url: '/api/me', headers: { authorization } })).statusCode;

describe('a token of ours', () => {
  it('is taken as it was issued, and as another encoder of the same key would write it', async () => {
    for (const token of [access, changed({}), changed({ aud: ['authenticated', 'other'] })]) {
      expect(await askApi(`Bearer ${token}`)).toMatchObject({ status: 200 });
      expect(await askApi(`bearer ${token}`)).toMatchObject({ status: 200 });
      expect(await askRoom(`Bearer ${token}`)).toBe(200);
    }
  });

  it.each<[what: string, make: () => string, detail: string]>([
    [
      'no algorithm',
      () => `${encodePart({ alg: 'none', typ: 'JWT', kid: 'ours' })}.${encodePart(claims)}.`,
      UNKNOWN_KEY,
    ],
    ['another algorithm', () => key.sign(claims, { alg: 'RS256' }), UNKNOWN_KEY],
    [
      'the public key as the secret of HS256',
      () => signToken({ alg: 'HS256', typ: 'JWT', kid: 'ours' }, claims, String(publicPem())),
      UNKNOWN_KEY,
    ],
    [
      'the public key as the secret of HS256, without a kid',
      () => signToken({ alg: 'HS256', typ: 'JWT' }, claims, String(publicPem())),
      UNKNOWN_KEY,
    ],
    ['a kid unknown here', () => key.sign(claims, { kid: 'theirs' }), UNKNOWN_KEY],
    ['a kid that is no text', () => key.sign(claims, { kid: ['ours'] }), UNKNOWN_KEY],
    ['no kid', () => key.sign(claims, { kid: undefined }), UNKNOWN_KEY],
    ['a key of its own in its header', () => stranger.sign(claims, { jwk: publicJwk }), 'token signature is invalid'],
    ['our kid and the key of a stranger', () => stranger.sign(claims), 'token signature is invalid'],
    [
      'no end',
      () => changed({ exp: undefined }),
      'token has invalid claims: token is missing required claim: exp claim is required',
    ],
    ['an end that is null', () => changed({ exp: null }), 'token'],
    ['an end that is a text', () => changed({ exp: String(claims['exp']) }), 'token'],
    [
      'an end in the past',
      () => changed({ exp: Number(claims['iat']) - 1 }),
      'token has invalid claims: token is expired',
    ],
    [
      'a beginning in the future',
      () => changed({ nbf: Number(claims['iat']) + HOUR }),
      'token has invalid claims: token is not valid yet',
    ],
    ['no issuer', () => changed({ iss: undefined }), BAD_ISSUER],
    ['another issuer', () => changed({ iss: 'https://other.example/auth/v1' }), BAD_ISSUER],
    ['issuers in a list', () => changed({ iss: [claims['iss']] }), BAD_ISSUER],
    ['the issuer with a slash behind', () => changed({ iss: `${String(claims['iss'])}/` }), BAD_ISSUER],
    ['no audience', () => changed({ aud: undefined }), BAD_AUDIENCE],
    ['another audience', () => changed({ aud: 'other' }), BAD_AUDIENCE],
    ['other audiences', () => changed({ aud: ['other', 'more'] }), BAD_AUDIENCE],
    ['no audience in a list', () => changed({ aud: [] }), BAD_AUDIENCE],
    ['audiences in one text', () => changed({ aud: 'authenticated other' }), BAD_AUDIENCE],
    ['an audience that is an object', () => changed({ aud: { authenticated: true } }), 'token'],
    ['base64url of other bits', () => `${access.slice(0, -86)}${respellings(access.slice(-86))[0]}`, MISSPELLED],
    ['base64 with its padding', () => `${access}==`, MISSPELLED],
    ['two parts', () => access.split('.').slice(0, 2).join('.'), BAD_PARTS],
    ['four parts', () => `${access}.`, BAD_PARTS],
    [
      'a header that is no object',
      () => `${encodePart('ours')}.${access.split('.').slice(1).join('.')}`,
      'token is malformed: could not JSON decode header',
    ],
  ])('is refused with %s', async (_what, make, detail) => {
    const token = make();
    const message = expect.stringContaining(INVALID + detail);
    expect(await askApi(`Bearer ${token}`)).toMatchObject({ status: 403, body: { code: 'bad_jwt', message } });
    expect(await askRoom(`Bearer ${token}`)).toBe(401);
  });

  it('is none with white space in or before it', async () => {
    const [head, body, signature] = access.split('.');
    for (const header of [
      `Bearer  ${access}`,
      `Bearer\t${access}`,
      `Bearer ${head}. ${body}.${signature}`,
      `Bearer${access}`,
      access,
    ]) {
      expect(await askApi(header)).toMatchObject({
        status: 401,
        body: { code: 'no_authorization', message: 'This endpoint requires a valid Bearer token' },
      });
      expect(await askRoom(header)).toBe(401);
    }
  });

  it('ends with the second that it names', async () => {
    const token = changed({ exp: Number(claims['iat']) + HOUR - 1 });
    expect(await askRoom(`Bearer ${token}`)).toBe(200);
    const own = await startAuthServer({ ...server.app.environment });
    own.advance(HOUR - 1);
    expect(await askApi(`Bearer ${token}`, own)).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
    expect(await askRoom(`Bearer ${token}`, own)).toBe(401);
  });
});

describe('the audience', () => {
  itSlow('is that of the account, also when new accounts get another one', async () => {
    const next = await startAuthServer({ ...server.app.environment, AUTH_JWT_AUD: 'members' });
    expect(await askApi(`Bearer ${access}`, next)).toMatchObject({ status: 200, body: { aud: 'authenticated' } });
    expect(await askRoom(`Bearer ${changed({ aud: 'members' })}`, next)).toBe(401);
    const { data } = await next.client().signUp({ email: next.newEmail(), password: PASSWORD });
    const own = data.session?.access_token ?? '';
    expect(payloadOf(own)).toMatchObject({ aud: 'members' });
    expect(await askRoom(`Bearer ${own}`, next)).toBe(200);
  });
});

describe('a token of a role that administers', () => {
  const MISSING_SUB = { status: 403, body: { code: 'bad_jwt', message: 'invalid claim: missing sub claim' } };
  const FOREIGN = { iss: 'supabase', exp: undefined };
  const service = (more: object) =>
    key.sign({ role: 'service_role', iss: claims['iss'], iat: claims['iat'], exp: claims['exp'], ...more });

  it('needs no audience, but issuer and end', async () => {
    expect(await askApi(`Bearer ${service({})}`)).toMatchObject(MISSING_SUB);
    for (const lacking of [{ iss: 'supabase' }, { iss: undefined }, { exp: undefined }]) {
      const message = expect.stringContaining('token has invalid claims');
      expect(await askApi(`Bearer ${service(lacking)}`)).toMatchObject({
        status: 403,
        body: { code: 'bad_jwt', message },
      });
    }
    expect(await askApi(`Bearer ${service({ sub: claims['sub'], aud: 'other' })}`)).toMatchObject({ status: 403 });
  });

  it('is good for as long as it was asked for', async () => {
    const { token } = await server.app.get(AccessTokenService).issueServiceToken(2 * HOUR);
    server.advance(2 * HOUR - 60);
    expect(await askApi(`Bearer ${token}`)).toMatchObject(MISSING_SUB);
    server.advance(60);
    expect(await askApi(`Bearer ${token}`)).toMatchObject({
      body: { message: `${INVALID}token has invalid claims: token is expired` },
    });
    server.advance(-2 * HOUR);
  });

  it('may be foreign where the operator says so, and signs nobody in', async () => {
    const lenient = await startAuthServer({ ...server.app.environment, AUTH_FOREIGN_ADMIN_TOKENS: 'true' });
    expect(await askApi(`Bearer ${service(FOREIGN)}`, lenient)).toMatchObject(MISSING_SUB);
    expect(await askRoom(`Bearer ${service(FOREIGN)}`, lenient)).toBe(401);
    expect(await askRoom(`Bearer ${changed({ iss: 'supabase' })}`, lenient)).toBe(401);
    expect(await askRoom(`Bearer ${changed({ exp: undefined })}`, lenient)).toBe(401);
    const past = service({ exp: Number(claims['iat']) - 1 });
    expect(await askApi(`Bearer ${past}`, lenient)).toMatchObject({
      body: { message: `${INVALID}token has invalid claims: token is expired` },
    });
  });
});
