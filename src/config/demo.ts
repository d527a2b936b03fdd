import { loadConfig, type Config } from './config.js';

/**
 * The configuration of the demo: everything on this machine, nothing to set. `PORT`, `DATA_DIR` and the `SITE_`
 * variables are honoured, and `SMTP_URL`, without which mails are kept for reading.
 * @throws ConfigError as {@link loadConfig} does
 */
export function loadDemoConfig(): Config {
  const port = process.env['PORT'] || '3000';
  return loadConfig({
    ...process.env,
    NODE_ENV: 'production',
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    DATABASE_URL: 'embedded',
    STORAGE_DRIVER: 'folder',
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    MAIL_CAPTURE: process.env['SMTP_URL'] ? 'false' : 'true',
    LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
  });
}
