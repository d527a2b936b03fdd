import type { EnquiryRecord } from '../shared/contracts/enquiries.js';

const COLUMNS = [
  'id',
  'created_at',
  'name',
  'email',
  'message',
  'state',
  'spam_reason',
  'assignee_id',
  'note',
  'delivery',
  'attempts',
  'last_error',
  'message_id',
  'sent_at',
  'opened_at',
  'answered_at',
  'closed_at',
  'closed_by',
  'redacts_at',
  'redacted_at',
] as const satisfies readonly (keyof EnquiryRecord)[];

/** The first line of an export as CSV (RFC 4180). */
export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** An enquiry as a line of CSV. */
export function toCsvLine(record: EnquiryRecord): string {
  return `${COLUMNS.map((column) => toCell(record[column])).join(',')}\r\n`;
}

/**
 * Quotes a value, with an apostrophe in front of everything that spreadsheets take for a formula: nobody who opens the
 * export may run a stranger's formula.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '');
  const isFormula = /^[\s\u00a0\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text);
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
