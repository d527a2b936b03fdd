import type { GoTrueClient, AuthError } from '@supabase/auth-js';
import { paths } from '../../../src/shared/paths.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import type { FormAnswer } from './account-form.js';
import { useCodeOffer } from './code-offer.js';
import type { CredentialValues } from './credentials-rules.js';
import { describeAuthError } from './describe-auth-error.js';

type Send = (values: CredentialValues) => Promise<FormAnswer | null>;

/** Shows a toast about a refusal and returns the message that stays on the page. */
export function refuse(title: string, error: AuthError): FormAnswer {
  const text = describeAuthError(error);
  showToast({ kind: 'error', title, text });
  // A password that the server does not take is a matter of its field.
  const isPassword = error.code === 'weak_password' || error.code === 'same_password';
  return { kind: 'error', text, ...(isPassword ? { problems: { password: text } } : {}) };
}

/** Asks for another confirmation mail; the answer does not tell whether there is such an account. */
export function useResendConfirmation(): (auth: GoTrueClient, email: string) => Promise<FormAnswer> {
  const offerCode = useCodeOffer();
  return async (auth, email) => {
    const { error } = await auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: new URL(paths.home, location.origin).href },
    });
    if (error && !isAboutMail(error)) return refuse(accountMessages.failed, error);
    return { kind: 'success', text: accountMessages.confirmationSent, action: offerCode({ purpose: 'signup', email }) };
  };
}

/** The limit of mails for one account: only accounts that exist meet it, so it must not show. */
export function isAboutMail(error: AuthError): boolean {
  return error.code === 'over_email_send_rate_limit';
}

/** Signs in with a password. The components that watch the session decide about the next page. */
export function useSignIn(): Send {
  const getClient = useAuthClient();
  const resendConfirmation = useResendConfirmation();
  return async ({ email, password }) => {
    const auth = await getClient();
    const { error } = await auth.signInWithPassword({ email, password });
    if (!error) return null;
    const answer = refuse(accountMessages.signInFailed, error);
    if (error.code !== 'email_not_confirmed') return answer;
    return { ...answer, action: { label: 'Send the email again', run: () => resendConfirmation(auth, email) } };
  };
}

/**
 * Creates an account, which has to be confirmed by mail before it can be used.
 * @param onSignInInstead shows the form for people who have an account
 */
export function useSignUp(onSignInInstead: () => void): Send {
  const getClient = useAuthClient();
  const offerCode = useCodeOffer();
  return async ({ email, password }) => {
    const auth = await getClient();
    const { data, error } = await auth.signUp({
      email,
      password,
      options: { emailRedirectTo: new URL(paths.home, location.origin).href },
    });
    // Not from an empty list of identities: a server that conceals accounts wants them concealed.
    if (error?.message.includes('already registered')) {
      showToast({ kind: 'error', ...accountMessages.exists });
      const run = () => {
        onSignInInstead();
        return null;
      };
      return { kind: 'error', text: accountMessages.exists.text, action: { label: 'Sign in instead', run } };
    }
    if (error) return refuse(accountMessages.signUpFailed, error);
    // Where confirmation is off the visitor is signed in by now.
    if (data.session) return null;
    showToast({ kind: 'success', ...accountMessages.confirm });
    const action = offerCode({ purpose: 'signup', email });
    return { kind: 'success', text: accountMessages.confirm.text, action };
  };
}
