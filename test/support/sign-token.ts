import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** Any JSON value as a part of a token. */
export const encodePart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The claims of a token, unverified. */
export function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

/** A key for AUTH_JWT_KEYS, with which a test signs whatever it likes. */
export function newTokenKey(kid: string) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', key_ops: ['sign', 'verify'] };
  return {
    /** The value of AUTH_JWT_KEYS. */
    variable: JSON.stringify([jwk]),
    sign: (claims: object, head: object = {}) =>
      signToken({ alg: 'ES256', typ: 'JWT', kid, ...head }, claims, privateKey),
  };
}

/** Signs a token as its header says: with ES256 or, where the key is a text, with HS256. */
export function signToken(head: object, claims: object, key: KeyObject | string): string {
  const content = `${encodePart(head)}.${encodePart(claims)}`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(content).digest()
      : sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}
