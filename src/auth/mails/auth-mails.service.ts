import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import {
  MailService,
  SIGN_IN_LINKS,
  type AuthMailAction,
  type AuthMailJob,
  type MintedToken,
} from '../../mail/mail.service.js';
import { RolesService } from '../../roles/roles.service.js';
import { Clock, isAhead } from '../../shared/clock.js';
import type { AuthError } from '../auth.error.js';
import { assertNotTooSoon } from '../api/input-rules.js';
import { MailBudgetsService } from './mail-budgets.service.js';
import type { OneTimeTokenType } from '../codes/one-time-token.entity.js';
import { LinkTokensService, type LinkToken } from '../codes/link-tokens.service.js';
import { lockUserBy } from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';

/** A mail to send, and the final target of its link. */
export interface MailWish {
  readonly action: AuthMailAction;
  readonly redirectTo: string;
  readonly isPkce: boolean;
  /** The account of whoever invites. */
  readonly invitedBy?: string | null;
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

/** Mails without which the owner of an account cannot go on. */
const RECOVERIES: ReadonlySet<AuthMailAction> = new Set(['recovery', 'reauthentication']);
const CONFIRMATIONS: ReadonlySet<AuthMailAction> = new Set(['signup', 'email_change']);

/** Asks for the mails of accounts, and makes their tokens at the moment they are sent. */
@Injectable()
export class AuthMailsService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly mails: MailService,
    private readonly budgets: MailBudgetsService,
    private readonly roles: RolesService,
    private readonly links: LinkTokensService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.mails.registerTokenMinter(this);
  }

  /**
   * Queues a mail for a user who has proven their identity, in the transaction of `em`, and notes the time on the user.
   * @param user locked by that transaction
   * @param ip the client's address; null when the operator asks, or a program of theirs
   * @throws AuthError 429 over_email_send_rate_limit, for this user, recipient, client or the whole server
   */
  async request(em: EntityManager, user: UserRow, wish: MailWish, ip: string | null): Promise<void> {
    const { frequency } = this.config.auth.mail;
    assertNotTooSoon('over_email_send_rate_limit', user[SENT_AT[wish.action]], frequency, this.clock.now());
    const recipients = this.recipients(user, wish.action);
    const addresses = recipients.map((to) => addressOf(user, to));
    const isRecovery = RECOVERIES.has(wish.action);
    const admission = await this.budgets.take(em, { isRecovery, addresses, mails: addresses.length, ip });
    if (!admission.isAdmitted) throw admission.refusal;
    await this.noteSent(em, user, wish);
    for (const to of recipients) await this.enqueue(em, user, to, wish, admission.startAfter);
  }

  /**
   * Queues a mail for an address that anybody may have named. It is counted under the address, and accepted or refused,
   * even if the address has no account.
   * @param user locked by the transaction; null when there is nothing to send
   * @returns an error to throw after the transaction has been committed
   * @throws AuthError 429 over_email_send_rate_limit, for this recipient, client or the whole server
   */
  async requestBy(
    em: EntityManager,
    { address, ip }: { readonly address: string; readonly ip: string },
    user: UserRow | null,
    wish: MailWish,
  ): Promise<AuthError | null> {
    const isRecovery = RECOVERIES.has(wish.action);
    const isWanted = user !== null && !this.wasJustSent(user, wish.action);
    const recipients = isWanted ? await this.countFurther(em, user, address, wish) : [];
    const mails = wish.action === 'email_change' && this.config.auth.mail.isChangeConfirmedTwice ? 2 : 1;
    const admission = await this.budgets.take(em, { isRecovery, addresses: [address], mails, ip });
    const refusal = admission.isAdmitted ? null : admission.refusal;
    if (refusal !== null && !isRecovery) throw refusal;
    // The reserve for administrators is used for them, but the answer must not reveal who they are.
    const isSent = refusal === null || (isWanted && (await this.takeForAdmin(em, user)));
    if (!isWanted || !isSent) return refusal;
    await this.noteSent(em, user, wish);
    const startAfter = admission.isAdmitted ? admission.startAfter : undefined;
    for (const to of recipients) await this.enqueue(em, user, to, wish, startAfter);
    return refusal;
  }

  /** The confirmed address of a user, for mails that carry no token. */
  async findAddress(userId: string): Promise<string | null> {
    const user = await this.em.fork({ disableTransactions: true }).findOne(User, { id: userId, deletedAt: null });
    return user?.emailConfirmedAt ? (user.email ?? null) : null;
  }

  /** Makes the token of a mail that is about to leave; the same one whenever this job is tried. */
  async mint(job: AuthMailJob, jobId: string): Promise<MintedToken | null> {
    return await this.em.fork().transactional(async (em) => {
      const user = await lockUserBy(em, { id: job.userId });
      const address = user === null ? null : addressFor(job, user);
      if (user === null || address === null) return null;
      const wish = { type: tokenType(job), purpose: job.action, address, isPkce: job.isPkce, name: jobId };
      const token = this.describe(job, user, { to: address, ...(await this.links.issue(em, user, wish)) });
      return job.action === 'invite' ? { ...token, invitation: await this.describeInvitation(em, job) } : token;
    });
  }

  /** As it is when the mail leaves: the role may be another one, and whoever invited may be gone. */
  private async describeInvitation(
    em: EntityManager,
    { userId, invitedBy }: AuthMailJob,
  ): Promise<NonNullable<MintedToken['invitation']>> {
    const host = invitedBy === undefined ? null : await em.findOne(User, { id: invitedBy, deletedAt: null });
    return { by: host?.email ?? null, standing: await this.roles.findStanding(userId, em) };
  }

  private describe(
    job: AuthMailJob,
    user: UserRow,
    { to, otp, tokenHash }: LinkToken & { readonly to: string },
  ): MintedToken {
    return {
      to,
      otp,
      tokenHash,
      verificationType: job.action,
      redirectTo: job.redirectTo,
      validForSeconds: this.links.validForSeconds(job.action),
      ...(this.config.auth.mail.link === 'verify'
        ? { verifyUrl: this.links.verifyUrl(tokenHash, job.action, job.redirectTo) }
        : {}),
      ...(job.action === 'email_change' && user.newEmail ? { newAddress: user.newEmail } : {}),
    };
  }

  private recipients(user: UserRow, action: AuthMailAction): AuthMailJob['to'][] {
    if (action !== 'email_change') return ['current'];
    return this.config.auth.mail.isChangeConfirmedTwice && user.email ? ['new', 'current'] : ['new'];
  }

  private async takeForAdmin(em: EntityManager, user: UserRow): Promise<boolean> {
    return (await this.roles.isAdmin(user.id, em)) && (await this.budgets.takeForAdmin(em));
  }

  /** Returns the recipients, without those beside `address` whose limit is spent. */
  private async countFurther(
    em: EntityManager,
    user: UserRow,
    address: string,
    { action }: MailWish,
  ): Promise<AuthMailJob['to'][]> {
    const recipients: AuthMailJob['to'][] = [];
    for (const to of this.recipients(user, action)) {
      const recipient = addressOf(user, to);
      const isCounted = recipient === address;
      if (isCounted || (await this.budgets.takeFurther(em, RECOVERIES.has(action), recipient))) recipients.push(to);
    }
    return recipients;
  }

  private async noteSent(em: EntityManager, user: UserRow, { action }: MailWish): Promise<void> {
    const now = this.clock.now();
    user[SENT_AT[action]] = now;
    user.updatedAt = now;
    // The queue refers to the user, who may be new.
    await em.flush();
  }

  private async enqueue(
    em: EntityManager,
    user: UserRow,
    to: AuthMailJob['to'],
    { action, redirectTo, isPkce, invitedBy }: MailWish,
    startAfter: Date | undefined,
  ): Promise<void> {
    // Those that wait for the mail server would void the link of this one when they leave.
    await this.mails.withdraw(em, user.id, SIGN_IN_LINKS.includes(action) ? SIGN_IN_LINKS : [action], to);
    const host = invitedBy == null ? {} : { invitedBy };
    const job = { kind: 'auth', userId: user.id, to, action, redirectTo, isPkce, ...host } as const;
    await this.mails.enqueue(em, job, startAfter);
  }

  /**
   * Returns true when a mail with the same effect left less than AUTH_MAIL_FREQUENCY ago through another call than the
   * one that was counted.
   */
  private wasJustSent(user: UserRow, action: AuthMailAction): boolean {
    const last = CONFIRMATIONS.has(action) ? user[SENT_AT[action]] : null;
    const now = this.clock.now();
    return (
      last != null && !isAhead(last, now) && last.getTime() + this.config.auth.mail.frequency * 1000 > now.getTime()
    );
  }
}

function addressOf(user: UserRow, to: AuthMailJob['to']): string {
  return (to === 'new' ? user.newEmail : user.email) ?? '';
}

/** Returns the address of a mail, or null when the mail is no longer needed. */
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
