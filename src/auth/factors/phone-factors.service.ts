import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { assertNotTooSoon, tooSoon } from '../api/input-rules.js';
import { PhoneCodesService } from '../codes/phone-codes.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { TokenCodec } from '../tokens/token-codec.js';
import type { FactorChallengeRow } from './factor-challenge.entity.js';
import { Factor, type FactorRow } from './factor.entity.js';

/** Codes by message as second factors. They are bound to their challenge, which is good once. */
@Injectable()
export class PhoneFactorsService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly codes: PhoneCodesService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a code to the phone of a factor, outside of any transaction: nothing undoes a message.
   * @returns the hash of it for the challenge
   * @throws AuthError 429 over_sms_send_rate_limit, 422 sms_send_failed
   */
  async send({ id, phone, lastChallengedAt = null }: FactorRow, challengeId: string): Promise<string> {
    const em = this.em.fork({ disableTransactions: true });
    const { frequency } = this.config.auth.sms;
    const now = this.clock.now();
    assertNotTooSoon('over_sms_send_rate_limit', lastChallengedAt, frequency, now);
    // Of several calls at once, one sends.
    const claimed = await em.nativeUpdate(Factor, { id, lastChallengedAt }, { lastChallengedAt: now });
    if (claimed === 0) throw tooSoon('over_sms_send_rate_limit', Math.max(1, frequency));
    try {
      const send = () => Promise.resolve(this.codes.sendTo(phone ?? ''));
      return this.hash(challengeId, await this.codes.whileSending(send));
    } catch (error) {
      await em.nativeUpdate(Factor, { id, lastChallengedAt: now }, { lastChallengedAt });
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
