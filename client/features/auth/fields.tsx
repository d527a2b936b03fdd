import { InputField, PasswordField } from '../../components/field.js';
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
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      hint={isNew ? 'At least 6 characters. A few words in a row are easier to keep than one odd word.' : undefined}
      error={problems.password}
    />
  );
}
