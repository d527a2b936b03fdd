import { createHash } from 'node:crypto';
import { validateSync, type ValidationError } from 'class-validator';
import { problemsOf } from '../http/input-pipe.js';
import { ContactEnquiry, type EnquiryProblems } from '../shared/contracts/contact.js';

/** Within as long the same words from the same person are one enquiry, where no key tells. */
const SAME_WORDS_MS = 10 * 60_000;

/** Names of an enquiry by which a repeat of it is known. */
export interface EnquiryNames {
  /** Keys under which it may be stored already; the first is the one to store it under. */
  readonly keys: readonly [string, ...string[]];
  /** Name of the lock under which it is stored; repeats at the edge of a period have other keys, and the same lock. */
  readonly lock: string;
}

/** Reads the fields of an enquiry from a body of any shape, as they are stored; what is no text is empty. */
export function cleanEnquiry(body: unknown): ContactEnquiry {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return Object.assign(new ContactEnquiry(), {
    name: cleanLine(fields['name']).normalize('NFC'),
    email: textOf(fields['email']).trim(),
    message: cleanText(fields['message']),
  });
}

/** Returns what is wrong with an enquiry; null when nothing is. */
export function findProblems(enquiry: ContactEnquiry): EnquiryProblems | null {
  const errors = validateSync(enquiry, { stopAtFirstError: true });
  return errors.length === 0 ? null : toProblems(errors);
}

/** The first message of each field. */
export function toProblems(errors: readonly ValidationError[]): EnquiryProblems {
  return Object.fromEntries(problemsOf(errors).map(({ field, message }) => [field, message]));
}

/**
 * Returns the names of an enquiry. The text is part of them, so a text that was changed before a second try is another
 * enquiry. They reveal nothing of the text.
 * @param key key of the sender; without one, equal texts within the last minutes are one enquiry
 */
export function toEnquiryNames(
  { name, email, message }: ContactEnquiry,
  key: string | undefined,
  now: Date,
): EnquiryNames {
  const hash = (part: string | number) =>
    createHash('sha256')
      .update(JSON.stringify([part, name, email.toLowerCase(), message]))
      .digest('hex');
  const lock = hash('');
  if (key !== undefined) return { keys: [hash(key)], lock };
  const period = Math.floor(now.getTime() / SAME_WORDS_MS);
  // Of the next period if the clock of the process that stored it is ahead of ours.
  return { keys: [hash(period), hash(period - 1), hash(period + 1)], lock };
}

/** The key of the limit of acknowledgements to an address. It holds no address, but says of one whether it is meant. */
export function toRecipientKey(email: string): string {
  return `contact-recipient:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** A name goes into headers of mails, where a line break would begin the next one. */
function cleanLine(value: unknown): string {
  return textOf(value)
    .replace(/[\s\x00-\x1f\x7f\u2028\u2029]+/g, ' ')
    .trim();
}

/** Keeps line breaks and tabs; other control characters have no business in a text, and the database takes no zero. */
function cleanText(value: unknown): string {
  return textOf(value)
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
    .trim();
}
