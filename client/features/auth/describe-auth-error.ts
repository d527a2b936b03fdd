import type { AuthError } from '@supabase/auth-js';
import { accountMessages } from '../../content/accounts.js';

/** Describes an error of the accounts' client, in the server's own words where the server answered. */
export function describeAuthError(error: AuthError): string {
  // What could not be read came from something in between, as the page of a proxy: their words are those of the parser.
  if (/^Auth(RetryableFetch|Unknown)Error$/.test(error.name)) return accountMessages.unreachable;
  // Their sentence about it is one for programs.
  if (error.status === 403 && error.code === 'user_not_found') return accountMessages.accountGone;
  return error.name === 'AuthSessionMissingError' ? accountMessages.sessionEnded : error.message;
}
