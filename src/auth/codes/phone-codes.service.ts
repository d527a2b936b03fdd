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
   * Hands out a code, as part of the transaction of `em`.
   * @returns the id of the message
   * @throws AuthError 429 over_sms_send_rate_limit, 422 sms_send_failed
   */
  async send(em: EntityManager, user: UserRow, phone: string, purpose: PhoneCodePurpose): Promise<string> {
    const now = this.clock.now();
    const { frequency, otpExpiresIn } = this.config.auth.sms;
    assertNotTooSoon('over_sms_send_rate_limit', user[SENT_AT[purpose]], frequency, now);
    const code = await this.sendTo(phone);
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
   * Sends a code to a number: the place for a provider.
   * @returns the code
   * @throws AuthError 429 over_sms_send_rate_limit, 422 sms_send_failed
   */
  async sendTo(phone: string): Promise<string> {
    const { testCodes } = this.config.auth.sms;
    const code = Object.hasOwn(testCodes, phone) ? testCodes[phone] : undefined;
    if (code !== undefined) return code;
    await this.countMessage();
    const message = 'Error sending confirmation OTP to provider: no provider is configured';
    throw new AuthError(422, 'sms_send_failed', message);
  }

  /** Counts messages that cannot be sent too, because a provider would charge for them. */
  private async countMessage(): Promise<void> {
    // Outside of the transaction, which the failure undoes.
    const em = this.em.fork({ disableTransactions: true });
    if (await this.limits.take(em, this.config.auth.limits.sms, 'sms:server')) return;
    throw new AuthError(429, 'over_sms_send_rate_limit', 'SMS rate limit exceeded');
  }
}
