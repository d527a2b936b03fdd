import { Module } from '@nestjs/common';
import { MarksModule } from '../marks/marks.module.js';
import { CapturedMailsService } from './captured-mails.service.js';
import { MailSenderService } from './mail-sender.service.js';
import { MailService } from './mail.service.js';

/** Queues mails; server processes deliver them (mail-delivery.module.ts). Needs the global provider JobQueue. */
@Module({
  imports: [MarksModule],
  providers: [MailService, MailSenderService, CapturedMailsService],
  exports: [MailService, MailSenderService, CapturedMailsService],
})
export class MailModule {}
