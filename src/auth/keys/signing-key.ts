import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Jwk } from './generated-secrets.js';

/** The algorithms of access tokens (RFC 7518, section 3). */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256', 'HS256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** A key of the list, ready to use with its one algorithm. */
export interface SigningKey {
  readonly kid: string | undefined;
  readonly alg: SigningAlgorithm;
  /** Undefined when the key only verifies. */
  readonly signing: KeyObject | undefined;
  readonly verifying: KeyObject;
}

/** A key as `/.well-known/jwks.json` lists it. */
export type PublicJwk = Readonly<Record<string, unknown>>;

/**
 * Reads one key of the list.
 * @throws Error saying what is wrong with it, without its value
 */
export function importKey(jwk: Jwk): SigningKey {
  const alg = algorithmOf(jwk);
  if (jwk.alg !== undefined && jwk.alg !== alg) throw new Error(`alg ${jwk.alg} does not belong to a key for ${alg}`);
  const canSign = jwk.key_ops?.includes('sign') ?? false;
  if (alg === 'HS256') {
    const secret = createSecretKey(Buffer.from(jwk.k ?? '', 'base64url'));
    if ((secret.symmetricKeySize ?? 0) < 32) throw new Error('a key for HS256 has at least 32 bytes');
    return { kid: jwk.kid, alg, signing: canSign ? secret : undefined, verifying: secret };
  }
  if (canSign && jwk.d === undefined) throw new Error('a key that signs has its private part');
  return {
    kid: jwk.kid,
    alg,
    signing: canSign ? createPrivateKey({ key: jwk, format: 'jwk' }) : undefined,
    verifying: createPublicKey({ key: jwk, format: 'jwk' }),
  };
}

/** A plain secret, for HS256. */
export function importSecret(secret: string): SigningKey {
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  return { kid: undefined, alg: 'HS256', signing: key, verifying: key };
}

/** Returns the public part of a key; undefined for a symmetric one. */
export function toPublicJwk(key: SigningKey): PublicJwk | undefined {
  if (key.alg === 'HS256') return undefined;
  return {
    ...key.verifying.export({ format: 'jwk' }),
    ...(key.kid === undefined ? {} : { kid: key.kid }),
    alg: key.alg,
    use: 'sig',
    key_ops: ['verify'],
  };
}

function algorithmOf(jwk: Jwk): SigningAlgorithm {
  if (jwk.kty === 'RSA') return 'RS256';
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256';
  if (jwk.kty === 'oct') return 'HS256';
  throw new Error('a key is of kty RSA, EC (crv P-256) or oct');
}
