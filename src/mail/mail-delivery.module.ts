import { Module, type DynamicModule } from '@nestjs/common';
import type { MailConfig } from '../config/config.js';
import { CapturedMailController } from './captured-mail.controller.js';
import { MailWorker } from './mail-worker.js';
import { MailModule } from './mail.module.js';

/** Delivers the queued mails in this process, or keeps them and shows them. */
@Module({})
export class MailDeliveryModule {
  static register({ transport }: MailConfig): DynamicModule {
    return {
      module: MailDeliveryModule,
      imports: [MailModule],
      // Captured mails contain tokens: where mails are sent, this address does not exist.
      controllers: transport.kind === 'capture' ? [CapturedMailController] : [],
      providers: [MailWorker],
    };
  }
}
