import { Module } from '@nestjs/common';
import { WebhookWorker } from './webhook-worker.js';
import { WebhooksModule } from './webhooks.module.js';

/** Delivers messages to another system, in processes that serve. */
@Module({ imports: [WebhooksModule], providers: [WebhookWorker] })
export class WebhookDeliveryModule {}
