import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import { ANSWER_DELIVERIES } from '../shared/contracts/enquiries.js';
import { Enquiry } from './enquiry.entity.js';

/** An answer that an administrator sent by mail to whoever wrote. */
export const EnquiryAnswer = defineEntity({
  name: 'EnquiryAnswer',
  tableName: 'enquiry_answers',
  indexes: [
    { properties: ['enquiry', 'createdAt'] },
    // Few rows: those that are on their way.
    { name: 'enquiry_answers_undelivered', properties: ['id'], where: "delivery in ('waiting', 'failing')" },
  ],
  properties: {
    /** Made by the browser, so that what is sent twice is one answer. */
    id: p.uuid().primary(),
    enquiry: () => p.manyToOne(Enquiry).mapToPk().deleteRule('cascade'),
    author: () => p.manyToOne(User).mapToPk().nullable().deleteRule('set null').index(),
    /** Plain text; empty once the enquiry was redacted. */
    text: p.text(),
    delivery: p.enum(ANSWER_DELIVERIES),
    /** With angle brackets; the same at every attempt. */
    messageId: p.string().length(400),
    attempts: p.integer().default(0),
    /** Why the last attempt failed, without an address; null after a success. */
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    /** When the mail server took the mail. */
    sentAt: p.datetime().nullable(),
  },
});

/** A row of {@link EnquiryAnswer}. */
export type EnquiryAnswerRow = InferEntity<typeof EnquiryAnswer>;
