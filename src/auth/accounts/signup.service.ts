import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { RolesService } from '../../roles/roles.service.js';
import { Clock } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';
import { AuthMailsService } from '../mails/auth-mails.service.js';
import type { Caller } from '../api/caller.js';
import { readChallenge, readEmail, readPhone, type Challenge } from '../api/input-rules.js';
import { MailBudgetsService } from '../mails/mail-budgets.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { PhoneCodesService } from '../codes/phone-codes.service.js';
import { PkceService } from '../sessions/pkce.service.js';
import type { SignupBody } from '../api/request-bodies.js';
import { SessionsService, type TokenResponse } from '../sessions/sessions.service.js';
import { isBanned } from '../tokens/authentication.service.js';
import {
  assertMetadataFits,
  confirmAddress,
  createUser,
  lockUserBy,
  presentUser,
  signupDisabled,
  withUniqueAddresses,
} from './user-records.js';
import type { Metadata, UserRow } from './user.entity.js';
import type { Json } from './user.presenter.js';

/** A sign-up with an address, as it is carried out. */
export interface Signup {
  readonly channel: 'email' | 'phone';
  readonly address: string;
  readonly passwordHash: string | null;
  readonly data: Metadata;
  readonly challenge: Challenge;
}

/** Members of the answer about a user who was there before, beside the address that was said. */
const TOLD_OF_SOMEBODY: readonly string[] = [
  ...['id', 'aud', 'role', 'invited_at', 'confirmation_sent_at', 'created_at', 'updated_at', 'is_anonymous'],
];

