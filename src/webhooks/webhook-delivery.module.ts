import { Module } from '@nestjs/common';
import { WebhookWorker } from './webhook-worker.js';
import { WebhooksModule } from './webhooks.module.js';

/** Delivers messages to another system, in processes that serve; where none is set, those that wait are given up. */
@Module({ imports: [WebhooksModule], providers: [WebhookWorker] })
export class WebhookDeliveryModule {}
