import { IsEmail, Matches } from 'class-validator';

/** At least one character that is not white space. */
const NOT_BLANK = /\S/;

/**
 * An enquiry from the contact form (specification sections 3 and 5): the single statement of its rules, for the form
 * and for the route that receives it. Sizes will be enforced in a later issue.
 *
 * The browser's own check of email addresses is the specified one; like it, this rule accepts a host without a dot.
 */
export class ContactEnquiry {
  @Matches(NOT_BLANK, { message: 'Full Name is required' })
  name!: string;

  @IsEmail({ require_tld: false }, { message: 'Invalid email address' })
  email!: string;

  @Matches(NOT_BLANK, { message: 'Please tell us how we can help you' })
  message!: string;
}
