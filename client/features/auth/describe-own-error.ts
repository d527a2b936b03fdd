import type { AuthError, GoTrueClient } from '@supabase/auth-js';
import { accountMessages } from '../../content/accounts.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';

/**
 * Forgets a session that was ended elsewhere, where the server says so: the client keeps it until its token runs out, and
 * the page of signing in sends whoever has one home.
 */
export async function forgetEnded(auth: GoTrueClient, { name }: Pick<AuthError, 'name'>): Promise<void> {
  if (name === 'AuthSessionMissingError') await auth.signOut({ scope: 'local' });
}

/** Describes an error of a change of the account. The part of the page goes with an ended session, so a toast says it too. */
export async function describeOwnError(auth: GoTrueClient, error: AuthError): Promise<string> {
  const text = describeAuthError(error);
  if (error.name === 'AuthSessionMissingError') showToast({ kind: 'error', title: accountMessages.failed, text });
  await forgetEnded(auth, error);
  return text;
}
