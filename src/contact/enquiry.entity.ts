import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';

/** How far the mail about an enquiry is: not tried yet, tried in vain and to be tried again, taken by the mail server. */
export type EnquiryDelivery = 'waiting' | 'failing' | 'sent';

/** An enquiry from the contact form, kept so that a mail server that is down loses nothing (product.md 3.2). */
export const Enquiry = defineEntity({
  name: 'Enquiry',
  tableName: 'enquiries',
  indexes: [
    { properties: ['createdAt', 'id'] },
    { name: 'enquiries_open', properties: ['createdAt', 'id'], where: 'handled_at is null' },
    { name: 'enquiries_handled', properties: ['createdAt', 'id'], where: 'handled_at is not null' },
    {
      name: 'enquiries_search',
      expression: `create index "enquiries_search" on "enquiries" using gin (${SEARCH_TEXTS.enquiries} gin_trgm_ops)`,
    },
    // Undelivered enquiries, and those to be redacted: few rows each.
    { name: 'enquiries_undelivered_index', properties: ['createdAt'], where: "delivery <> 'sent'" },
    { name: 'enquiries_unredacted_index', properties: ['sentAt'], where: 'redacted_at is null' },
  ],
  properties: {
    id: p.uuid().primary(),
    /** SHA-256, hexadecimal, of the sender's key and the text: one per enquiry, however often it is sent. */
    idempotencyKey: p.string().length(64).unique(),
    name: p.string().length(200),
    email: p.string().length(254),
    /** Empty once it was redacted. */
    message: p.text(),
    delivery: p.enum(['waiting', 'failing', 'sent']).$type<EnquiryDelivery>(),
    /** With angle brackets; the same at every attempt, another one when a delivered mail is sent again. */
    messageId: p.string().length(400),
    attempts: p.integer().default(0),
    /** Why the last attempt failed, without an address; null after a success. */
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    /** When the mail server took the mail. */
    sentAt: p.datetime().nullable(),
    redactedAt: p.datetime().nullable(),
    /** When an administrator ticked it off. */
    handledAt: p.datetime().nullable(),
    handledBy: () => p.manyToOne(User).mapToPk().fieldName('handled_by').nullable().deleteRule('set null').index(),
  },
});

/** A row of {@link Enquiry}. */
export type EnquiryRow = InferEntity<typeof Enquiry>;
