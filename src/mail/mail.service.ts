import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MAIL_JOB_SECONDS } from '../config/time-limits.js';
import { JobQueue, type QueueDefinition } from '../database/job-queue.js';
import type { AuthMailAction, AuthMailJob, MailJob, MintedToken, TokenMinter } from './mail-job.js';

export { SIGN_IN_LINKS } from './mail-job.js';
export type {
  AccountEvent,
  AccountNoticeJob,
  AuthMailAction,
  AuthMailJob,
  MailJob,
  MintedToken,
  TokenMinter,
} from './mail-job.js';

/** The queue of mails. From 1 s to 5 min between attempts, for about three days. */
export const MAIL_QUEUE: QueueDefinition = {
  name: 'mail',
  options: {
    retryLimit: 900,
    retryDelay: 1,
    retryDelayMax: 300,
    expireInSeconds: MAIL_JOB_SECONDS,
    deleteAfterSeconds: 7 * 24 * 3600,
  },
};

/** Sends mails through the queue, so that each leaves if and only if its cause was committed. */
@Injectable()
export class MailService {
  private minter: TokenMinter | undefined;

  constructor(private readonly jobs: JobQueue) {}

  /**
   * Queues a mail as part of the transaction of `em`.
   * @param startAfter when it may leave; at once if left out
   * @throws Error outside of a transaction, where the mail could leave although its cause failed
   */
  async enqueue(em: EntityManager, job: MailJob, startAfter?: Date): Promise<void> {
    await this.jobs.send(em, MAIL_QUEUE, job, startAfter === undefined ? {} : { startAfter });
  }

  /**
   * Takes mails with a link or code back that have not left yet, in the transaction of `em`: a later one takes their
   * place, whose link they would void, or nobody needs them any more.
   * @param to the mailbox; each one if left out
   */
  async withdraw(
    em: EntityManager,
    userId: string,
    actions: readonly AuthMailAction[],
    to?: AuthMailJob['to'],
  ): Promise<void> {
    for (const action of actions) {
      const job: Partial<AuthMailJob> = { kind: 'auth', userId, action, ...(to === undefined ? {} : { to }) };
      await this.jobs.withdraw(em, MAIL_QUEUE, job);
    }
  }

  /** Called once, while modules are initialized, by the room that knows users and tokens. */
  registerTokenMinter(minter: TokenMinter): void {
    this.minter = minter;
  }

  /** For the delivery: asks the registered minter. */
  async mintToken(job: AuthMailJob, jobId: string): Promise<MintedToken | null> {
    return await this.requireMinter().mint(job, jobId);
  }

  /** For the delivery of mails without a token: asks the registered minter for the address. */
  async findAddress(userId: string): Promise<string | null> {
    return await this.requireMinter().findAddress(userId);
  }

  private requireMinter(): TokenMinter {
    if (!this.minter) throw new Error('No minter of tokens is registered');
    return this.minter;
  }
}
