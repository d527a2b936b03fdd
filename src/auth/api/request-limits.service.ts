import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { RateLimitName } from '../../config/auth-config.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RateLimitsService } from '../../http/rate-limits/rate-limits.service.js';
import { tooManyRequests } from '../auth.error.js';

/** The limits on calls of this API (auth-api.md 1.9), by address. */
@Injectable()
export class RequestLimitsService {
  constructor(
    private readonly em: EntityManager,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a request of a client.
   * @param ip the client's address
   * @throws AuthError 429 over_request_rate_limit
   */
  async countRequest(name: RateLimitName, ip: string): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    const draw = await this.limits.draw(em, this.config.auth.limits[name], `${name}:${this.limits.keyOf(ip)}`);
    if (!draw.isGranted) throw tooManyRequests(draw.retryAfter);
  }
}
