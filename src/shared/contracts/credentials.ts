import { Transform } from 'class-transformer';
import { IsEmail, Matches, MaxLength, MinLength } from 'class-validator';
import { ACCOUNT_NAME_MAX, CODE_DIGITS, PASSWORD_MIN_LENGTH } from '../limits.js';

/** The address of an account, for screens that ask for nothing else. */
export class AccountAddress {
  @AccountEmail()
  email!: string;
}

/** The name of the person of an account; empty for none. */
export class AccountName {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @MaxLength(ACCOUNT_NAME_MAX, { message: `At most ${ACCOUNT_NAME_MAX} characters` })
  name!: string;
}

/** A password to be set. */
export class NewPassword {
  @AccountPassword()
  password!: string;
}

/** A code that was mailed, with the address that it was mailed to. */
export class MailedCode {
  @AccountEmail()
  email!: string;

  @Code()
  code!: string;
}

/** A password to be set by somebody who has to show first that they read their mail. */
export class NewPasswordWithCode {
  @AccountPassword()
  password!: string;

  @Code()
  code!: string;
}

/** Input of the sign-in and sign-up forms: the single statement of their rules (product.md 5.2). */
export class Credentials {
  @AccountEmail()
  email!: string;

  @AccountPassword()
  password!: string;
}

/** Trimmed; like the browser's own check, this rule accepts a host without a dot. */
function AccountEmail(): PropertyDecorator {
  return both(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsEmail({ require_tld: false }, { message: 'Invalid email address' }),
  );
}

/** Never trimmed: a password may begin or end with a space. */
function AccountPassword(): PropertyDecorator {
  return MinLength(PASSWORD_MIN_LENGTH, {
    message: `Password must be at least ${PASSWORD_MIN_LENGTH} characters`,
  });
}

/** Pasted codes come with blanks, dashes or the words before them; only digits count. */
function Code(): PropertyDecorator {
  const { min, max } = CODE_DIGITS;
  return both(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\D/g, '') : value)),
    Matches(new RegExp(`^\\d{${min},${max}}$`), { message: 'Please type in all digits of the code' }),
  );
}

function both(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}
