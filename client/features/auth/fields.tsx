import { InputField, PasswordField } from '../../components/field.js';
import { useSite } from '../../lib/site-context.js';
import type { CredentialProblems } from './credentials-rules.js';

interface AccountFieldProps {
  readonly problems: CredentialProblems;
  /** Text typed on another tab. */
  readonly defaultValue?: string;
}

/** The address of an account; password managers know it as the user name. */
export function EmailField({ problems, defaultValue }: AccountFieldProps) {
  return (
    <InputField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="you@example.com"
      required
      defaultValue={defaultValue}
      error={problems.email}
    />
  );
}

interface SecretFieldProps extends AccountFieldProps {
  readonly label?: string;
  readonly isNew?: boolean;
}

/** The password of an account, or the one it is to have. */
export function SecretField({ problems, label = 'Password', isNew = false }: SecretFieldProps) {
  const { passwordLength } = useSite().accounts;
  const hint = `At least ${passwordLength} characters. A few words in a row are easier to keep than one odd word.`;
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      hint={isNew ? hint : undefined}
      error={problems.password}
    />
  );
}

/** The present password, for a change of it. */
export function CurrentPasswordField({ problems }: Pick<AccountFieldProps, 'problems'>) {
  return (
    <PasswordField
      label="Current password"
      name="current"
      autoComplete="current-password"
      required
      error={problems.current}
    />
  );
}

/** The code of a mail. Blanks may be pasted with it, so there is no limit to what can be typed. */
export function CodeField({ problems }: Pick<AccountFieldProps, 'problems'>) {
  const { codeLength } = useSite().accounts;
  return (
    <InputField
      label="Code"
      name="code"
      className="code-input"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      hint={`The ${codeLength} digits in the email.`}
      error={problems.code}
    />
  );
}
