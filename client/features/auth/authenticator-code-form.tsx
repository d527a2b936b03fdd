import { accountMessages } from '../../content/accounts.js';
import { SecondCodeForm, type SecondCode, type SecondCodeFormProps } from './second-code-form.js';

interface AuthenticatorCodeFormProps extends SecondCodeFormProps {
  readonly factorId: string;
}

/** Asks for the code that an authenticator app shows, and raises the session with it. */
export function AuthenticatorCodeForm({ factorId, ...form }: AuthenticatorCodeFormProps) {
  const code: SecondCode = {
    check: (typed) => (/^\d{6}$/.test(typed) ? null : accountMessages.codeForm),
    show: (auth, typed) => auth.mfa.challengeAndVerify({ factorId, code: typed }),
    refusals: { mfa_verification_failed: accountMessages.wrongCode },
  };
  return (
    <SecondCodeForm
      {...form}
      code={code}
      field={{
        label: 'Authenticator code',
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        maxLength: 12,
      }}
    />
  );
}
