import { loadConfig, type Config } from './config.js';

/**
 * The configuration of the demo: everything on this machine, nothing to set. `PORT`, `DATA_DIR` and the `SITE_`
 * variables are honored, and `SMTP_URL`, without which mails are kept for reading.
 * @throws ConfigError as {@link loadConfig} does
 */
export function loadDemoConfig(): Config {
  const port = process.env['PORT'] || '3000';
  const isSending = process.env['SMTP_URL'] || process.env['SMTP_URL_FILE'];
  const variables = {
    ...process.env,
    // Settings that the demo makes itself must not come from a file either.
    DATABASE_URL_FILE: undefined,
    DATABASE_DIRECT_URL: undefined,
    DATABASE_DIRECT_URL_FILE: undefined,
    AUTH_JWT_KEYS_FILE: undefined,
    AUTH_TOKEN_SECRET_FILE: undefined,
    NODE_ENV: 'production',
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    DATABASE_URL: 'embedded',
    STORAGE_DRIVER: 'folder',
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    MAIL_CAPTURE: isSending ? 'false' : 'true',
    SITE_EMAIL: process.env['SITE_EMAIL'] || 'hello@example.com',
    LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
  };
  return loadConfig(variables, { showsPlaceholders: true });
}
