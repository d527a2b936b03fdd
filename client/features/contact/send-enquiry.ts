import type { ContactEnquiry, EnquiryProblems } from '../../../src/shared/contracts/contact.js';
import { ELAPSED_HEADER, IDEMPOTENCY_HEADER, TRAP_FIELD } from '../../../src/shared/contracts/contact-form.js';
import { paths } from '../../../src/shared/paths.js';
import { PATIENCE_MS, rulesInTime } from '../../lib/patience.js';

/** The result of sending: an ending of product.md 8.1, or an enquiry that breaks a rule. */
export type SendResult =
  | { readonly outcome: 'sent' | 'failed' }
  /** With the server's sentence about it, if it has one. */
  | { readonly outcome: 'refused'; readonly reason: string | null }
  | { readonly outcome: 'invalid'; readonly problems: EnquiryProblems };

/** Facts sent along with an enquiry. */
export interface Filling {
  /** One per filling of the form: sent twice, it is one enquiry. */
  readonly key: string;
  /** For how long the form was on the screen, in milliseconds. */
  readonly elapsedMs: number;
  /** Value of the field that people do not see. */
  readonly trap: string;
}

/** The body of an answer, for the log; an answer without JSON has none worth keeping. */
async function readBody(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}

function reasonOf(body: unknown): string | null {
  const message = (body as { readonly message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : null;
}

/**
 * Checks an enquiry and sends it. Never throws: failures are logged, and the outcome tells of them (product.md 8.1).
 */
export async function sendEnquiry(enquiry: ContactEnquiry, { key, elapsedMs, trap }: Filling): Promise<SendResult> {
  try {
    const rules = await rulesInTime(import('./enquiry-rules.js'));
    const problems = rules?.findEnquiryProblems(enquiry);
    if (problems) return { outcome: 'invalid', problems };
    const response = await fetch(paths.api.contact, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        [IDEMPOTENCY_HEADER]: key,
        [ELAPSED_HEADER]: String(Math.round(elapsedMs)),
      },
      body: JSON.stringify(trap === '' ? enquiry : { ...enquiry, [TRAP_FIELD]: trap }),
      // Sent again after that, it is the same enquiry by its key.
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // A page came from something in between, such as a network that asks to sign in: nothing arrived.
    if (response.ok && !/html/.test(response.headers.get('content-type') ?? '')) return { outcome: 'sent' };
    const body = await readBody(response);
    // The body of a refusal is logged (product.md 8.1).
    console.error(`${paths.api.contact} answered ${response.status}`, body);
    return { outcome: 'refused', reason: reasonOf(body) };
  } catch (error) {
    console.error('The enquiry could not be sent', error);
    return { outcome: 'failed' };
  }
}
