import type { EnquiryAnswerRecord, EnquiryRecord, EnquiryState } from '../shared/contracts/enquiries.js';
import type { EnquiryAnswerRow } from './enquiry-answer.entity.js';
import type { EnquiryRow } from './enquiry.entity.js';

const DAY_MS = 24 * 3600 * 1000;

/** The state of an enquiry, which follows from its moments. */
export function stateOf({ openedAt, answeredAt, closedAt, spamReason }: EnquiryRow): EnquiryState {
  if (closedAt != null) return spamReason == null ? 'closed' : 'spam';
  if (answeredAt != null) return 'answered';
  return openedAt == null ? 'new' : 'open';
}

/**
 * An enquiry as administrators see it.
 * @param answers those that were sent, the oldest first
 * @param retentionDays for how long its text is kept
 */
export function toEnquiryRecord(
  row: EnquiryRow,
  answers: readonly EnquiryAnswerRow[],
  retentionDays: number,
): EnquiryRecord {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    email: row.email,
    message: row.message,
    state: stateOf(row),
    spam_reason: row.closedAt == null ? null : (row.spamReason ?? null),
    assignee_id: row.assignee ?? null,
    note: row.note,
    answers: answers.map(toAnswerRecord),
    delivery: row.delivery,
    attempts: row.attempts,
    last_error: row.lastError ?? null,
    message_id: row.messageId,
    created_at: row.createdAt.toISOString(),
    sent_at: row.sentAt?.toISOString() ?? null,
    opened_at: row.openedAt?.toISOString() ?? null,
    answered_at: row.answeredAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
    closed_by: row.closedBy ?? null,
    redacts_at: redactionOf(row, retentionDays)?.toISOString() ?? null,
    redacted_at: row.redactedAt?.toISOString() ?? null,
  };
}

function toAnswerRecord(row: EnquiryAnswerRow): EnquiryAnswerRecord {
  return {
    id: row.id,
    author_id: row.author ?? null,
    text: row.text,
    delivery: row.delivery,
    last_error: row.lastError ?? null,
    message_id: row.messageId,
    created_at: row.createdAt.toISOString(),
    sent_at: row.sentAt?.toISOString() ?? null,
  };
}

/** The same rule as that of `enquiry-upkeep.ts`. */
function redactionOf(row: EnquiryRow, retentionDays: number): Date | null {
  const from = row.isKeptWhileOpen ? row.closedAt : row.sentAt;
  if (row.redactedAt != null || from == null) return null;
  return new Date(from.getTime() + retentionDays * DAY_MS);
}
