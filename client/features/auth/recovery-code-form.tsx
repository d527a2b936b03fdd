import { accountMessages } from '../../content/accounts.js';
import { SecondCodeForm, type SecondCode, type SecondCodeFormProps } from './second-code-form.js';

const code: SecondCode = {
  check: (typed) => (typed === '' ? accountMessages.recoveryCodeForm : null),
  show: (auth, typed) => auth.mfa.recoveryCodes.verify({ code: typed }),
  refusals: { mfa_verification_failed: accountMessages.wrongRecoveryCode },
};

/** Asks for a recovery code in the place of another second factor, and raises the session with it. */
export function RecoveryCodeForm(props: SecondCodeFormProps) {
  return (
    <SecondCodeForm
      {...props}
      code={code}
      field={{
        label: 'Recovery code',
        autoComplete: 'off',
        autoCapitalize: 'none',
        maxLength: 40,
        hint: 'One of the codes that you kept when you made them. It works once.',
      }}
    />
  );
}
