import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

/** The variables that hold a secret. Each can be read from a file instead, which `…_FILE` names. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'AUTH_JWT_KEYS',
  'AUTH_JWT_SECRET',
  'AUTH_TOKEN_SECRET',
  'AUTH_SMS_TEST_OTP',
  'AUTH_OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'NOTIFY_WEBHOOK_URL',
  'NOTIFY_WEBHOOK_SECRET',
] as const satisfies readonly (keyof Environment)[];

/** A variable that names the file of a secret. */
export type SecretFileVariable = `${(typeof secretVariables)[number]}_FILE`;

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable that names the file of this one, whether this one is a secret or not. */
export const fileVariableOf = (name: string) => `${name}_FILE`;

/** Two bytes with which editors and shells of Windows begin a text in UTF-16. */
const UTF_16_MARKS: readonly string[] = ['fffe', 'feff'];

/** Tells whether a file begins as texts in UTF-16 do, of which nothing can be read as UTF-8. */
export const isUtf16 = (bytes: Buffer) => UTF_16_MARKS.includes(bytes.toString('hex', 0, 2));

/** Takes away the mark of UTF-8, which some editors write and none shows. */
export const withoutMark = (text: string) => text.replace(/^\uFEFF/, '');

/**
 * Reads the secrets that are in files; ends of lines at the end of a file do not belong to them.
 * @returns the variables with the secrets among them, and one line for each file that cannot be used
 */
export function readSecretFiles(given: Variables): { readonly variables: Variables; readonly problems: string[] } {
  const variables: Record<string, string | undefined> = { ...given };
  const problems: string[] = [];
  for (const name of secretVariables) {
    const fileVariable = fileVariableOf(name);
    const path = given[fileVariable];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      problems.push(`${fileVariable}: is set, and so is ${name}; set one of them`);
      continue;
    }
    try {
      const bytes = readFileSync(path);
      const secret = withoutMark(bytes.toString('utf8')).replace(/[\r\n]+$/, '');
      if (isUtf16(bytes)) problems.push(`${fileVariable}: names a file in UTF-16; save it as UTF-8`);
      else if (secret.trim() === '') problems.push(`${fileVariable}: names a file that is empty`);
      else variables[name] = secret;
    } catch (error) {
      problems.push(`${fileVariable}: names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { variables, problems };
}
