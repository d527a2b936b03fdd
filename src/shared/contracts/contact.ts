import { IsEmail, Matches, MaxLength } from 'class-validator';
import { ENQUIRY_LIMITS } from '../limits.js';

/** At least one character that is not white space. */
const NOT_BLANK = /\S/;
/** One address and nothing more: no character that could begin a second address or line in a header. */
const PLAIN_ADDRESS = /^[^\s\x00-\x1f\x7f<>()[\],;:"\\]+$/;
const NO_ADDRESS = { message: 'Invalid email address' };

/**
 * An enquiry from the contact form (product.md 5.1): the single statement of its rules, for the form
 * and for the route that receives it.
 *
 * Like the browser's own check of email addresses, this rule accepts a host without a dot.
 */
export class ContactEnquiry {
  @Matches(NOT_BLANK, { message: 'Full Name is required' })
  @MaxLength(ENQUIRY_LIMITS.name, {
    message: `Your name is too long: please keep it under ${ENQUIRY_LIMITS.name} characters`,
  })
  name!: string;

  @IsEmail({ require_tld: false }, NO_ADDRESS)
  @Matches(PLAIN_ADDRESS, NO_ADDRESS)
  email!: string;

  @Matches(NOT_BLANK, { message: 'Please tell us how we can help you' })
  @MaxLength(ENQUIRY_LIMITS.message, {
    message: `Your message is too long: please keep it under ${ENQUIRY_LIMITS.message} characters, or call us`,
  })
  message!: string;
}

/** The fields of an enquiry, by the name they are sent under. */
export type EnquiryField = keyof ContactEnquiry;

/** The first message of each field that breaks a rule. */
export type EnquiryProblems = Readonly<Partial<Record<EnquiryField, string>>>;
