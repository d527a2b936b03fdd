import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { tooSoon } from '../api/input-rules.js';
import { PhoneCodesService } from '../codes/phone-codes.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RateLimitsService } from '../../http/rate-limits/rate-limits.service.js';
import { TokenCodec } from '../tokens/token-codec.js';
import type { FactorChallengeRow } from './factor-challenge.entity.js';
import type { FactorRow } from './factor.entity.js';

/** Codes by message as second factors. They are bound to their challenge, which is good once. */
@Injectable()
export class PhoneFactorsService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly codes: PhoneCodesService,
    private readonly limits: RateLimitsService,
    private readonly codec: TokenCodec,
  ) {}

  /**
   * Sends a code to the phone of a factor, one a minute (AUTH_SMS_FREQUENCY) for each person. Outside of any transaction,
   * as nothing undoes a message.
   * @returns the hash of it for the challenge
   * @throws AuthError 429 over_sms_send_rate_limit, 422 sms_send_failed
   */
  async send({ userId, phone }: FactorRow, challengeId: string): Promise<string> {
    const em = this.em.fork({ disableTransactions: true });
    const { frequency } = this.config.auth.sms;
    // By the person: a number that is added anew is a new factor.
    const key = `sms:factor:${userId}`;
    const draw = await this.limits.draw(em, { count: Math.min(1, frequency), seconds: frequency, burst: 1 }, key);
    if (!draw.isGranted) throw tooSoon('over_sms_send_rate_limit', draw.retryAfter);
    try {
      const send = () => Promise.resolve(this.codes.sendTo(phone ?? ''));
      return this.hash(challengeId, await this.codes.whileSending(send));
    } catch (error) {
      await this.limits.refill(em, key);
      throw error;
    }
  }

  /** Returns true for the code that was sent for this challenge. */
  isRight({ id, codeHash }: FactorChallengeRow, code: string): boolean {
    return codeHash != null && timingSafeEqual(Buffer.from(codeHash), Buffer.from(this.hash(id, code)));
  }

  private hash(challengeId: string, code: string): string {
    return this.codec.hash(`factor\0${challengeId}\0${code}`);
  }
}
