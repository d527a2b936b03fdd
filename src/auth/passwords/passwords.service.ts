import { availableParallelism } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import bcrypt from 'bcryptjs';
import { CONFIG, type Config } from '../../config/config.js';
import { SiteService } from '../../site/site.service.js';
import { RETRY_AFTER_SECONDS } from '../../config/time-limits.js';
import { Gate, GateFullError } from '../../shared/gate.js';
import { AuthError, invalid, tooManyRequests } from '../auth.error.js';
import { isBreachedPassword } from './breached-passwords.js';
import { isCommonPassword, isWordOfContext } from './common-passwords.js';

export { findListProblem } from './breached-passwords.js';

/** The work of one hash; `memoryCost` is in KiB. */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Argon2id (the library's default) with 46 MiB: the first of OWASP's recommended settings. */
export const HASH_COST: HashCost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
/** A salt of 16 bytes and 32 bytes of hash, as new hashes have, that no password has. */
const NO_PASSWORD = `${'A'.repeat(22)}$${'A'.repeat(43)}`;
const BCRYPT_HASH = /^\$2[aby]\$/;

/** Each takes 46 MiB and a core for as long as it lasts. */
const HASHES_AT_ONCE = Math.min(4, availableParallelism());
/** Beyond these, callers get 429 at once instead of waiting until they give up. */
const HASHES_WAITING = 200;
const MAX_BYTES = 72;

/** A reason of a weak password, as clients know it (auth-api.md 1.8). */
export type WeaknessReason = 'length' | 'characters' | 'pwned';

/** Why a password is weak. */
export interface Weakness {
  readonly message: string;
  readonly reasons: readonly WeaknessReason[];
}

/** The result of comparing a password with a hash. */
export interface PasswordCheck {
  readonly isRight: boolean;
  /** The hash is weaker than new ones are: hash the password again. */
  readonly isOutdated: boolean;
}

/** Hashes, compares and judges passwords. */
@Injectable()
export class PasswordsService {
  private readonly logger = new Logger(PasswordsService.name);
  private readonly gate = new Gate(HASHES_AT_ONCE, HASHES_WAITING);
  /** The cost of new hashes. No setting, as less is unsafe; tests of something else lower it. */
  cost = HASH_COST;
  /** The library that does the work, whose calls tests count. */
  readonly argon2 = { hash, verify };

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly site: SiteService,
  ) {}

  /** @throws AuthError 429 when too many others wait */
  async hash(password: string): Promise<string> {
    return await this.inTurn(() => this.argon2.hash(password, this.cost));
  }

  /**
   * Hashes with the salt and the cost of another Argon2id hash, so that equal texts have equal hashes.
   * @throws AuthError 429 when too many others wait
   */
  async hashLike(other: string, text: string): Promise<string> {
    const { memoryCost, timeCost, parallelism } = parseOptions(other);
    const salt = Buffer.from(other.split('$')[4] ?? '', 'base64');
    return await this.inTurn(() => this.argon2.hash(text, { memoryCost, timeCost, parallelism, salt }));
  }

  /**
   * Compares a password with a hash. Without a hash it takes as long and fails, so that nobody learns from the time
   * whether there is such a user.
   * @throws AuthError 429 when too many others wait
   */
  async check(password: string, stored: string | null | undefined): Promise<PasswordCheck> {
    if (!stored) {
      await this.inTurn(() => this.argon2.verify(`${this.prefix}${NO_PASSWORD}`, password));
      return { isRight: false, isOutdated: false };
    }
    const isBcrypt = BCRYPT_HASH.test(stored);
    const isRight = await this.inTurn(() =>
      isBcrypt ? bcrypt.compare(password, stored) : this.argon2.verify(stored, password),
    );
    return { isRight, isOutdated: !stored.startsWith(this.prefix) };
  }

  /**
   * Checks a new password against auth-api.md 1.8.
   * @param address e-mail address or phone number of its owner, which it must not be
   * @throws AuthError 422 weak_password with its reasons, 400 validation_failed when it is too long
   */
  async assertStrong(password: string, address: string | null | undefined): Promise<void> {
    this.assertNotTooLong(password);
    const weakness = await this.findWeakness(password, address);
    if (weakness === null) return;
    throw new AuthError(422, 'weak_password', weakness.message, { weak_password: { reasons: weakness.reasons } });
  }

  /** @throws AuthError 400 validation_failed */
  assertNotTooLong(password: string): void {
    if (Buffer.byteLength(password) <= MAX_BYTES) return;
    throw invalid(`Password cannot be longer than ${MAX_BYTES} characters`);
  }

  /** Returns the reasons why a password is weak, or null. */
  async findWeakness(password: string, address: string | null | undefined): Promise<Weakness | null> {
    const { minLength, requiredCharacters, isCommonRefused } = this.config.auth.password;
    const found: [WeaknessReason, string][] = [];
    if ([...password].length < minLength) {
      found.push(['length', `Password should be at least ${minLength} characters.`]);
    }
    if (requiredCharacters.some((set) => ![...set].some((character) => password.includes(character)))) {
      const sets = requiredCharacters.join(', ');
      found.push(['characters', `Password should contain at least one character of each: ${sets}.`]);
    }
    const isCommon =
      isCommonRefused && (this.isGuessedFirst(password, address ?? '') || (await isCommonPassword(password)));
    if (isCommon || (await this.isBreached(password))) {
      found.push(['pwned', 'Password is known to be weak and easy to guess, please choose a different one.']);
    }
    if (found.length === 0) return null;
    return { message: found.map(([, message]) => message).join(' '), reasons: found.map(([reason]) => reason) };
  }

  /** A list that cannot be read keeps nobody from a new password; `doctor` names it. */
  private async isBreached(password: string): Promise<boolean> {
    const { breachedList } = this.config.auth.password;
    if (breachedList === undefined) return false;
    try {
      return await isBreachedPassword(breachedList, password);
    } catch (error) {
      this.logger.error({ err: error }, 'The list of breached passwords cannot be read: a password was not looked up');
      return false;
    }
  }

  /** Guessers begin with the names of the site and of the account. */
  private isGuessedFirst(password: string, address: string): boolean {
    const { name, url } = this.site.current;
    const [mailbox = ''] = address.split('@');
    const labels = new URL(url).hostname.split('.');
    return password === address || isWordOfContext(password, [name, ...labels, mailbox, address]);
  }

  /** The beginning of all new hashes. */
  private get prefix(): string {
    const { memoryCost, timeCost, parallelism } = this.cost;
    return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  }

  private async inTurn<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await this.gate.run(task);
    } catch (error) {
      if (!(error instanceof GateFullError)) throw error;
      throw tooManyRequests(RETRY_AFTER_SECONDS);
    }
  }
}
