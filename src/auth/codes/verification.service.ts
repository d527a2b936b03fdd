import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';
import { isBanned } from '../tokens/authentication.service.js';
import type { Caller } from '../api/caller.js';
import { CodesService } from './codes.service.js';
import { EmailChangesService } from '../accounts/email-changes.service.js';
import { GuessNoticesService } from '../mails/guess-notices.service.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { readEmail, readPhone } from '../api/input-rules.js';
import { KnownDevicesService } from '../guesses/known-devices.service.js';
import { MailBudgetsService } from '../mails/mail-budgets.service.js';
import { OneTimeToken, type OneTimeTokenRow, type OneTimeTokenType } from './one-time-token.entity.js';
import { endsOfGoodTokens, findOneTimeToken, PKCE_PREFIX } from './one-time-tokens.js';
import { PkceService } from '../sessions/pkce.service.js';
import type { VerifyBody } from '../api/request-bodies.js';
import { SessionsService, type TokenResponse } from '../sessions/sessions.service.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { clearOneTimeTokens, confirmAddress, lockUserBy, withUniqueAddresses } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';

/** The answer to the first of two confirmations of an email change. */
export const HALF_CONFIRMED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const CONFIRMATIONS: ReadonlySet<OneTimeTokenType> = new Set(['confirmation', 'invited_signup']);

/** The mailboxes of a change of address, as the user's row names the one that has confirmed it. */
const MAILBOXES = { email_change_new: 1, email_change_current: 2 } as const;

/** The result of a verification. */
export type Verified =
  | { readonly kind: 'session'; readonly tokens: TokenResponse }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'half' };

/** The stored tokens that a type of verification accepts. */
const STORED_TYPES: Readonly<Record<string, readonly OneTimeTokenType[]>> = {
  signup: ['confirmation', 'invited_signup'],
  invite: ['confirmation', 'invited_signup'],
  magiclink: ['recovery'],
  recovery: ['recovery'],
  email: ['confirmation', 'invited_signup', 'recovery'],
  email_change: ['email_change_new', 'email_change_current'],
  sms: ['confirmation'],
  phone_change: ['phone_change'],
};
const PHONE_TYPES: ReadonlySet<string> = new Set(['sms', 'phone_change']);