/** POST /signup (auth-api.md 3.1). */
@Injectable()
export class SignupService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly mails: AuthMailsService,
    private readonly budgets: MailBudgetsService,
    private readonly phoneCodes: PhoneCodesService,
    private readonly pkce: PkceService,
    private readonly sessions: SessionsService,
    private readonly roles: RolesService,
    private readonly clock: Clock,
  ) {}

  /** Signs somebody up who stays nameless. */
  async signUpAnonymously(data: Metadata, caller: Caller): Promise<TokenResponse> {
    if (!this.config.auth.isAnonymousEnabled) {
      throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
    }
    this.assertSignupOpen();
    return await this.em.fork().transactional(async (em) => {
      const input = { aud: this.audienceOf(caller), data, isSelfSignup: true, isAnonymous: true };
      return await this.sessions.begin(em, createUser(em, input, this.clock.now()), 'anonymous', caller);
    });
  }

  /** A user without a session while the address is to be confirmed, else tokens. */
  async signUp(body: SignupBody, caller: Caller): Promise<Json | TokenResponse> {
    const { email, phone, password, data } = body;
    this.assertSignupOpen();
    if (password === '') throw invalid('Signup requires a valid password');
    await this.passwords.assertStrong(password, email || phone);
    if (email !== '' && phone !== '') {
      throw invalid('Only an email address or phone number should be provided on signup.');
    }
    const channel = email === '' ? 'phone' : 'email';
    this.assertEnabled(channel);
    const address = channel === 'email' ? readEmail(email) : readPhone(phone);
    const challenge = readChallenge(body);
    assertMetadataFits(data);
    // Before anything is known of the address, so that the time tells nothing about it.
    const passwordHash = await this.passwords.hash(password);
    const signup = { channel, address, passwordHash, data, challenge } as const;
    const register = () =>
      this.em.fork().transactional(async (em) => {
        const user = await lockUserBy(em, channel === 'email' ? { email: address } : { phone: address });
        if (user !== null && isConfirmed(user, channel)) return await this.answerTaken(em, signup, caller);
        if (channel === 'email' && !this.isAutoconfirmed(channel)) await this.assertNotTooSoon(em, user, address);
        const registered = await this.prepare(em, user, signup, caller);
        if (!isConfirmed(registered, channel))
          return await this.answerUnconfirmed(em, registered, channel, user !== null);
        // Where nothing is to be confirmed, anybody may sign up with an address that an operator has banned.
        if (isBanned(registered, this.clock.now())) throw new AuthError(403, 'user_banned', 'User is banned');
        return await this.sessions.begin(em, registered, 'password', caller);
      });
    return await withUniqueAddresses(() => this.phoneCodes.whileSending(register));
  }

  /**
   * The user of an address, created if there is none: confirmed where addresses need no confirmation, else a mail or
   * message asks for it. One who has a role, or another way in, proves the address by a mail or message in any case.
   * @param existing the unconfirmed user of that address, locked
   */
  async prepare(em: EntityManager, existing: UserRow | null, signup: Signup, caller: Caller): Promise<UserRow> {
    const user = existing ?? (await this.create(em, signup, caller));
    // Whoever knows the address of somebody who was invited as an author, or comes in by another way, is not that person.
    const isTrusted =
      existing === null || (!hasOtherWay(existing) && (await this.roles.findStanding(existing.id, em)) === null);
    if (this.isAutoconfirmed(signup.channel) && isTrusted)
      await confirmAddress(em, user, signup.channel, this.clock.now(), { isAssumed: true });
    else await this.askForConfirmation(em, user, signup, caller);
    await em.flush();
    return user;
  }

  /** A new user of an address, not confirmed. */
  async create(em: EntityManager, signup: Signup, caller: Caller): Promise<UserRow> {
    const { channel, address, passwordHash, data } = signup;
    const input = { aud: this.audienceOf(caller), [channel]: address, passwordHash, data, isSelfSignup: true };
    const user = createUser(em, input, this.clock.now());
    await em.flush();
    return user;
  }

  /** @throws AuthError 422 signup_disabled */
  assertSignupOpen(): void {
    if (this.config.auth.isSignupDisabled) throw signupDisabled();
  }

  private async answerUnconfirmed(
    em: EntityManager,
    user: UserRow,
    channel: 'email' | 'phone',
    isKnown: boolean,
  ): Promise<Json> {
    const { factors: _factors, ...json } = await presentUser(em, user);
    // Who was invited, or comes in by another way, is somebody: whoever knows the address should learn no more of them.
    if (!isKnown || !(user.invitedAt || hasOtherWay(user))) return json;
    const told = [...TOLD_OF_SOMEBODY, channel].flatMap((name) => (name in json ? [[name, json[name]] as const] : []));
    const hidden = { email: '', phone: '', user_metadata: {}, app_metadata: {}, identities: [] };
    return { ...hidden, ...Object.fromEntries(told) };
  }

  private isAutoconfirmed(channel: 'email' | 'phone'): boolean {
    return channel === 'email' ? this.config.auth.mail.isAutoconfirmed : this.config.auth.sms.isAutoconfirmed;
  }

  private async askForConfirmation(em: EntityManager, user: UserRow, signup: Signup, caller: Caller): Promise<void> {
    if (signup.channel === 'phone') {
      await this.phoneCodes.send(em, user, signup.address, 'confirmation');
      return;
    }
    await this.requestMail(em, user, signup, caller);
    await this.pkce.begin(em, user, 'email/signup', signup.challenge);
  }

  private async requestMail(em: EntityManager, user: UserRow | null, signup: Signup, caller: Caller): Promise<void> {
    const wish = { action: 'signup', redirectTo: caller.redirectTo, isPkce: signup.challenge !== null } as const;
    await this.mails.requestBy(em, { address: signup.address, ip: caller.ip }, user, wish);
  }

  /** A new user is not refused because others have asked for mails to that address. */
  private async assertNotTooSoon(em: EntityManager, known: UserRow | null, address: string): Promise<void> {
    if (known === null) await this.budgets.startTimer(em, 'signup', address);
    else await this.budgets.assertNotTooSoon(em, 'signup', address);
    await this.budgets.startTimer(em, 'confirmation', address);
  }

  private async answerTaken(em: EntityManager, signup: Signup, caller: Caller): Promise<Json> {
    const { channel, address, data } = signup;
    const { mail, sms, duplicateSignup } = this.config.auth;
    if (mail.isAutoconfirmed || sms.isAutoconfirmed || duplicateSignup === 'reveal') {
      throw new AuthError(422, 'user_already_exists', 'User already registered');
    }
    // Counted like a sign-up that succeeds.
    if (channel === 'email') {
      await this.budgets.assertNotTooSoon(em, 'signup', address);
      await this.budgets.startTimer(em, 'confirmation', address);
      await this.requestMail(em, null, signup, caller);
    }
    return pretendedUser(channel, address, data, this.config.auth.jwt.audience, this.clock.now());
  }

  private assertEnabled(channel: 'email' | 'phone'): void {
    const { mail, sms } = this.config.auth;
    if (channel === 'email' ? mail.isEnabled : sms.isEnabled) return;
    const name = channel === 'email' ? 'Email' : 'Phone';
    throw new AuthError(400, `${channel}_provider_disabled`, `${name} signups are disabled`);
  }

  private audienceOf(caller: Caller): string {
    return caller.audience ?? this.config.auth.jwt.audience;
  }
}

/** Returns true when the user has confirmed the email address or phone number. */
export function isConfirmed(user: UserRow, channel: 'email' | 'phone'): boolean {
  return Boolean(channel === 'email' ? user.emailConfirmedAt : user.phoneConfirmedAt);
}

/**
 * Returns true for somebody who comes in, or can, by another way than the address that they have not confirmed. Who was made
 * with a confirmed phone number may not have come yet.
 */
function hasOtherWay({ emailConfirmedAt, phoneConfirmedAt, lastSignInAt }: UserRow): boolean {
  return Boolean(emailConfirmedAt ?? phoneConfirmedAt ?? lastSignInAt);
}

/** Makes up the answer to a sign-up with a taken address (`duplicateSignup` conceal), close to that for a new one. */
function pretendedUser(channel: 'email' | 'phone', address: string, data: Metadata, aud: string, now: Date): Json {
  return {
    id: randomUUID(),
    aud,
    role: '',
    email: channel === 'email' ? address : '',
    phone: channel === 'phone' ? address : '',
    confirmation_sent_at: now,
    app_metadata: { provider: channel, providers: [channel] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
