import { validateSync } from 'class-validator';
import { ContactEnquiry } from '../../../src/shared/contracts/contact.js';

/** The fields of the form, by the name they are sent under. */
export type EnquiryField = keyof ContactEnquiry;

/** The first message of each field that breaks a rule. */
export type EnquiryProblems = Readonly<Partial<Record<EnquiryField, string>>>;

/**
 * Checks an enquiry against its contract. Brings the validator with it, so pages import this module only when
 * somebody sends.
 * @returns the problems by field, or null when there are none
 */
export function findEnquiryProblems(enquiry: ContactEnquiry): EnquiryProblems | null {
  const errors = validateSync(Object.assign(new ContactEnquiry(), enquiry));
  if (errors.length === 0) return null;
  return Object.fromEntries(errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)[0]]));
}
