import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { MailService, type AuthMailAction, type AuthMailJob, type MintedToken } from '../mail/mail.service.js';
import { Clock } from '../shared/clock.js';
import { AuthError } from './auth.error.js';
import { assertNotTooSoon } from './input-rules.js';
import type { OneTimeTokenType } from './one-time-token.entity.js';
import { PKCE_PREFIX, replaceOneTimeToken } from './one-time-tokens.js';
import { RateLimitsService } from './rate-limits.service.js';
import { TokenCodec } from './token-codec.js';
import { lockUserBy } from './user-records.js';
import type { UserRow } from './user.entity.js';

/** What a mail is to carry, and where its link leads in the end. */
export interface MailWish {
  readonly action: AuthMailAction;
  readonly redirectTo: string;
  readonly isPkce: boolean;
}

/** When a mail of a kind was last asked for; a magic link shares the timer of recovery. */
const SENT_AT = {
  signup: 'confirmationSentAt',
  invite: 'confirmationSentAt',
  recovery: 'recoverySentAt',
  magiclink: 'recoverySentAt',
  email_change: 'emailChangeSentAt',
  reauthentication: 'reauthenticationSentAt',
} as const satisfies Record<AuthMailAction, keyof UserRow>;

/** Asks for the mails of accounts, and makes their tokens at the moment they are sent. */
@Injectable()
export class AuthMailsService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly mails: MailService,
    private readonly limits: RateLimitsService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.mails.registerTokenMinter(this);
  }

  /**
   * Queues a mail as part of the transaction of `em`, and notes the time on the user.
   * @param user locked by that transaction
   * @throws AuthError 429 over_email_send_rate_limit, for this user or for the whole server
   */
  async request(em: EntityManager, user: UserRow, wish: MailWish): Promise<void> {
    const now = this.clock.now();
    const sentAt = SENT_AT[wish.action];
    assertNotTooSoon('over_email_send_rate_limit', user[sentAt], this.config.auth.mail.frequency, now);
    user[sentAt] = now;
    user.updatedAt = now;
    // The queue refers to the user, who may be new.
    await em.flush();
    for (const to of this.recipients(user, wish.action)) {
      await this.countMail(em);
      await this.mails.enqueue(em, { kind: 'auth', userId: user.id, to, ...wish });
    }
  }

  /** Makes the token of a mail that is about to leave; the same one whenever this job is tried. */
  async mint(job: AuthMailJob, jobId: string): Promise<MintedToken | null> {
    return await this.em.fork().transactional(async (em) => {
      const user = await lockUserBy(em, { id: job.userId });
      const address = user === null ? null : addressFor(job, user);
      if (user === null || address === null) return null;
      const { otpExpiresIn } = this.config.auth.mail;
      const otp = this.codec.codeOf(jobId, this.config.auth.otpLength);
      const token = this.codec.linkToken(address, otp);
      await replaceOneTimeToken(em, user, {
        type: tokenType(job),
        tokenHash: this.codec.hash(token),
        isPkce: job.isPkce,
        expiresAt: new Date(this.clock.now().getTime() + otpExpiresIn * 1000),
      });
      return this.describe(job, user, { to: address, otp, token });
    });
  }

  private describe(
    job: AuthMailJob,
    user: UserRow,
    { to, otp, token }: { readonly to: string; readonly otp: string; readonly token: string },
  ): MintedToken {
    const tokenHash = job.isPkce ? `${PKCE_PREFIX}${token}` : token;
    const query = new URLSearchParams({ token: tokenHash, type: job.action, redirect_to: job.redirectTo });
    return {
      to,
      otp,
      tokenHash,
      verificationType: job.action,
      redirectTo: job.redirectTo,
      validForSeconds: this.config.auth.mail.otpExpiresIn,
      ...(this.config.auth.mail.link === 'verify'
        ? { verifyUrl: `${this.config.auth.externalUrl}/verify?${query.toString()}` }
        : {}),
      ...(job.action === 'email_change' && user.newEmail ? { newAddress: user.newEmail } : {}),
    };
  }

  private recipients(user: UserRow, action: AuthMailAction): AuthMailJob['to'][] {
    if (action !== 'email_change') return ['current'];
    return this.config.auth.mail.isChangeConfirmedTwice && user.email ? ['new', 'current'] : ['new'];
  }

  private async countMail(em: EntityManager): Promise<void> {
    if (this.config.auth.mail.isAutoconfirmed || (await this.limits.take(em, 'mail', 'server'))) return;
    throw new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded');
  }
}

/** Where a mail goes; null when it is no longer wanted. */
function addressFor({ action, to }: AuthMailJob, user: UserRow): string | null {
  if (action === 'email_change') {
    if (!user.newEmail) return null;
    return (to === 'new' ? user.newEmail : user.email) ?? null;
  }
  const isConfirmation = action === 'signup' || action === 'invite';
  if (isConfirmation && user.emailConfirmedAt) return null;
  return user.email ?? null;
}

function tokenType({ action, to }: AuthMailJob): OneTimeTokenType {
  switch (action) {
    case 'signup':
    case 'invite':
      return 'confirmation';
    case 'recovery':
    case 'magiclink':
      return 'recovery';
    case 'email_change':
      return to === 'new' ? 'email_change_new' : 'email_change_current';
    case 'reauthentication':
      return 'reauthentication';
  }
}
