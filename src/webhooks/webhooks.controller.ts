import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../http/acting.decorator.js';
import { Admin } from '../http/admin.decorator.js';
import type { Actor } from '../shared/actor.js';
import type { WebhookLog } from '../shared/contracts/webhooks.js';
import { WebhooksService } from './webhooks.service.js';

/** Shows administrators what another system was told. */
@Admin()
@ApiTags('admin: webhooks')
@Controller('api/admin/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What another system was told in the last 30 days, the newest first' })
  list(@Acting() actor: Actor): Promise<WebhookLog> {
    return this.webhooks.list(actor);
  }

  @Post('test')
  @HttpCode(204)
  @ApiConflictResponse({ description: '`no_webhook`: NOTIFY_WEBHOOK_URL is not set' })
  @ApiOperation({ summary: 'Send a message that says nothing but that it arrives' })
  async sendTest(@Acting() actor: Actor): Promise<void> {
    await this.webhooks.queueTest(actor);
  }
}
