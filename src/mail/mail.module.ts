import { Module } from '@nestjs/common';
import { CapturedMailsService } from './captured-mails.service.js';
import { MailSenderService } from './mail-sender.service.js';
import { MailService } from './mail.service.js';

/** Queues mails; server processes deliver them (mail-delivery.module.ts). Needs the global provider JobQueue. */
@Module({
  providers: [MailService, MailSenderService, CapturedMailsService],
  exports: [MailService, MailSenderService, CapturedMailsService],
})
export class MailModule {}
