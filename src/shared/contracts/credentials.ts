import { Transform } from 'class-transformer';
import { IsEmail, MinLength } from 'class-validator';
import { PASSWORD_MIN_LENGTH } from '../limits.js';

/** The address of an account, for screens that ask for nothing else. */
export class AccountAddress {
  @AccountEmail()
  email!: string;
}

/** A password to be set. */
export class NewPassword {
  @AccountPassword()
  password!: string;
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

function both(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}
