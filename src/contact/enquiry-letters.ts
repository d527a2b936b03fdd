import type { Letter } from '../mail/mail-sender.service.js';
import type { Site } from '../shared/contracts/site.js';
import { toDisplayDate } from '../shared/dates.js';
import { paths } from '../shared/paths.js';
import { needsSmtpUtf8 } from '../shared/smtp-utf8.js';
import type { EnquiryRow } from './enquiry.entity.js';

/** The mail to the company. */
export function enquiryLetter({ name, email, message, createdAt, spamReason }: EnquiryRow, site: Site): Letter {
  const isSorted = spamReason === 'words';
  return {
    subject: isSorted ? `Spam? Enquiry from ${name}` : `New enquiry from ${name}`,
    title: 'New enquiry',
    paragraphs: [`Somebody wrote to you with the contact form. ${howToAnswer(email)}`],
    facts: [
      { label: 'Name', value: name },
      { label: 'Email', value: email },
      { label: 'Sent', value: toDisplayDate(createdAt, site.timeZone).long },
    ],
    quote: message,
    button: { label: 'See all enquiries', href: `${site.url}${paths.admin.enquiries}` },
    notes: [
      'Nobody has checked the address of the sender.',
      ...(isSorted ? ['Its words are those of enquiries that you marked as spam, so it stands under Spam.'] : []),
    ],
  };
}

function howToAnswer(email: string): string {
  return needsSmtpUtf8(email)
    ? 'Write to the address below: an answer to this mail comes back to you, as not every mail server takes such an address.'
    : 'Answer this mail, and your answer goes to them.';
}

/** The answer of an administrator to whoever wrote, over the words that it answers. */
export function answerLetter(text: string, { message, createdAt }: EnquiryRow, site: Site): Letter {
  return {
    subject: `Re: Your message to ${site.name}`,
    title: `An answer from ${site.name}`,
    words: text,
    paragraphs: [`You wrote on ${toDisplayDate(createdAt, site.timeZone).long}:`],
    quote: message,
    notes: [`Answer this mail, and your answer goes to ${site.name}.`],
  };
}

/**
 * The mail to the sender. Anybody's address may have been typed in, so it repeats nothing of the input: neither the
 * message nor the name.
 */
export function acknowledgementLetter(site: Site): Letter {
  return {
    subject: `${site.name} has your message`,
    title: 'Your message has arrived',
    paragraphs: ['Thank you for writing to us. A person will read your message and get back to you.'],
    notes: [
      `In a hurry? Call ${site.phone}.`,
      'If you did not write to us, somebody gave your address by mistake: ignore this mail, no more will come of it.',
    ],
  };
}
