import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { WEBHOOK_MS } from '../config/time-limits.js';
import { JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import { Clock, CLOCK_TOLERANCE_MS } from '../shared/clock.js';
import { WebhookDelivery, type WebhookDeliveryRow } from './webhook-delivery.entity.js';
import { WebhookSenderService } from './webhook-sender.service.js';
import { WEBHOOK_QUEUE, type WebhookJob } from './webhooks.service.js';

/** The time of one job for messages before its own; its own try takes as long as it may, and the job has a minute. */
const EARLIER_MS = 20_000;
/** A try that began longer ago is over. */
const TRY_IS_OVER_MS = 2 * WEBHOOK_MS;

/**
 * Delivers what is queued, one after the other, so that a receiver that hangs takes up one worker. What waits from before
 * goes first: a receiver that is back hears at once what it missed, and of an alarm that it began before that it ended.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly sender: WebhookSenderService,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<WebhookJob>(WEBHOOK_QUEUE, 1, (job) => this.deliver(job));
  }

  private async deliver({ data: { deliveryId }, signal, isLastAttempt }: RunningJob<WebhookJob>): Promise<void> {
    const delivery = await this.em.fork({ disableTransactions: true }).findOne(WebhookDelivery, { id: deliveryId });
    // It was erased, or was delivered by a process that could not say so any more.
    if (delivery?.state !== 'waiting') return;
    const isItsTurn = await this.deliverEarlier(delivery, signal);
    if (!isItsTurn && !isLastAttempt) throw new Error('Earlier messages are being delivered');
    const outcome = await this.sender.tryOnce(delivery, isLastAttempt, signal);
    // It comes again, and finds out how that ended.
    if (outcome === null) throw new Error('Another process is trying it');
    const { isDelivered, isFinal, reason } = outcome;
    if (isDelivered) return;
    throw isFinal ? new PermanentJobError(reason ?? '') : new Error(reason ?? '');
  }

  /**
   * Delivers what has been waiting for longer, in its order, until one is not taken or was tried just now: while the
   * receiver is away nothing else is tried for the sake of others, and one that it never takes holds up none of them.
   * @returns false when there are more than there was time for
   */
  private async deliverEarlier({ id, createdAt }: WebhookDeliveryRow, signal: AbortSignal): Promise<boolean> {
    const end = performance.now() + EARLIER_MS;
    const em = this.em.fork({ disableTransactions: true });
    const where = { state: 'waiting', createdAt: { $lte: createdAt }, id: { $ne: id } } as const;
    for (;;) {
      const [row] = await em.find(WebhookDelivery, where, { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 1 });
      if (row === undefined || this.wasJustTried(row.lastTriedAt ?? null)) return true;
      if (performance.now() > end || signal.aborted) return false;
      const outcome = await this.sender.tryOnce(row, false, signal);
      if (outcome?.isDelivered !== true) return true;
    }
  }

  private wasJustTried(lastTriedAt: Date | null): boolean {
    if (lastTriedAt === null) return false;
    const age = this.clock.now().getTime() - lastTriedAt.getTime();
    return age < TRY_IS_OVER_MS && age > -CLOCK_TOLERANCE_MS;
  }
}
