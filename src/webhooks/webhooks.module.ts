import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { RolesModule } from '../roles/roles.module.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookSenderService } from './webhook-sender.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Queues messages to another system, and shows what came of them. Server processes deliver them. */
@Module({
  imports: [MikroOrmModule.forFeature([WebhookDelivery]), RolesModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookSenderService],
  exports: [WebhooksService, WebhookSenderService],
})
export class WebhooksModule {}
