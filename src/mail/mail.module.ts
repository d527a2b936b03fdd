import { Module } from '@nestjs/common';
import { MailQueue } from './mail-queue.js';
import { MailService } from './mail.service.js';

/** Queues mails; the server processes deliver them (mail-delivery.module.ts). */
@Module({ providers: [MailQueue, MailService], exports: [MailQueue, MailService] })
export class MailModule {}
