// The built server with as much time of the database for each request as a test has (create-test-app.ts): for tests to
// which a 503 is a fault, and which keep the machine busy themselves.
import { loadConfig } from '../../dist/src/config/config.js';
import { ConnectionPool } from '../../dist/src/database/pool/connection-pool.js';
import { ServerPageServices } from '../../dist/src/pages/page-services.js';
import { serveUntilSignal } from '../../dist/src/server/serve.js';
import { SiteService } from '../../dist/src/site/site.service.js';

/** As WAIT_LIMIT_MS. */
const MS = 60_000;

const { app, url } = await serveUntilSignal(loadConfig());
Object.assign(app.get(ConnectionPool, { strict: false }), {
  requestLimits: { acquireMs: MS, statementMs: MS, lockMs: MS, idleMs: MS, totalMs: MS },
  connectMs: MS,
});
for (const reader of [ServerPageServices, SiteService]) app.get(reader, { strict: false }).readLimitMs = MS;
process.stdout.write(`Listening at ${url} for tests\n`);
