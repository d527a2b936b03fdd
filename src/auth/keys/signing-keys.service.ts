import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, ConfigError, type Config } from '../../config/config.js';
import { generateKey, loadGeneratedSecrets, type Jwk } from './generated-secrets.js';
import { importKey, importSecret, toPublicJwk, type PublicJwk, type SigningKey } from './signing-key.js';

type CurrentKey = SigningKey & { readonly signing: KeyObject };

const canSign = (key: SigningKey): key is CurrentKey => key.signing !== undefined;

/** The keys of access tokens: one signs, all verify. */
@Injectable()
export class SigningKeysService {
  /** The key that signs. */
  readonly current: CurrentKey;
  private readonly keys: readonly SigningKey[];
  private readonly secret: SigningKey | undefined;

  /** @throws ConfigError when the configured keys cannot be used */
  constructor(@Inject(CONFIG) config: Config) {
    const { keys, secret } = config.auth.jwt;
    this.secret = secret === undefined ? undefined : importSecret(secret);
    this.keys = keys === undefined ? [] : importKeys(readKeys(keys, config.dataDir));
    this.current = this.findSigningKey();
  }

  /** The names of all keys that verify; the empty one is that of keys without, and of the plain secret. */
  get names(): string[] {
    const all = this.secret === undefined ? this.keys : [...this.keys, this.secret];
    return [...new Set(all.map(({ kid }) => kid ?? ''))];
  }

  /** The public keys, as `/.well-known/jwks.json` lists them. */
  listPublic(): PublicJwk[] {
    return this.keys.map(toPublicJwk).filter((key) => key !== undefined);
  }

  /**
   * The key for a token that claims this header: the one of its kid, else one without, else the plain secret. A key
   * is used with its own algorithm only (RFC 8725, section 3.1).
   */
  findForVerification(alg: unknown, kid: unknown): SigningKey | undefined {
    const named = kid === undefined ? undefined : this.keys.find((key) => key.kid === kid);
    if (named !== undefined) return named.alg === alg ? named : undefined;
    const unnamed = this.keys.find((key) => key.kid === undefined && key.alg === alg);
    return unnamed ?? (this.secret?.alg === alg ? this.secret : undefined);
  }

  /** A new key that signs, for the configuration of an operator, who may have none yet. */
  static generate(): Jwk {
    return generateKey();
  }

  private findSigningKey(): CurrentKey {
    const [first, another] = this.keys.filter(canSign);
    // The secret signs until a key of the list does, so that it can be rotated as well.
    const only = first ?? [this.secret].filter((key) => key !== undefined).find(canSign);
    if (only === undefined || another !== undefined) {
      throw new ConfigError(['AUTH_JWT_KEYS: exactly one key must have "sign" in its key_ops']);
    }
    return only;
  }
}

/** Reads the keys of AUTH_JWT_KEYS, or those that the product keeps. */
export function readKeys(keys: string, dataDir: string): readonly Jwk[] {
  return keys === 'generated' ? loadGeneratedSecrets(dataDir).keys : (JSON.parse(keys) as Jwk[]);
}

function importKeys(jwks: readonly Jwk[]): SigningKey[] {
  return jwks.map((jwk, index) => {
    try {
      return importKey(jwk);
    } catch (error) {
      throw new ConfigError([`AUTH_JWT_KEYS: key ${index + 1}: ${(error as Error).message}`]);
    }
  });
}
