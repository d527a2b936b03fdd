import { isCanonicalBase64url } from '../../shared/base64url.js';
import { AuthError } from '../auth.error.js';
import type { SigningKey } from '../keys/signing-key.js';
import type { SigningKeysService } from '../keys/signing-keys.service.js';

/**
 * The key that a token claims to be signed with: the one of its `kid`, if its algorithm is that of the token.
 * @throws AuthError 403 bad_jwt for a token that is spelled unlike encoders write it, and for one of a key unknown here
 */
export function findTokenKey(keys: SigningKeysService, token: string): SigningKey {
  const header = readHeader(token);
  const key = keys.findForVerification(header.alg, header.kid);
  if (key === undefined) throw badToken('token is unverifiable: unrecognized JWT kid or alg');
  return key;
}

/** E(403, bad_jwt) (auth-api.md 1.4). */
export function badToken(detail: string): AuthError {
  return new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${detail}`);
}

function readHeader(token: string): { readonly alg?: unknown; readonly kid?: unknown } {
  const parts = token.split('.');
  if (parts.length !== 3) throw badToken('token is malformed: token contains an invalid number of segments');
  // The signature is not over its own spelling: another one of the same bytes would be another token that is as good.
  if (!parts.every(isCanonicalBase64url)) throw badToken('token is malformed: could not base64 decode');
  try {
    const header: unknown = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString('utf8'));
    if (typeof header === 'object' && header !== null) return header;
  } catch {
    // Answered below, as what is JSON but no object.
  }
  throw badToken('token is malformed: could not JSON decode header');
}
