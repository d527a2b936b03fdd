import { describe, expect, it } from '@jest/globals';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment } from '../support/environment.js';
import { launchServer, startServer } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('serves until %s, then ends cleanly', async (signal) => {
    const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
    const server = await startServer(testEnvironment(own, { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1' }));
    const answer = await fetch(`${server.url}/api/health`);
    expect(answer.status).toBe(200);
    expect(await server.stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('names everything that production lacks and does not start', async () => {
    const { code, stderr } = await launchServer({ NODE_ENV: 'production', PORT: 'many' }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /PORT: .*\n.*PUBLIC_URL: is missing.*\n.*DATABASE_URL: is missing.*\n.*AUTH_JWT_KEYS: is missing.*\n.*AUTH_TOKEN_SECRET: is missing.*\n.*SMTP_URL: is missing.*\n.*SITE_EMAIL: is missing/,
    );
  });
});
