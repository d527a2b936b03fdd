import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { MailService } from '../../mail/mail.service.js';
import { MailBudgetsService } from './mail-budgets.service.js';
import { RateLimitsService } from '../../http/rate-limits/rate-limits.service.js';
import type { UserRow } from '../accounts/user.entity.js';

const ONCE_A_DAY = { count: 1, seconds: 24 * 3600, burst: 1 };

/** Tells the owner of an account by mail that somebody guesses, once a day at most. */
@Injectable()
export class GuessNoticesService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly mails: MailService,
    private readonly budgets: MailBudgetsService,
    private readonly limits: RateLimitsService,
  ) {}

  /** @param failures wrong guesses of strangers in 24 hours, the one just made included */
  async noteFailures(user: UserRow, failures: number, limit: number): Promise<void> {
    const { noticeAfter } = this.config.auth.guesses;
    // Where fewer guesses are allowed, the last of them.
    const threshold = limit === 0 ? noticeAfter : Math.min(noticeAfter, limit);
    if (noticeAfter === 0 || failures < threshold || !user.email || !user.emailConfirmedAt) return;
    await this.em.fork().transactional(async (em) => {
      if (!(await this.limits.take(em, ONCE_A_DAY, `guess-notice:${user.id}`))) return;
      // The next wrong guess tries again.
      if (!(await this.budgets.takeForNotice(em))) await this.limits.refill(em, `guess-notice:${user.id}`);
      else await this.mails.enqueue(em, { kind: 'guesses', userId: user.id });
    });
  }
}
