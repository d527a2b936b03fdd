import { Module } from '@nestjs/common';
import { MailService } from './mail.service.js';

/** Queues mails; server processes deliver them (mail-delivery.module.ts). Needs the global provider JobQueue. */
@Module({ providers: [MailService], exports: [MailService] })
export class MailModule {}
