import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookSenderService } from './webhook-sender.service.js';
import { WEBHOOK_QUEUE, type WebhookJob } from './webhooks.service.js';

/** Delivers what is queued, one after the other, so that a receiver that hangs takes up one worker. */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly sender: WebhookSenderService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<WebhookJob>(WEBHOOK_QUEUE, 1, (job) => this.deliver(job));
  }

  private async deliver({ data: { deliveryId }, signal, isLastAttempt }: RunningJob<WebhookJob>): Promise<void> {
    const delivery = await this.em.fork({ disableTransactions: true }).findOne(WebhookDelivery, { id: deliveryId });
    // It was erased, or was delivered by a process that could not say so any more.
    if (delivery?.state !== 'waiting') return;
    const { isDelivered, isFinal, reason } = await this.sender.tryOnce(delivery, isLastAttempt, signal);
    if (isDelivered) return;
    throw isFinal ? new PermanentJobError(reason ?? '') : new Error(reason ?? '');
  }
}
