import type { AuthError } from '@supabase/auth-js';
import { accountMessages } from '../../content/accounts.js';
import { describeAuthError } from './describe-auth-error.js';

/** An error of the accounts' client, or of the browser that was to ask for a key. */
interface KeyError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
}

/** Describes an error of what a security key or passkey was asked for: the server's own words, where it answered. */
export function describeKeyError(error: KeyError): string {
  if (error.status !== undefined) return describeAuthError(error as AuthError);
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return accountMessages.keyKnown;
  return accountMessages.keyNotUsed;
}

/** Returns true for a browser that can ask for keys, which it does on https and on localhost alone. */
export function canUseKeys(): boolean {
  return 'PublicKeyCredential' in window;
}
