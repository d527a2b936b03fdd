import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RateLimitsService } from '../../http/rate-limits/rate-limits.service.js';
import { MailService, type AccountEvent } from '../../mail/mail.service.js';
import { RolesService } from '../../roles/roles.service.js';
import { Clock } from '../../shared/clock.js';
import { MailBudgetsService } from './mail-budgets.service.js';

export type { AccountEvent } from '../../mail/mail.service.js';

const DAY_SECONDS = 24 * 3600;
/** Mails about one kind of event of one account. */
const PER_KIND = { count: 5, seconds: DAY_SECONDS, burst: 5 };
const ONCE_A_DAY = { count: 1, seconds: DAY_SECONDS, burst: 1 };

/** Further facts about a notice. */
interface NoticeOptions {
  /** Events of one name are told once a day, like those of one network and browser. */
  readonly name?: string;
  /** The address that the account had before, which hears of the event too. */
  readonly formerAddress?: string | null;
}

/**
 * Tells administrators and authors by mail what happened to their accounts: the one place that does. Whoever changes how somebody
 * signs in calls {@link tell} in the transaction of the change, which holds the user, as its last step: the mail leaves if
 * the change is committed, through the queue, and the change fails for none of the limits.
 *
 * Other people hear nothing. For a new kind of event, add it to `AccountEvent` (src/mail/mail-job.ts) and its words to
 * src/mail/templates/account-notice.ts.
 */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly roles: RolesService,
    private readonly mails: MailService,
    private readonly budgets: MailBudgetsService,
    private readonly limits: RateLimitsService,
    private readonly clock: Clock,
  ) {}

  /** Queues the mail about an event if the account is an administrator's or author's, and the limits leave room for it. */
  async tell(em: EntityManager, userId: string, event: AccountEvent, options: NoticeOptions = {}): Promise<void> {
    if ((await this.roles.findStanding(userId, em)) === null || !(await this.isDue(em, userId, event, options))) return;
    const job = { kind: 'account', userId, event, at: this.clock.now().toISOString() } as const;
    if (await this.takeFromBudgets(em)) await this.mails.enqueue(em, job);
    const { formerAddress } = options;
    if (formerAddress && (await this.takeFromBudgets(em))) await this.mails.enqueue(em, { ...job, formerAddress });
  }

  private async isDue(
    em: EntityManager,
    userId: string,
    { kind }: AccountEvent,
    { name }: NoticeOptions,
  ): Promise<boolean> {
    const key = `account-notice:${userId}:${kind}`;
    if (name !== undefined && !(await this.limits.take(em, ONCE_A_DAY, `${key}:${name}`))) return false;
    return await this.limits.take(em, PER_KIND, key);
  }

  private async takeFromBudgets(em: EntityManager): Promise<boolean> {
    return (await this.budgets.takeForNotice(em)) || (await this.budgets.takeForAdmin(em));
  }
}
