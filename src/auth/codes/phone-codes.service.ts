import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AuthError } from '../auth.error.js';
import { assertNotTooSoon } from '../api/input-rules.js';
import { replaceOneTimeToken } from './one-time-tokens.js';
import { RateLimitsService } from '../../http/rate-limits/rate-limits.service.js';
import { TokenCodec } from '../tokens/token-codec.js';
import type { UserRow } from '../accounts/user.entity.js';

/** Purposes of codes by message. */
export type PhoneCodePurpose = 'confirmation' | 'phone_change' | 'reauthentication';

const SENT_AT = {
  confirmation: 'confirmationSentAt',
  phone_change: 'phoneChangeSentAt',
  reauthentication: 'reauthenticationSentAt',
} as const satisfies Record<PhoneCodePurpose, keyof UserRow>;

const SEND_FAILED = 'sms_send_failed';

/** Codes by message. There is no provider that sends any: only the numbers of AUTH_SMS_TEST_OTP get one. */
@Injectable()
export class PhoneCodesService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly limits: RateLimitsService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /**
   * Hands out a code, as part of the transaction of `em`, which runs in {@link whileSending}.
   * @returns the id of the message
   * @throws AuthError 429 over_sms_send_rate_limit, 422 sms_send_failed
   */
  async send(em: EntityManager, user: UserRow, phone: string, purpose: PhoneCodePurpose): Promise<string> {
    const now = this.clock.now();
    const { frequency, otpExpiresIn } = this.config.auth.sms;
    assertNotTooSoon('over_sms_send_rate_limit', user[SENT_AT[purpose]], frequency, now);
    const code = this.sendTo(phone);
    user[SENT_AT[purpose]] = now;
    user.updatedAt = now;
    await em.flush();
    await replaceOneTimeToken(em, user, {
      type: purpose,
      tokenHash: this.codec.hash(this.codec.linkToken(phone, code)),
      isPkce: false,
      expiresAt: new Date(now.getTime() + otpExpiresIn * 1000),
    });
    return 'test-otp';
  }

  /**
   * Runs a transaction that may send a code. A message that could not be sent is counted too, because a provider would
   * charge for it: after the transaction, which the failure undoes, so that nobody needs two connections at once.
   * @throws AuthError 429 over_sms_send_rate_limit, and as the transaction does
   */
  async whileSending<T>(transaction: () => Promise<T>): Promise<T> {
    try {
      return await transaction();
    } catch (error) {
      if (error instanceof AuthError && error.code === SEND_FAILED) await this.countMessage();
      throw error;
    }
  }

  /**
   * Sends a code to a number, within {@link whileSending}: the place for a provider.
   * @returns the code
   * @throws AuthError 422 sms_send_failed
   */
  sendTo(phone: string): string {
    const { testCodes } = this.config.auth.sms;
    const code = Object.hasOwn(testCodes, phone) ? testCodes[phone] : undefined;
    if (code !== undefined) return code;
    const message = 'Error sending confirmation OTP to provider: no provider is configured';
    throw new AuthError(422, SEND_FAILED, message);
  }

  private async countMessage(): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    if (await this.limits.take(em, this.config.auth.limits.sms, 'sms:server')) return;
    throw new AuthError(429, 'over_sms_send_rate_limit', 'SMS rate limit exceeded');
  }
}
