import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import { ENQUIRY_DELIVERIES, type SpamReason } from '../shared/contracts/enquiries.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';

/** An enquiry from the contact form, kept so that a mail server that is down loses nothing (product.md 3.2). */
export const Enquiry = defineEntity({
  name: 'Enquiry',
  tableName: 'enquiries',
  indexes: [
    { properties: ['createdAt', 'id'] },
    { name: 'enquiries_open', properties: ['createdAt', 'id'], where: 'handled_at is null' },
    { name: 'enquiries_handled', properties: ['createdAt', 'id'], where: 'handled_at is not null' },
    { name: 'enquiries_to_do', properties: ['createdAt', 'id'], where: 'handled_at is null and answered_at is null' },
    {
      name: 'enquiries_answered',
      properties: ['createdAt', 'id'],
      where: 'handled_at is null and answered_at is not null',
    },
    { name: 'enquiries_spam', properties: ['createdAt', 'id'], where: 'spam_reason is not null' },
    {
      name: 'enquiries_spam_decisions',
      expression:
        'create index "enquiries_spam_decisions" on "enquiries" (lower(email), "spam_decided_at") where spam_decided_at is not null',
    },
    { properties: ['assignee', 'createdAt', 'id'] },
    {
      name: 'enquiries_search',
      expression: `create index "enquiries_search" on "enquiries" using gin (${SEARCH_TEXTS.enquiries} gin_trgm_ops)`,
    },
    // Undelivered enquiries, and those to be redacted: few rows each.
    { name: 'enquiries_undelivered_index', properties: ['createdAt'], where: "delivery <> 'sent'" },
    { name: 'enquiries_unredacted_index', properties: ['sentAt'], where: 'redacted_at is null' },
    { name: 'enquiries_closed_unredacted', properties: ['closedAt'], where: 'redacted_at is null' },
  ],
  properties: {
    id: p.uuid().primary(),
    /** SHA-256, hexadecimal, of the sender's key and the text: one per enquiry, however often it is sent. */
    idempotencyKey: p.string().length(64).unique(),
    name: p.string().length(200),
    email: p.string().length(254),
    /** Empty once it was redacted. */
    message: p.text(),
    delivery: p.enum(ENQUIRY_DELIVERIES),
    /** With angle brackets; the same at every attempt, another one when a delivered mail is sent again. */
    messageId: p.string().length(400),
    attempts: p.integer().default(0),
    /** Why the last attempt failed, without an address; null after a success. */
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    /** When the mail server took the mail; the first one where the days until it is redacted count from that. */
    sentAt: p.datetime().nullable(),
    redactedAt: p.datetime().nullable(),
    /** When an administrator opened it first; null for a new one. */
    openedAt: p.datetime().nullable(),
    /** When it was answered; null again once it is open again. */
    answeredAt: p.datetime().nullable(),
    /** When it was closed; null again once it is open again. Version 0.1.0 ticks off and takes the tick back here. */
    closedAt: p.datetime().fieldName('handled_at').nullable(),
    closedBy: () => p.manyToOne(User).mapToPk().fieldName('handled_by').nullable().deleteRule('set null').index(),
    /** Why it is spam, which is closed; null for all others. The database takes any text: rules on older tables only grow weaker. */
    spamReason: p.text().$type<SpamReason>().nullable(),
    /** When an administrator last said that it is spam, or that it is not. */
    spamDecidedAt: p.datetime().nullable(),
    /** The administrator who looks after it. */
    assignee: () => p.manyToOne(User).mapToPk().fieldName('assignee_id').nullable().deleteRule('set null'),
    /** For administrators; plain text, removed with the message. */
    note: p.text().default(''),
    /** Counts changes by administrators, so that the later of two is told of the earlier one. */
    version: p.integer().default(1),
    /**
     * True when its text stays while it is open, and the days count from closing. False for enquiries from before that
     * rule (or taken in by version 0.1.0), whose senders were promised that they count from the delivery.
     */
    isKeptWhileOpen: p.boolean().default(false),
  },
});

/** A row of {@link Enquiry}. */
export type EnquiryRow = InferEntity<typeof Enquiry>;
