import type { EnquiryRecord } from '../shared/contracts/enquiries.js';

/** Every property of an enquiry, in the order of the columns: true for those that are exported. */
const PROPERTIES: Readonly<Record<keyof EnquiryRecord, boolean>> = {
  id: true,
  created_at: true,
  name: true,
  email: true,
  message: true,
  state: true,
  spam_reason: true,
  assignee_id: true,
  note: true,
  delivery: true,
  attempts: true,
  last_error: true,
  message_id: true,
  sent_at: true,
  opened_at: true,
  answered_at: true,
  closed_at: true,
  closed_by: true,
  redacts_at: true,
  redacted_at: true,
  answers: true,
  // What two writers need who change the same one.
  version: false,
};

const COLUMNS = (Object.keys(PROPERTIES) as (keyof EnquiryRecord)[]).filter((name) => PROPERTIES[name]);

/** Begins a file in UTF-8: Excel reads others in the letters of its system, with 'Ã¼' for 'ü'. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The first line of an export as CSV (RFC 4180). */
export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** An enquiry as a line of CSV. */
export function toCsvLine(record: EnquiryRecord): string {
  return `${COLUMNS.map((column) => toCell(toValue(record, column))).join(',')}\r\n`;
}

function toValue(record: EnquiryRecord, column: keyof EnquiryRecord): string | number | null {
  if (column !== 'answers') return record[column];
  return record.answers.map((answer) => `${answer.created_at} (${answer.delivery}):\n${answer.text}`).join('\n\n');
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
