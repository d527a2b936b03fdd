import { Module } from '@nestjs/common';
import { WebhookUpkeep } from './webhook-upkeep.js';
import { WebhookWorker } from './webhook-worker.js';
import { WebhooksModule } from './webhooks.module.js';

/**
 * Delivers messages to another system, in processes that serve; where none is set, those that wait are given up. Those that
 * the log keeps no longer are removed.
 */
@Module({ imports: [WebhooksModule], providers: [WebhookUpkeep, WebhookWorker] })
export class WebhookDeliveryModule {}
