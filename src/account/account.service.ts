import { EntityManager } from '@mikro-orm/postgresql';
import { HttpException, Injectable } from '@nestjs/common';
import { FreshProofService } from '../auth/accounts/fresh-proof.service.js';
import { RateLimitsService } from '../http/rate-limits/rate-limits.service.js';
import type { SignedInUser } from '../http/signed-in-user.js';
import { PrivacyService, type PersonalData } from '../privacy/privacy.service.js';

/** A copy reads the whole log. */
const EXPORTS = { count: 10, seconds: 3600, burst: 10 };

/** The copy and the end of the account that asks. */
@Injectable()
export class AccountService {
  constructor(
    private readonly em: EntityManager,
    private readonly limits: RateLimitsService,
    private readonly privacy: PrivacyService,
    private readonly proofs: FreshProofService,
  ) {}

  /** @throws HttpException 429 over_request_rate_limit */
  async exportData({ id, sessionId }: SignedInUser): Promise<PersonalData> {
    if (!(await this.limits.take(this.em.fork(), EXPORTS, `export:${id}`))) {
      throw new HttpException({ code: 'over_request_rate_limit', message: 'Try again in an hour.' }, 429);
    }
    return await this.privacy.exportOwn(id, sessionId);
  }

  /** @throws LastAdminException, and as {@link FreshProofService.prove} */
  async delete({ id, sessionId }: SignedInUser, password: string): Promise<void> {
    await this.privacy.eraseOwn(await this.proofs.prove(id, sessionId, password));
  }
}
