import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { AttemptsService, type AttemptPolicy } from './attempts.service.js';
import { Factor } from '../factors/factor.entity.js';
import { TokenCodec } from '../tokens/token-codec.js';
import type { UserRow } from '../accounts/user.entity.js';

const DAY_SECONDS = 24 * 3600;
/** Wrong passwords that cost no time: people mistype. */
const FREE_PASSWORDS = 5;
const FACTOR_SECONDS = 15 * 60;

/** The limits on guessing passwords and codes: which counter, and how many. */
@Injectable()
export class GuessesService {
  private readonly passwordPolicy: AttemptPolicy;
  private readonly codePolicy: AttemptPolicy;
  private readonly factorPolicy: AttemptPolicy;

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly attempts: AttemptsService,
    private readonly codec: TokenCodec,
  ) {
    const { passwords, longestPause, codes, perFactor } = auth.guesses;
    const pause = { after: FREE_PASSWORDS, longest: longestPause };
    this.passwordPolicy = { count: passwords, seconds: DAY_SECONDS, pause };
    this.codePolicy = { count: codes, seconds: DAY_SECONDS };
    this.factorPolicy = { count: perFactor, seconds: FACTOR_SECONDS };
  }

  /**
   * Judges a password within the limits of its account, or of the address that nobody has.
   * @param subject from {@link subjectOf}
   * @param source counts one guesser apart, or empty
   * @throws AuthError 429 over_request_rate_limit
   */
  async judgePassword<T extends { readonly isRight: boolean }>(
    subject: string,
    source: string,
    judge: () => Promise<T>,
  ): Promise<T & { readonly failures: number }> {
    return await this.attempts.judge({ subject, purpose: 'password', source }, this.passwordPolicy, judge);
  }

  /**
   * Judges a code within the limits of its address, even if the address has no account.
   * @throws AuthError 429 over_request_rate_limit
   */
  async judgeCode<T extends { readonly isRight: boolean }>(
    address: string,
    source: string,
    judge: () => Promise<T>,
  ): Promise<T & { readonly failures: number }> {
    const key = { subject: this.addressSubject(address), purpose: 'code', source };
    return await this.attempts.judge(key, this.codePolicy, judge);
  }

  /**
   * Judges a code by which somebody with a session proves themselves again, within the limits of their account.
   * @throws AuthError 429 over_request_rate_limit
   */
  async judgeNonce<T extends { readonly isRight: boolean }>(userId: string, judge: () => Promise<T>): Promise<T> {
    return await this.attempts.judge({ subject: userId, purpose: 'nonce', source: '' }, this.codePolicy, judge);
  }

  /**
   * Judges a code of a second factor. Known devices are not counted apart: whoever has the password can make as many of
   * them as they like.
   * @throws AuthError 429 over_request_rate_limit
   */
  async judgeFactor<T extends { readonly isRight: boolean }>(factorId: string, judge: () => Promise<T>): Promise<T> {
    return await this.attempts.judge({ subject: factorId, purpose: 'factor', source: '' }, this.factorPolicy, judge);
  }

  /**
   * Returns the owner of a password for counting: the account, whichever of its addresses is tried, or the address that
   * nobody has. An account that is deleted and created again is another one.
   */
  subjectOf(user: Pick<UserRow, 'id'> | null, address: string): string {
    return user?.id ?? this.addressSubject(address);
  }

  /**
   * Forgets the wrong guesses at an account, as when its owner has read a mail to it, or an operator knows them. Those at
   * an address that it has not proven to be its own stay: it may be somebody else's.
   */
  async lift(em: EntityManager, user: UserRow): Promise<void> {
    await this.attempts.forget(em, user.id);
    if (user.email && user.emailConfirmedAt) await this.attempts.forget(em, this.addressSubject(user.email));
    if (user.phone && user.phoneConfirmedAt) await this.attempts.forget(em, this.addressSubject(user.phone));
  }

  /**
   * Forgets the wrong codes of an account's second factors, for operators who know the owner. A mail forgives none of
   * them: whoever reads somebody's mails may lack the second factor.
   */
  async liftFactors(em: EntityManager, userId: string): Promise<void> {
    for (const { id } of await em.find(Factor, { userId })) await this.attempts.forget(em, id);
  }

  /** Forgets the wrong codes of a second factor, when it is removed. */
  async eraseFactor(em: EntityManager, factorId: string): Promise<void> {
    await this.attempts.forget(em, factorId);
  }

  /** Forgets all attempts at an account, its second factors and its addresses, before they are removed. */
  async erase(em: EntityManager, userId: string, addresses: readonly (string | null | undefined)[]): Promise<void> {
    await this.attempts.forget(em, userId);
    await this.liftFactors(em, userId);
    for (const address of addresses) if (address) await this.attempts.forget(em, this.addressSubject(address));
  }

  private addressSubject(address: string): string {
    return this.codec.hash(`address\0${address.toLowerCase()}`);
  }
}
