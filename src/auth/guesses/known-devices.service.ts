import { createHmac, randomBytes, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { readCookie } from '../../http/read-cookie.js';
import { Clock } from '../../shared/clock.js';
import type { Caller } from '../api/caller.js';
import { DerivedKeysService } from '../keys/derived-keys.service.js';
import { isSameSignature } from '../tokens/is-same-signature.js';

/** On https with the prefix with which browsers refuse it from anybody who has no https. */
const COOKIE = { http: 'known_device', https: '__Secure-known_device' } as const;
const LIFETIME_SECONDS = 180 * 24 * 3600;
/** Accounts of one device, the latest first. */
const MOST_ACCOUNTS = 8;

/** The content of a device's cookie, after its signature was checked. */
interface Device {
  readonly id: string;
  /** Which accounts signed in on it, as keyed hashes: the cookie names nobody. */
  readonly accounts: readonly string[];
}

/**
 * Knows devices on which an account has signed in before, by a signed cookie. It opens nothing: its bearer's wrong
 * guesses are counted apart from everybody else's, so that strangers who guess do not keep the owner out.
 */
@Injectable()
export class KnownDevicesService {
  private readonly key: KeyObject;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    keys: DerivedKeysService,
    private readonly clock: Clock,
  ) {
    this.key = keys.keyFor('known devices');
  }

  /**
   * Returns the counter for a caller's guesses at an account: that of a known device, or the empty one of everybody
   * else.
   */
  sourceFor(caller: Caller, userId: string): string {
    const device = this.read(caller.deviceCookie);
    return device?.accounts.includes(this.hashAccount(device.id, userId)) ? `device:${device.id}` : '';
  }

  /** The header Set-Cookie for a device on which an account has just signed in. */
  cookieFor(caller: Caller, userId: string): string {
    const { id, accounts } = this.read(caller.deviceCookie) ?? { id: randomBytes(16).toString('hex'), accounts: [] };
    const hash = this.hashAccount(id, userId);
    const kept = [hash, ...accounts.filter((other) => other !== hash)].slice(0, MOST_ACCOUNTS);
    const expires = Math.floor(this.clock.now().getTime() / 1000) + LIFETIME_SECONDS;
    const text = [id, expires, kept.join('-')].join('.');
    const { basePath, externalUrl } = this.config.auth;
    return [
      `${nameOf(externalUrl)}=${text}.${this.sign(text)}`,
      // Never on pages, also where the API shares the root with them.
      `Path=${basePath || '/token'}`,
      `Max-Age=${LIFETIME_SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(externalUrl.startsWith('https:') ? ['Secure'] : []),
    ].join('; ');
  }

  private read(cookie: string | undefined): Device | null {
    if (cookie === undefined) return null;
    const [id = '', expires = '', accounts = '', signature = '', ...rest] = cookie.split('.');
    if (rest.length > 0 || !isSameSignature(signature, this.sign([id, expires, accounts].join('.')))) return null;
    if (Number(expires) * 1000 < this.clock.now().getTime()) return null;
    return { id, accounts: accounts.split('-') };
  }

  private hashAccount(deviceId: string, userId: string): string {
    return createHmac('sha256', this.key).update(`account\0${deviceId}\0${userId}`).digest('hex').slice(0, 16);
  }

  private sign(text: string): string {
    return createHmac('sha256', this.key).update(`cookie\0${text}`).digest('base64url');
  }
}

function nameOf(externalUrl: string): string {
  return externalUrl.startsWith('https:') ? COOKIE.https : COOKIE.http;
}

/** The value of the cookie in a header Cookie, under the name that it has at this address of the API. */
export function readDeviceCookie(header: string | undefined, externalUrl: string): string | undefined {
  return readCookie(header, nameOf(externalUrl));
}
