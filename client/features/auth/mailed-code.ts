import type { AuthError, GoTrueClient } from '@supabase/auth-js';
import { paths } from '../../../src/shared/paths.js';
import { accountMessages, type CodePurpose } from '../../content/accounts.js';
import { needsCode } from '../../lib/session.js';
import type { FormAnswer } from './account-form.js';
import type { CredentialValues } from './credentials-rules.js';
import type { LinkOutcome } from './mail-link.js';
import { refuse } from './use-sign-in.js';

/** Result of a code; 'expired' when it is wrong, used or too old, which the server does not tell apart. */
export type CodeOutcome = Exclude<LinkOutcome, 'refused'> | FormAnswer;

/** Tries a code for its address. */
export async function tryCode(
  auth: GoTrueClient,
  purpose: CodePurpose,
  { email, code }: CredentialValues,
): Promise<CodeOutcome> {
  // All but a change of address are one to the server (auth-api.md 3.8), so that choosing the wrong one costs nothing.
  const type = purpose === 'email_change' ? 'email_change' : 'email';
  const { data, error } = await auth.verifyOtp({ email, token: code, type });
  if (error?.code === 'otp_expired') return 'expired';
  if (error) return refuse(accountMessages.failed, error);
  if (!data.session) return 'half-done';
  if (purpose === 'magiclink' && needsCode(data.session)) return 'needs-code';
  return purpose === 'signup' || purpose === 'email_change' ? 'done' : 'leads-on';
}

type Resend = (auth: GoTrueClient, email: string) => Promise<{ readonly error: AuthError | null }>;

const at = (path: string) => new URL(path, location.origin).href;

/** The mails that these screens ask for, asked for again. */
const RESENDS: Readonly<Partial<Record<CodePurpose, Resend>>> = {
  signup: (auth, email) => auth.resend({ type: 'signup', email, options: { emailRedirectTo: at(paths.home) } }),
  recovery: (auth, email) => auth.resetPasswordForEmail(email, { redirectTo: at(paths.authNewPassword) }),
  email_change: async (auth, typed) => {
    const email = await presentAddress(auth, typed);
    return await auth.resend({ type: 'email_change', email, options: { emailRedirectTo: at(paths.home) } });
  },
};

/**
 * The address by which the server finds the account of a change (auth-api.md 3.7): the present one, also for whoever
 * waits for the code at the new one. Known where the person is signed in, as they are where the change was begun.
 */
async function presentAddress(auth: GoTrueClient, typed: string): Promise<string> {
  const { data } = await auth.getSession();
  const user = data.session?.user;
  return (user?.new_email === typed.toLowerCase() && user.email) || typed;
}

/** Returns true for mails that {@link resendCode} can send. */
export function isResendable(purpose: CodePurpose): boolean {
  return purpose in RESENDS;
}

/** Asks for a new code. Whoever asks too soon is told when: every address has to wait, so that tells nothing about it. */
export async function resendCode(auth: GoTrueClient, purpose: CodePurpose, email: string): Promise<FormAnswer> {
  const answer = await RESENDS[purpose]?.(auth, email);
  if (answer?.error) return refuse(accountMessages.failed, answer.error);
  return { kind: 'success', text: accountMessages.codeSent };
}
