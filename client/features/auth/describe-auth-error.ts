import type { AuthError } from '@supabase/auth-js';
import { accountMessages } from '../../content/accounts.js';

/** Returns true where nobody knows what the server did: no answer of it came, or one that says that it failed. */
export function isUnanswered({ name }: Pick<AuthError, 'name'>): boolean {
  return /^Auth(RetryableFetch|Unknown)Error$/.test(name);
}

/** Describes an error of the accounts' client, in the server's own words where the server answered. */
export function describeAuthError(error: AuthError): string {
  // What could not be read came from something in between, as the page of a proxy: their words are those of the parser.
  if (isUnanswered(error)) return accountMessages.unreachable;
  // Their sentence about it is one for programs.
  if (error.status === 403 && error.code === 'user_not_found') return accountMessages.accountGone;
  return error.name === 'AuthSessionMissingError' ? accountMessages.sessionEnded : error.message;
}
