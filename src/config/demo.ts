import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, withoutBlanks, type Config, type Variables } from './config.js';

/**
 * The configuration of the demo: everything on this machine, nothing to set. `PORT`, `DATA_DIR` and the `SITE_`
 * variables are honored, and `SMTP_URL`, without which mails are kept for reading.
 * @param own the variables of the shell
 * @throws ConfigError as {@link loadConfig} does
 */
export function loadDemoConfig(own: Variables = process.env): Config {
  const given = withoutBlanks(own);
  const port = given['PORT']?.trim() ?? '3000';
  const isSending = (given['SMTP_URL'] ?? given['SMTP_URL_FILE']) !== undefined;
  const variables = {
    ...given,
    // Settings that the demo makes itself must not come from a file either.
    DATABASE_URL_FILE: undefined,
    DATABASE_DIRECT_URL: undefined,
    DATABASE_DIRECT_URL_FILE: undefined,
    AUTH_JWT_KEYS_FILE: undefined,
    AUTH_TOKEN_SECRET_FILE: undefined,
    NODE_ENV: 'production',
    PORT: port,
    // What is wrong with a port is said of PORT, and not of a variable that nobody has set.
    PUBLIC_URL: URL.canParse(`http://localhost:${port}`) ? `http://localhost:${port}` : 'http://localhost',
    DATABASE_URL: 'embedded',
    STORAGE_DRIVER: 'folder',
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    MAIL_CAPTURE: isSending ? 'false' : 'true',
    SITE_EMAIL: given['SITE_EMAIL'] ?? 'hello@example.com',
    LOG_LEVEL: given['LOG_LEVEL'] ?? 'warn',
  };
  return loadConfig(variables, { showsPlaceholders: true });
}

/** Returns the file with the administrator of the demo, which its first start makes in the data folder. */
export function demoAdminFile(dataDir: string): string {
  return join(dataDir, 'demo-admin.json');
}

/** Returns true for another site in production over the data of the demo, whose posts and administrator would be its own. */
export function isOverDemo({ dataDir, database, site }: Config): boolean {
  // The demo itself runs as in production, and shows placeholders.
  return !site.showsPlaceholders && database.url === 'embedded' && existsSync(demoAdminFile(dataDir));
}
