import type { EnquiryRecord } from '../shared/contracts/enquiries.js';
import type { EnquiryRow } from './enquiry.entity.js';

/** An enquiry as administrators see it. */
export function toEnquiryRecord(row: EnquiryRow): EnquiryRecord {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    state: row.handledAt == null ? row.delivery : 'handled',
    delivery: row.delivery,
    attempts: row.attempts,
    last_error: row.lastError ?? null,
    message_id: row.messageId,
    created_at: row.createdAt.toISOString(),
    sent_at: row.sentAt?.toISOString() ?? null,
    redacted_at: row.redactedAt?.toISOString() ?? null,
    handled_at: row.handledAt?.toISOString() ?? null,
    handled_by: row.handledBy ?? null,
  };
}
