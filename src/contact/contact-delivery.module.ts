import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { AnswerWorker } from './answer-worker.js';
import { EnquiryUpkeep } from './enquiry-upkeep.js';
import { EnquiryWorker } from './enquiry-worker.js';

/** Delivers the enquiries in this process, and redacts them when their time is over. */
@Module({ imports: [MailModule], providers: [EnquiryWorker, AnswerWorker, EnquiryUpkeep] })
export class ContactDeliveryModule {}
