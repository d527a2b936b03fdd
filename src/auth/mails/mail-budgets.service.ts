import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { RateLimit } from '../../config/auth-config.js';
import { CONFIG, type Config } from '../../config/config.js';
import { MAIL_TURN_SECONDS } from '../../config/time-limits.js';
import { Metrics } from '../../metrics/metrics.js';
import { Clock } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import { tooSoon } from '../api/input-rules.js';
import { networkOf } from '../../http/network-of.js';
import { RateLimitsService, type Draw } from '../../http/rate-limits/rate-limits.service.js';
import { TokenCodec } from '../tokens/token-codec.js';

/** Kinds of mails that may be asked for once in a while per address, even if it has no account. */
export type MailTimer = 'signup' | 'confirmation' | 'recovery' | 'email_change';

/** A mail that somebody asks for. */
export interface MailRequest {
  /** Recovery has budgets of its own, so that sign-ups cannot use them up. */
  readonly isRecovery: boolean;
  /** The addresses that it goes to, or would go to if somebody had them. */
  readonly addresses: readonly string[];
  /** How many mails that makes for the whole server. */
  readonly mails: number;
  /** The client's address; null for none, as when the operator asks. */
  readonly ip: string | null;
}

/** How a mail was counted. */
export type Admission =
  | { readonly isAdmitted: true; /** Undefined: at once. */ readonly startAfter: Date | undefined }
  /** The budget of the whole server is spent. */
  | { readonly isAdmitted: false; readonly refusal: AuthError };

const AT_ONCE: Admission = { isAdmitted: true, startAfter: undefined };

/**
 * Counts mails per recipient, client, network and for the whole server, in the transaction of `em`, so that a refusal
 * by an exception counts nothing. Addresses without an account count like all others, so that no answer tells which
 * exist. Buckets are always drawn from in the same order, the server's last.
 */
@Injectable()
export class MailBudgetsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly limits: RateLimitsService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Lets an address ask for mails of a kind once in AUTH_MAIL_FREQUENCY seconds.
   * @throws AuthError 429 over_email_send_rate_limit
   */
  async assertNotTooSoon(em: EntityManager, timer: MailTimer, address: string): Promise<void> {
    const draw = await this.startTimer(em, timer, address);
    if (!draw.isGranted) throw tooSoon('over_email_send_rate_limit', draw.retryAfter);
  }

  /** Notes that such a mail was asked for just now. */
  async startTimer(em: EntityManager, timer: MailTimer, address: string): Promise<Draw> {
    const { frequency } = this.config.auth.mail;
    const limit = { count: frequency === 0 ? 0 : 1, seconds: frequency, burst: 1 };
    return await this.limits.draw(em, limit, this.timerKey(timer, address));
  }

  /** Lets an address ask for these mails again at once, because the last one was used. */
  async endTimers(em: EntityManager, timers: readonly MailTimer[], address: string): Promise<void> {
    for (const timer of timers) await this.limits.refill(em, this.timerKey(timer, address));
  }

  /**
   * Counts the mails of a request.
   * @throws AuthError 429 over_email_send_rate_limit when a recipient, the client or its network have had theirs
   */
  async take(em: EntityManager, request: MailRequest): Promise<Admission> {
    try {
      const admission = await this.count(em, request);
      this.metrics.accountMails.add(resultOf(admission));
      return admission;
    } catch (error) {
      if (error instanceof AuthError) this.metrics.accountMails.add('refused_to_one');
      throw error;
    }
  }

  private async count(em: EntityManager, request: MailRequest): Promise<Admission> {
    const { address, network, recovery } = this.config.auth.mailBudgets;
    const { addresses, isRecovery, mails } = request;
    const kind = kindOf(isRecovery);
    for (const recipient of addresses.toSorted()) {
      assertGranted(await this.drawForRecipient(em, isRecovery, recipient));
    }
    if (request.ip !== null) {
      assertGranted(await this.limits.draw(em, address, `mail-from:${kind}:${this.limits.keyOf(request.ip)}`));
      assertGranted(await this.limits.draw(em, network, `mail-network:${kind}:${networkOf(request.ip)}`));
    }
    // Where no address has to be confirmed, nobody waits for a mail, and it does not count (auth-api.md 1.9).
    if (this.config.auth.mail.isAutoconfirmed) return AT_ONCE;
    let admission: Admission = AT_ONCE;
    for (let count = 0; count < mails && admission.isAdmitted; count += 1) {
      const isKept = isRecovery && recovery.count > 0;
      admission = isKept ? await this.takeForRecovery(em) : await this.takeFromServer(em);
    }
    return admission;
  }

  /** Counts a mail to one more recipient, before {@link take}; false when that one has had enough. */
  async takeFurther(em: EntityManager, isRecovery: boolean, address: string): Promise<boolean> {
    return (await this.drawForRecipient(em, isRecovery, address)).isGranted;
  }

  /** Counts a mail to an administrator, when the budget of everybody else is spent. */
  async takeForAdmin(em: EntityManager): Promise<boolean> {
    const { admins } = this.config.auth.mailBudgets;
    return admins.count > 0 && (await this.limits.take(em, admins, 'mail:admins'));
  }

  /** Counts a mail that nobody asked for; false when it is to be left out. */
  async takeForNotice(em: EntityManager): Promise<boolean> {
    return (await this.takeFromServer(em)).isAdmitted;
  }

  private async takeFromServer(em: EntityManager): Promise<Admission> {
    return await this.takeOrWait(em, this.config.auth.mailBudgets.server, 'mail:server');
  }

  private async takeForRecovery(em: EntityManager): Promise<Admission> {
    const { server, recovery } = this.config.auth.mailBudgets;
    if (await this.limits.take(em, server, 'mail:server')) return AT_ONCE;
    return await this.takeOrWait(em, recovery, 'mail:recovery');
  }

  private async takeOrWait(em: EntityManager, limit: RateLimit, key: string): Promise<Admission> {
    if (limit.count === 0) return AT_ONCE;
    const rate = limit.count / limit.seconds;
    const draw = await this.limits.draw(em, limit, key, -rate * MAIL_TURN_SECONDS);
    if (!draw.isGranted) return { isAdmitted: false, refusal: tooManyMails(draw.retryAfter) };
    if (draw.tokens >= 0) return AT_ONCE;
    const waitMs = (-draw.tokens / rate) * 1000;
    return { isAdmitted: true, startAfter: new Date(this.clock.now().getTime() + waitMs) };
  }

  private async drawForRecipient(em: EntityManager, isRecovery: boolean, address: string): Promise<Draw> {
    const key = `mail-to:${kindOf(isRecovery)}:${this.hashAddress(address)}`;
    return await this.limits.draw(em, this.config.auth.mailBudgets.recipient, key);
  }

  private timerKey(timer: MailTimer, address: string): string {
    return `mail-timer:${timer}:${this.hashAddress(address)}`;
  }

  private hashAddress(address: string): string {
    return this.codec.hash(`address\0${address.toLowerCase()}`);
  }
}

function kindOf(isRecovery: boolean): string {
  return isRecovery ? 'recovery' : 'other';
}

function resultOf(admission: Admission): 'at_once' | 'waits' | 'refused_to_all' {
  if (!admission.isAdmitted) return 'refused_to_all';
  return admission.startAfter === undefined ? 'at_once' : 'waits';
}

function assertGranted(draw: Draw): void {
  if (!draw.isGranted) throw tooManyMails(draw.retryAfter);
}

function tooManyMails(retryAfter: number): AuthError {
  return new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded', {}, retryAfter);
}
