import type { AuthError } from '@supabase/auth-js';
import { accountMessages } from '../../content/accounts.js';

/** What to tell about an error of the accounts' client: the server's own words, where there was a server. */
export function describeAuthError(error: AuthError): string {
  if (error.name === 'AuthRetryableFetchError') return accountMessages.unreachable;
  return error.name === 'AuthSessionMissingError' ? accountMessages.sessionEnded : error.message;
}
