import { isAhead } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';

/** As browsers check `<input type="email">` (HTML, section 4.10.5.1.5); a domain without a dot passes. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const PHONE = /^[1-9][0-9]{1,14}$/;
const CHALLENGE = /^[a-zA-Z0-9._~-]+$/;

/** A code challenge of a client (RFC 7636), or null when it does not use one. */
export type Challenge = { readonly challenge: string; readonly method: 's256' | 'plain' } | null;

/** The PKCE parameters of a request; empty means absent. */
export interface ChallengeInput {
  readonly code_challenge: string;
  readonly code_challenge_method: string;
}

/**
 * An email address in lower case.
 * @throws AuthError 400 validation_failed
 */
export function readEmail(email: string): string {
  if (email === '') throw invalid('An email address is required');
  if (email.length > 255) throw invalid('An email address is too long');
  if (!EMAIL.test(email)) throw invalid('Unable to validate email address: invalid format');
  return email.toLowerCase();
}

/**
 * A phone number as digits.
 * @throws AuthError 400 validation_failed
 */
export function readPhone(phone: string): string {
  const digits = phone.replace(/^\s*\+/, '').replaceAll(' ', '');
  if (!PHONE.test(digits)) throw invalid('Invalid phone number format (E.164 required)');
  return digits;
}

/**
 * The code challenge of a request: both parameters or neither.
 * @throws AuthError 400 validation_failed
 */
export function readChallenge({ code_challenge: challenge, code_challenge_method: method }: ChallengeInput): Challenge {
  if (challenge === '' && method === '') return null;
  if (challenge === '' || method === '') {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge');
  }
  if (challenge.length < 43 || challenge.length > 128) {
    throw invalid('code challenge has to be between 43 and 128 characters');
  }
  if (!CHALLENGE.test(challenge)) {
    throw invalid('code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes');
  }
  const name = method.toLowerCase();
  if (name !== 's256' && name !== 'plain') throw invalid('Invalid code challenge method');
  return { challenge, method: name };
}

/** Throws E(429) (auth-api.md 1.9) when the last mail or message of the kind was sent less than `frequencySeconds` ago. */
export function assertNotTooSoon(
  code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit',
  last: Date | null | undefined,
  frequencySeconds: number,
  now: Date,
): void {
  // By a clock that was wrong: it would be refused until then.
  const left = last && !isAhead(last, now) ? (last.getTime() - now.getTime()) / 1000 + frequencySeconds : 0;
  if (left <= 0) return;
  const seconds = Math.ceil(left);
  throw tooSoon(code, seconds);
}

/** E(429) for a mail or message that may be asked for again in so many seconds (auth-api.md 1.9). */
export function tooSoon(code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit', seconds: number): AuthError {
  const message = `For security purposes, you can only request this after ${seconds} seconds.`;
  return new AuthError(429, code, message, {}, seconds);
}
