import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { AuditModule } from '../audit/audit.module.js';
import { RateLimitsModule } from '../http/rate-limits/rate-limits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { ContactController } from './contact.controller.js';
import { ContactService } from './contact.service.js';
import { addFunctionHooks } from './function-cors.js';
import { EnquiriesController } from './enquiries.controller.js';
import { EnquiriesService } from './enquiries.service.js';
import { EnquiryAnswer } from './enquiry-answer.entity.js';
import { EnquiryAnswersService } from './enquiry-answers.service.js';
import { Enquiry } from './enquiry.entity.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { NewEnquiriesService } from './new-enquiries.service.js';
import { SavedAnswer } from './saved-answer.entity.js';
import { SavedAnswersController } from './saved-answers.controller.js';
import { SavedAnswersService } from './saved-answers.service.js';
import { SpamService } from './spam.service.js';

/** Takes enquiries in and shows them to administrators. Server processes deliver them. */
@Module({
  imports: [
    MikroOrmModule.forFeature([Enquiry, EnquiryAnswer, SavedAnswer]),
    AuditModule,
    MailModule,
    RolesModule,
    RateLimitsModule,
    WebhooksModule,
  ],
  controllers: [ContactController, EnquiriesController, SavedAnswersController],
  providers: [
    ContactService,
    EnquiriesService,
    EnquiryAnswersService,
    NewEnquiriesService,
    SavedAnswersService,
    SpamService,
  ],
  exports: [ContactService, EnquiriesService, EnquiryAnswersService, NewEnquiriesService],
})
export class ContactModule {
  /** Adds the cross-origin headers of the function's address (see `function-cors.ts`). */
  static addHooks(fastify: FastifyInstance): void {
    addFunctionHooks(fastify);
  }
}
