import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { MailJob } from './mail-job.js';

/** The queue of mails in PostgreSQL. */
@Injectable()
export class MailQueue {
  /**
   * Adds a job in the transaction of `em`.
   * @throws Error outside of a transaction
   */
  async send(em: EntityManager, job: MailJob): Promise<void> {
    if (!em.isInTransaction()) throw new Error(`A ${job.kind} mail must be queued in a transaction`);
  }
}
