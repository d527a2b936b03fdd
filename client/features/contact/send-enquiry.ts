import type { ContactEnquiry } from '../../../src/shared/contracts/contact.js';
import { paths } from '../../../src/shared/paths.js';
import type { EnquiryProblems } from './enquiry-rules.js';

/** How sending ended; the three endings of specification section 8, and an enquiry that breaks a rule. */
export type SendResult =
  | { readonly outcome: 'sent' | 'refused' | 'failed' }
  | { readonly outcome: 'invalid'; readonly problems: EnquiryProblems };

/** The body of an answer, for the log; an answer without JSON has none worth keeping. */
async function readBody(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}

/**
 * Checks an enquiry and sends it. Never throws: what goes wrong is logged and told by the outcome
 * (specification section 8).
 */
export async function sendEnquiry(enquiry: ContactEnquiry): Promise<SendResult> {
  try {
    // Loaded on demand: only those who send need the validator.
    const { findEnquiryProblems } = await import('./enquiry-rules.js');
    const problems = findEnquiryProblems(enquiry);
    if (problems) return { outcome: 'invalid', problems };
    const response = await fetch(paths.api.contact, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(enquiry),
    });
    if (response.ok) return { outcome: 'sent' };
    // The body of a refusal is logged (specification section 8).
    console.error(`${paths.api.contact} answered ${response.status}`, await readBody(response));
    return { outcome: 'refused' };
  } catch (error) {
    console.error('The enquiry could not be sent', error);
    return { outcome: 'failed' };
  }
}