/** POST and GET /verify (auth-api.md 3.8 and 3.9). Unknown, used and expired tokens get the same answer. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly codec: TokenCodec,
    private readonly sessions: SessionsService,
    private readonly emailChanges: EmailChangesService,
    private readonly codes: CodesService,
    private readonly guesses: GuessesService,
    private readonly devices: KnownDevicesService,
    private readonly notices: GuessNoticesService,
    private readonly budgets: MailBudgetsService,
    private readonly pkce: PkceService,
    private readonly clock: Clock,
  ) {}

  /** A code with its address, or the token of a link; the answer is a session. */
  async verify(body: VerifyBody, caller: Caller): Promise<Verified> {
    const { type, token } = body;
    assertWellFormed(body);
    if (token !== '') return await this.verifyCode(body, caller);
    return await this.spend(withoutPrefix(body.token_hash), type, { isPkce: false, failure: linkExpired() }, caller);
  }

  private async verifyCode({ email, phone, token, type }: VerifyBody, caller: Caller): Promise<Verified> {
    const address = email === '' ? readPhone(phone) : readEmailToVerify(email);
    const linkToken = this.codec.linkToken(address, token);
    const { owner, userIds } = await this.codes.findHolders(address, type);
    const source = owner === null ? '' : this.devices.sourceFor(caller, owner.id);
    const { isRight, failures } = await this.guesses.judgeCode(address, source, async () => {
      const isRight = await this.codes.compare(userIds, STORED_TYPES[type] ?? [], this.codec.hash(linkToken));
      return { isRight };
    });
    if (isRight) return await this.spend(linkToken, type, { isPkce: false, failure: otpExpired() }, caller);
    if (owner !== null && source === '') {
      await this.notices.noteFailures(owner, failures, this.config.auth.guesses.codes);
    }
    throw otpExpired();
  }

  /** The token of a link that was followed: a session, or a code when the link asks for one. */
  async follow(token: string, type: string, caller: Caller): Promise<Verified> {
    if (!Object.hasOwn(STORED_TYPES, type) || PHONE_TYPES.has(type)) throw invalid('Invalid email verification type');
    const isPkce = token.startsWith(PKCE_PREFIX);
    return await this.spend(withoutPrefix(token), type, { isPkce, failure: linkExpired() }, caller);
  }

  private async spend(
    linkToken: string,
    type: string,
    { isPkce, failure }: { readonly isPkce: boolean; readonly failure: AuthError },
    caller: Caller,
  ): Promise<Verified> {
    const tokenHash = this.codec.hash(linkToken);
    const types = STORED_TYPES[type] ?? [];
    return await withUniqueAddresses(() =>
      this.em.fork().transactional(async (em) => {
        const now = this.clock.now();
        const ends = endsOfGoodTokens(now, this.config.auth);
        const found = await findOneTimeToken(em, tokenHash, types, ends);
        const user = found === null ? null : await lockUserBy(em, { id: found.userId });
        // Looked for again under the lock: of two that come at once, one finds it spent.
        const token = user === null ? null : await findOneTimeToken(em, tokenHash, types, ends);
        if (user === null || token === null) throw failure;
        if (isBanned(user, now)) throw new AuthError(403, 'user_banned', 'User is banned');
        if ((await this.apply(em, user, token, type, now)) === 'half') return { kind: 'half' };
        await clearOneTimeTokens(em, user);
        await this.liftLimits(em, user, token);
        if (isPkce) return { kind: 'code', code: await this.issueCode(em, user, token, type) };
        return { kind: 'session', tokens: await this.sessions.begin(em, user, 'otp', caller) };
      }),
    );
  }

  private async apply(
    em: EntityManager,
    user: UserRow,
    token: OneTimeTokenRow,
    type: string,
    now: Date,
  ): Promise<'whole' | 'half'> {
    if (token.type === 'email_change_new' || token.type === 'email_change_current') {
      const { isChangeConfirmedTwice, isAutoconfirmed } = this.config.auth.mail;
      const mailbox = MAILBOXES[token.type];
      // The other one is needed: the same mailbox gets another mail when somebody asks for it, or a mail is sent twice.
      const isOtherMissing = [0, mailbox].includes(user.emailChangeConfirmations);
      // The present mailbox says nothing of the new one, also where settings have changed since the mails were sent.
      const isNewMissing = mailbox === MAILBOXES.email_change_current && isOtherMissing;
      if (isNewMissing || (isChangeConfirmedTwice && !isAutoconfirmed && user.email && isOtherMissing)) {
        user.emailChangeConfirmations = mailbox;
        user.updatedAt = now;
        await em.nativeDelete(OneTimeToken, { id: token.id });
        return 'half';
      }
      await this.emailChanges.complete(em, user, now, { isAssumed: false });
    } else if (token.type === 'phone_change') {
      await this.emailChanges.completePhone(em, user, now);
    } else if (PHONE_TYPES.has(type)) {
      await confirmAddress(em, user, 'phone', now);
    } else if (!user.emailConfirmedAt) {
      // Who asks for a new password has none. Whoever signed up with the address before its owner came has one. Its code comes
      // as an `email` as well: people do not say which mail it was in.
      if (token.type === 'recovery' && type !== 'magiclink') user.passwordHash = null;
      await confirmAddress(em, user, 'email', now);
    }
    return 'whole';
  }

  /** The code belongs to the challenge that was made for this kind of link. */
  private async issueCode(em: EntityManager, user: UserRow, token: OneTimeTokenRow, type: string): Promise<string> {
    const isSignup = type === 'signup' || (type === 'email' && CONFIRMATIONS.has(token.type));
    const method = isSignup ? 'email/signup' : type === 'email' ? 'magiclink' : type;
    return await this.pkce.issueCode(em, user, method);
  }

  /** Forgives wrong guesses: the owner of the account has read a mail to it, however often others have guessed. */
  private async liftLimits(em: EntityManager, user: UserRow, token: OneTimeTokenRow): Promise<void> {
    await this.guesses.lift(em, user);
    if (!CONFIRMATIONS.has(token.type) || !user.email || !user.emailConfirmedAt) return;
    await this.budgets.endTimers(em, ['signup', 'confirmation', 'recovery'], user.email);
  }
}

function assertWellFormed({ type, token, token_hash: tokenHash, email, phone, redirect_to: target }: VerifyBody): void {
  if (type === '') throw invalid('Verify requires a verification type');
  if ((token === '') === (tokenHash === '')) throw invalid('Verify requires either a token or a token hash');
  if (token !== '' && (email === '') === (phone === '')) {
    throw invalid('Only an email address or phone number should be provided on verify');
  }
  if (tokenHash !== '' && (email !== '' || phone !== '' || target !== '')) {
    throw invalid('Only the token_hash and type should be provided');
  }
  const isKnown = Object.hasOwn(STORED_TYPES, type);
  if (tokenHash !== '' && (!isKnown || PHONE_TYPES.has(type))) throw invalid('Invalid email verification type');
  if (token !== '' && (!isKnown || PHONE_TYPES.has(type) !== (phone !== ''))) {
    throw invalid('Unsupported verification type');
  }
}

function readEmailToVerify(email: string): string {
  try {
    return readEmail(email);
  } catch {
    throw new AuthError(422, 'validation_failed', 'Invalid email format');
  }
}

function withoutPrefix(token: string): string {
  return token.startsWith(PKCE_PREFIX) ? token.slice(PKCE_PREFIX.length) : token;
}

function otpExpired(): AuthError {
  return new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
}

function linkExpired(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}
