import type { Environment } from '../../src/config/environment.js';
import type { SecretFileVariable } from '../../src/config/secret-files.js';

/** Variables as a shell would hand them over. */
export type Variables = Partial<Record<keyof Environment | SecretFileVariable, string>>;

/** The environment of a product under test: quiet, with a database and a data folder of its own. */
export function testEnvironment(own: { readonly databaseUrl: string; readonly dataDir: string }, overrides: Variables) {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'http://site.test',
    LOG_LEVEL: 'silent',
    // Machines that run tests have other things to do.
    UPLOAD_SECONDS: '30',
    SHARE_IMAGES: 'false',
    READ_COUNTS: 'false',
    DATABASE_URL: own.databaseUrl,
    DATABASE_POOL_SIZE: '4',
    DATA_DIR: own.dataDir,
    AUTH_JWT_KEYS: 'generated',
    AUTH_TOKEN_SECRET: 'generated',
    SITE_EMAIL: 'hello@example.com',
    ...overrides,
  } satisfies Variables;
}
