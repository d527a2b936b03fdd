import { validateSync } from 'class-validator';
import { ContactEnquiry, type EnquiryProblems } from '../../../src/shared/contracts/contact.js';

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
