import type { AuditEvent } from '../audit/audit.service.js';
import type { EnquiryRow } from './enquiry.entity.js';

/** A line of the activity, which names an enquiry by a part of its id, and nothing of who wrote. */
export function toEnquiryEvent(
  { id }: Pick<EnquiryRow, 'id'>,
  action: string,
  details: AuditEvent['details'] = {},
): AuditEvent {
  return { action, subjectType: 'enquiry', subjectId: id, subject: id.slice(0, 8), details };
}
