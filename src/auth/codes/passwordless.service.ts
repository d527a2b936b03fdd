import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { AuthError, invalid } from '../auth.error.js';
import { AuthMailsService } from '../mails/auth-mails.service.js';
import type { Caller } from '../api/caller.js';
import { readChallenge, readEmail, readPhone, type Challenge } from '../api/input-rules.js';
import { MailBudgetsService } from '../mails/mail-budgets.service.js';
import { PhoneCodesService } from './phone-codes.service.js';
import { PkceService } from '../sessions/pkce.service.js';
import type { OtpBody, RecoverBody, ResendBody } from '../api/request-bodies.js';
import { isConfirmed, SignupService } from '../accounts/signup.service.js';
import { assertMetadataFits, lockUserBy, withUniqueAddresses } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';

/** The answer of most of these calls is an empty object, whatever happened. */
export type MessageAnswer = { readonly message_id?: string };

/** Sends magic links, codes and recovery mails, and sends them again (auth-api.md 3.5 to 3.7). */
@Injectable()
export class PasswordlessService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly signups: SignupService,
    private readonly mails: AuthMailsService,
    private readonly budgets: MailBudgetsService,
    private readonly phoneCodes: PhoneCodesService,
    private readonly pkce: PkceService,
  ) {}

  /** POST /otp: a code or magic link, for new people too unless they are not wanted. */
  async sendOtp(body: OtpBody, caller: Caller): Promise<MessageAnswer> {
    const { email, phone, channel } = body;
    if (email !== '' && phone !== '') throw invalid('Only an email address or phone number should be provided');
    if (email !== '' && channel !== '') throw invalid('Channel should only be specified with Phone OTP');
    const challenge = readChallenge(body);
    if (!body.create_user && !(await this.isKnown(email, phone))) {
      throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
    }
    if (email !== '') return await this.sendMagicLink(body, challenge, caller);
    if (phone !== '') return await this.sendPhoneOtp(body, caller);
    throw invalid('One of email or phone must be set');
  }

  /** POST /magiclink: the same for email alone. */
  async sendMagicLink(
    body: Pick<OtpBody, 'email' | 'data'>,
    challenge: Challenge,
    caller: Caller,
  ): Promise<MessageAnswer> {
    if (!this.config.auth.mail.isEnabled) {
      throw new AuthError(422, 'email_provider_disabled', 'Email logins are disabled');
    }
    const email = readEmail(body.email);
    assertMetadataFits(body.data);
    return await withUniqueAddresses(() =>
      this.answerAfterCommit(async (em) => {
        const known = await lockUserBy(em, { email });
        if (known === null) this.signups.assertSignupOpen();
        await this.budgets.assertNotTooSoon(em, 'recovery', email);
        await this.budgets.startTimer(em, 'confirmation', email);
        if (known === null || !isConfirmed(known, 'email')) {
          const signup = { channel: 'email', address: email, passwordHash: null, data: body.data, challenge } as const;
          const user = await this.signups.prepare(em, known, signup, caller);
          if (!isConfirmed(user, 'email')) return null;
          return await this.mail(em, email, user, 'magiclink', challenge, caller);
        }
        return await this.mail(em, email, known, 'magiclink', challenge, caller);
      }),
    );
  }

  /**
   * POST /recover: the way to a new password. The answer is the same for people who are not known, and where nobody signs in
   * with an address: the mail would let them in.
   */
  async recover(body: RecoverBody, caller: Caller): Promise<MessageAnswer> {
    const email = readEmail(body.email);
    const challenge = readChallenge(body);
    return await this.answerAfterCommit(async (em) => {
      const user = this.config.auth.mail.isEnabled ? await lockUserBy(em, { email }) : null;
      await this.budgets.assertNotTooSoon(em, 'recovery', email);
      return await this.mail(em, email, user, 'recovery', challenge, caller);
    });
  }

  /** POST /resend: sends the last mail or message again; silent when there is nothing to send. */
  async resend(body: ResendBody, caller: Caller): Promise<MessageAnswer> {
    const { type, email, phone } = body;
    this.assertResendable(body);
    const challenge = readChallenge(body);
    if (phone !== '') return await this.resendMessage(readPhone(phone), type);
    const address = readEmail(email);
    return await this.answerAfterCommit(async (em) => {
      const user = await lockUserBy(em, { email: address });
      if (type === 'signup') {
        await this.budgets.assertNotTooSoon(em, 'confirmation', address);
        const waiting = user?.emailConfirmedAt || !this.config.auth.mail.isEnabled ? null : user;
        return await this.mail(em, address, waiting, 'signup', challenge, caller);
      }
      if (type === 'email_change') {
        await this.budgets.assertNotTooSoon(em, 'email_change', address);
        const waiting = user?.newEmail ? user : null;
        return await this.mail(em, address, waiting, 'email_change', challenge, caller);
      }
      return null;
    });
  }

  private async resendMessage(phone: string, type: string): Promise<MessageAnswer> {
    return await this.messaging(async (em) => {
      const user = await lockUserBy(em, { phone });
      if (type === 'sms' && user?.phone && !user.phoneConfirmedAt) {
        return await this.message(em, user, user.phone, 'confirmation');
      }
      if (type === 'phone_change' && user?.newPhone) {
        return await this.message(em, user, user.newPhone, 'phone_change');
      }
      return {};
    });
  }

  private assertResendable({ type, email, phone }: ResendBody): void {
    if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type)) {
      throw invalid('Missing one of these types: signup, email_change, sms, phone_change');
    }
    if (type === 'signup' && email === '') throw invalid('Type provided requires an email address');
    if (type === 'sms' && phone === '') throw invalid('Type provided requires a phone number');
    if (email !== '' && phone !== '') {
      throw invalid('Only an email address or phone number should be provided.');
    }
    if (email === '' && phone === '') throw invalid('Missing email address or phone number');
    if (phone === '' || this.config.auth.sms.isEnabled) return;
    throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled');
  }

  private async sendPhoneOtp(body: OtpBody, caller: Caller): Promise<MessageAnswer> {
    if (!this.config.auth.sms.isEnabled) {
      throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
    }
    const phone = readPhone(body.phone);
    assertMetadataFits(body.data);
    return await withUniqueAddresses(() =>
      this.messaging(async (em) => {
        const known = await lockUserBy(em, { phone });
        if (known === null) this.signups.assertSignupOpen();
        const signup = {
          channel: 'phone',
          address: phone,
          passwordHash: null,
          data: body.data,
          challenge: null,
        } as const;
        const user = known ?? (await this.signups.create(em, signup, caller));
        return await this.message(em, user, phone, 'confirmation');
      }),
    );
  }

  private async isKnown(email: string, phone: string): Promise<boolean> {
    try {
      const where = email === '' ? { phone: readPhone(phone) } : { email: readEmail(email) };
      return (await this.em.fork().transactional((em) => lockUserBy(em, where))) !== null;
    } catch (error) {
      if (error instanceof AuthError) return false;
      throw error;
    }
  }

  private async mail(
    em: EntityManager,
    address: string,
    user: UserRow | null,
    action: 'signup' | 'magiclink' | 'recovery' | 'email_change',
    challenge: Challenge,
    caller: Caller,
  ): Promise<AuthError | null> {
    const wish = { action, redirectTo: caller.redirectTo, isPkce: challenge !== null };
    const refusal = await this.mails.requestBy(em, { address, ip: caller.ip }, user, wish);
    if (user === null) return refusal;
    await this.pkce.begin(em, user, action === 'signup' ? 'email/signup' : action, challenge);
    return refusal;
  }

  /** Throws a refusal after the transaction was committed, so that its changes are kept: the task returns it. */
  private async answerAfterCommit(
    task: (em: EntityManager) => Promise<AuthError | null>,
  ): Promise<Record<string, never>> {
    const refusal = await this.em.fork().transactional(task);
    if (refusal !== null) throw refusal;
    return {};
  }

  private async messaging<T>(task: (em: EntityManager) => Promise<T>): Promise<T> {
    return await this.phoneCodes.whileSending(() => this.em.fork().transactional(task));
  }

  private async message(
    em: EntityManager,
    user: UserRow,
    phone: string,
    purpose: 'confirmation' | 'phone_change',
  ): Promise<MessageAnswer> {
    return { message_id: await this.phoneCodes.send(em, user, phone, purpose) };
  }
}
