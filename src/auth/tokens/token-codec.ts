import { createHmac, createSecretKey, hkdfSync, randomUUID, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { loadGeneratedSecrets } from '../keys/generated-secrets.js';
import { toBase32Characters } from './base32.js';

const REFRESH_TOKEN = /^[a-z2-7]{12}$/;

/**
 * Makes tokens and the hashes under which they are found. All of it takes a key that is not in the database, so that
 * a copy of the database contains nothing that could be used.
 */
@Injectable()
export class TokenCodec {
  private readonly keys: Readonly<Record<'refresh' | 'code' | 'link' | 'lookup', KeyObject>>;

  constructor(@Inject(CONFIG) config: Config) {
    const { tokenSecret } = config.auth;
    const secret = tokenSecret === 'generated' ? loadGeneratedSecrets(config.dataDir).tokenSecret : tokenSecret;
    this.keys = {
      refresh: derive(secret, 'refresh'),
      code: derive(secret, 'code'),
      link: derive(secret, 'link'),
      lookup: derive(secret, 'lookup'),
    };
  }

  /** The refresh token of a row: 12 characters of base32, 60 bits (auth-api.md 2.2). */
  refreshTokenOf(rowId: string): string {
    const digest = createHmac('sha256', this.keys.refresh).update(rowId).digest();
    return toBase32Characters(digest.subarray(0, 12));
  }

  isRefreshToken(text: string): boolean {
    return REFRESH_TOKEN.test(text);
  }

  /** The hash under which a token is stored: hexadecimal, 64 characters. */
  hash(token: string): string {
    return createHmac('sha256', this.keys.lookup).update(token).digest('hex');
  }

  /**
   * A code of that many digits that follows from a name which nobody else knows and which is used once: a mail that is
   * sent again carries the same code.
   */
  codeOf(name: string, length: number): string {
    const digest = createHmac('sha256', this.keys.code).update(name).digest();
    // 48 bits: the remainder favors no code noticeably.
    return (digest.readUIntBE(0, 6) % 10 ** length).toString().padStart(length, '0');
  }

  /**
   * The token of a link: hexadecimal, 56 characters. It follows from the address and the code, so that either can be
   * verified against one stored hash.
   */
  linkToken(address: string, code: string): string {
    return createHmac('sha224', this.keys.link).update(`${address.toLowerCase()}\0${code}`).digest('hex');
  }

  /** An authorization code (RFC 7636). */
  newAuthCode(): string {
    return randomUUID();
  }
}

/** One key per purpose, so that nothing made for one is good for another. */
function derive(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `accounts ${purpose}`, 32)));
}
