import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { JobQueue, type QueueDefinition } from '../database/job-queue.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { WebhookDeliveryItem, WebhookLog, WebhookType } from '../shared/contracts/webhooks.js';
import { WebhookDelivery, type WebhookDeliveryRow } from './webhook-delivery.entity.js';
import { WebhookSenderService, type WebhookTry } from './webhook-sender.service.js';

/** Something that another system is told. */
export interface WebhookMessage {
  readonly type: WebhookType;
  /** A sentence for people, which chats show as it is. */
  readonly text: string;
  readonly data: Readonly<Record<string, string | null>>;
  /** The enquiry that it is about, with which it is erased. */
  readonly enquiryId?: string;
}

/** The job of a delivery. Names the enquiry, so that it goes with it. */
export interface WebhookJob {
  readonly deliveryId: string;
  readonly enquiryId: string | null;
}

const DAY = 24 * 3600;

/** From 10 s to an hour between tries, for about a day. */
export const WEBHOOK_QUEUE: QueueDefinition = {
  name: 'webhooks',
  options: {
    retryLimit: 30,
    retryDelay: 10,
    retryDelayMax: 3600,
    expireInSeconds: 60,
    deleteAfterSeconds: 7 * DAY,
  },
};

/** How long deliveries can be looked at, in days. */
export const WEBHOOK_LOG_DAYS = 30;
const SHOWN = 100;

/** Thrown where there is nobody to tell. */
export class NoWebhookException extends ConflictException {
  constructor() {
    super({ code: 'no_webhook', message: 'No webhook is set: NOTIFY_WEBHOOK_URL and NOTIFY_WEBHOOK_SECRET name it.' });
  }
}

/** Tells another system what happens, through the queue, and keeps a log of it (decision 111). */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly sender: WebhookSenderService,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Queues a message in the transaction of `em`: it leaves if and only if its cause was committed. Nothing where nobody is told. */
  async enqueue(em: EntityManager, message: WebhookMessage): Promise<void> {
    if (this.config.webhook === null) return;
    const { id } = await this.insert(em, message);
    const job: WebhookJob = { deliveryId: id, enquiryId: message.enquiryId ?? null };
    await this.jobs.send(em, WEBHOOK_QUEUE, job);
  }

  /** Lists what was sent lately, for administrators. */
  async list(actor: Actor): Promise<WebhookLog> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const orderBy = { createdAt: 'desc', id: 'asc' } as const;
    const rows = await em.find(WebhookDelivery, { createdAt: { $gt: this.oldest() } }, { orderBy, limit: SHOWN });
    const { webhook } = this.config;
    return { host: webhook === null ? null : new URL(webhook.url).host, deliveries: rows.map(toItem) };
  }

  /** Queues a message that says nothing but that it arrives. @throws NoWebhookException */
  async queueTest(actor: Actor): Promise<void> {
    await this.roles.requireAdmin(actor);
    if (this.config.webhook === null) throw new NoWebhookException();
    await this.em.fork().transactional((em) => this.enqueue(em, this.toTest()));
  }

  /** Sends such a message now, once, for an operator. @throws NoWebhookException */
  async sendTest(actor: Actor, signal = new AbortController().signal): Promise<WebhookTry> {
    await this.roles.requireAdmin(actor);
    if (this.config.webhook === null) throw new NoWebhookException();
    const row = await this.em.fork().transactional((em) => this.insert(em, this.toTest()));
    const outcome = await this.sender.tryOnce(row, true, signal);
    if (outcome === null)
      throw new Error('A server has sent it, or is sending it: `webhooks list` says how that ended');
    return outcome;
  }

  /** Erases what was sent about enquiries, in the transaction of `em`. Their jobs go with those of the enquiries. */
  async forgetEnquiries(em: EntityManager, ids: readonly string[]): Promise<void> {
    await em.nativeDelete(WebhookDelivery, { enquiryId: { $in: [...ids] } });
  }

  /** Removes what is older than the log reaches. */
  async forgetOld(em: EntityManager = this.em.fork({ disableTransactions: true })): Promise<void> {
    await em.nativeDelete(WebhookDelivery, { createdAt: { $lt: this.oldest() } });
  }

  private toTest(): WebhookMessage {
    const { url } = this.config.site;
    return { type: 'webhook.test', text: `This is a test. Messages of ${url} arrive here.`, data: { site: url } };
  }

  private async insert(
    em: EntityManager,
    { type, text, data, enquiryId }: WebhookMessage,
  ): Promise<WebhookDeliveryRow> {
    await this.forgetOld(em);
    const id = randomUUID();
    const createdAt = this.clock.now();
    const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), text, data });
    const row = { id, type, text, body, enquiryId: enquiryId ?? null, state: 'waiting', createdAt } as const;
    await em.insert(WebhookDelivery, row);
    return await em.findOneOrFail(WebhookDelivery, { id });
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - WEBHOOK_LOG_DAYS * DAY * 1000);
  }
}

function toItem(row: WebhookDeliveryRow): WebhookDeliveryItem {
  return {
    id: row.id,
    type: row.type,
    text: row.text,
    state: row.state,
    attempts: row.attempts,
    last_status: row.lastStatus ?? null,
    last_error: row.lastError ?? null,
    created_at: row.createdAt.toISOString(),
    last_tried_at: row.lastTriedAt?.toISOString() ?? null,
  };
}
