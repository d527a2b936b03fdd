import type { AuditEvent } from '../audit/audit.service.js';
import { paths } from '../shared/paths.js';
import type { WebhookMessage } from '../webhooks/webhooks.service.js';
import type { EnquiryRow } from './enquiry.entity.js';

/** A line of the activity, which names an enquiry by a part of its id, and nothing of who wrote. */
export function toEnquiryEvent(
  { id }: Pick<EnquiryRow, 'id'>,
  action: string,
  details: AuditEvent['details'] = {},
): AuditEvent {
  return { action, subjectType: 'enquiry', subjectId: id, subject: id.slice(0, 8), details };
}

/** Tells that there is one, and where: nothing of who wrote, or what, leaves the site (decision 111). */
export function toNewEnquiryMessage(enquiryId: string, siteUrl: string): WebhookMessage {
  const link = new URL(paths.admin.enquiry(enquiryId), siteUrl).href;
  return { type: 'enquiry.created', text: `A new enquiry has come in: ${link}`, data: { link }, enquiryId };
}
