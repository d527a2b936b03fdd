import type { OutgoingMail } from './mail-transport.js';

/** A mail in the words of the library that sends it. */
export function toMessage({ from, to, subject, text, html, messageId, replyTo, answers, isPersonal }: OutgoingMail) {
  return {
    from,
    // As an object, so that it is never read as a list.
    to: { name: '', address: to },
    ...(replyTo ? { replyTo } : {}),
    ...(answers ? { inReplyTo: answers.at(-1), references: [...answers] } : {}),
    subject,
    text,
    html,
    messageId,
    // Out-of-office replies would go nowhere.
    ...(isPersonal ? {} : { headers: { 'Auto-Submitted': 'auto-generated' } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
