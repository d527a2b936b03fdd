import { accountVariables } from './environment-accounts.js';
import { environmentSchema } from './environment.js';
import { loadConfig, readEnvironment, withoutBlanks, type Config, type Variables } from './config.js';
import { fileVariableOf, readSecretFiles, secretVariables } from './secret-files.js';

/** A setting of accounts as it is in force. */
export interface AccountSetting {
  readonly name: string;
  /** A secret is concealed. */
  readonly value: string;
  /** The place that it comes from: the default, the environment, the .env file, or the file of a secret. */
  readonly origin: string;
}

type Name = keyof typeof accountVariables;
type Value = string | number | boolean | readonly string[] | undefined;

/** Settings that follow from others where they are not set themselves. */
const DERIVED: Readonly<Partial<Record<Name, (auth: Config['auth']) => string | number>>> = {
  AUTH_EXTERNAL_URL: ({ externalUrl }) => externalUrl,
  AUTH_SITE_URL: ({ siteUrl }) => siteUrl,
  AUTH_JWT_KEYS: ({ jwt }) => jwt.keys ?? '',
  AUTH_TOKEN_SECRET: ({ tokenSecret }) => tokenSecret,
  AUTH_WEBAUTHN_RP_ID: ({ webauthn }) => webauthn.rpId,
  AUTH_RATE_LIMIT_MAIL_KEPT: ({ mailBudgets }) => mailBudgets.recovery.count + mailBudgets.admins.count,
  AUTH_RATE_LIMIT_MAIL_RECIPIENT: ({ mailBudgets }) => mailBudgets.recipient.count,
  AUTH_RATE_LIMIT_MAIL_ADDRESS: ({ mailBudgets }) => mailBudgets.address.count,
  AUTH_RATE_LIMIT_MAIL_NETWORK: ({ mailBudgets }) => mailBudgets.network.count,
};

/**
 * Lists every setting of accounts, in the order of .env.example.
 * @param own the variables of the process
 * @param folder where the .env file may be
 * @throws ConfigError
 */
export function listAccountSettings(own?: Variables, folder?: string): AccountSetting[] {
  const shell = withoutBlanks(own);
  const given = withoutBlanks(readEnvironment(own, folder));
  const { auth } = loadConfig(given);
  const parsed = environmentSchema.parse(readSecretFiles(given).variables);
  return (Object.keys(accountVariables) as Name[]).map((name) => {
    const value = parsed[name] ?? DERIVED[name]?.(auth);
    return { name, value: isSecret(name) ? conceal(value) : toText(value), origin: originOf(name, given, shell) };
  });
}

function isSecret(name: string): boolean {
  return secretVariables.some((secret) => secret === name);
}

function conceal(value: Value): string {
  if (value === 'generated') return 'generated';
  return value === undefined || value === '' ? '' : '(secret)';
}

function toText(value: Value): string {
  return [value ?? ''].flat().join(', ');
}

function originOf(name: string, given: Variables, shell: Variables): string {
  const file = given[fileVariableOf(name)];
  if (file !== undefined) return `file ${file}`;
  if (given[name] === undefined) return 'default';
  return shell[name] === undefined ? '.env' : 'environment';
}
