import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { AccountDeletion } from '../../../src/shared/contracts/account-deletion.js';
import {
  AccountAddress,
  AccountName,
  Credentials,
  MailedCode,
  NewPassword,
  NewPasswordWithCode,
} from '../../../src/shared/contracts/credentials.js';

/** The fields that account forms have, in the order in which they stand. */
export const CREDENTIAL_FIELDS = ['name', 'email', 'confirmation', 'current', 'password', 'code'] as const;

/** A field of an account form, by its name. */
export type CredentialField = (typeof CREDENTIAL_FIELDS)[number];

/** The first message of each field that breaks a rule. */
export type CredentialProblems = Readonly<Partial<Record<CredentialField, string>>>;

const contracts = {
  credentials: Credentials,
  address: AccountAddress,
  password: NewPassword,
  code: MailedCode,
  passwordWithCode: NewPasswordWithCode,
  name: AccountName,
  deletion: AccountDeletion,
} as const;

/** Which contract a form fills. */
export type CredentialContract = keyof typeof contracts;

/** Values of a form: every field, empty where the form has none. */
export type CredentialValues = Readonly<Record<CredentialField, string>>;

/**
 * Brings the values of a form into the shape of its contract and checks them. Brings the validator with it, so forms
 * import this module only when somebody sends.
 * @returns `problems` is null when there are none
 */
export function checkCredentials(
  contract: CredentialContract,
  values: CredentialValues,
): { readonly values: CredentialValues; readonly problems: CredentialProblems | null } {
  const filled = plainToInstance<Partial<CredentialValues>, unknown>(contracts[contract], values);
  const errors = validateSync(filled);
  const problems = errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)[0]] as const);
  return {
    values: { ...values, ...filled },
    problems: errors.length > 0 ? Object.fromEntries(problems) : null,
  };
}
