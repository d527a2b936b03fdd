import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SessionUpkeep } from '../../src/auth/sessions/session-upkeep.js';
import { loadConfig, type Config } from '../../src/config/config.js';
import { ConnectionPool } from '../../src/database/pool/connection-pool.js';
import { REQUEST_LIMITS, type DatabaseLimits } from '../../src/database/pool/database-limits.js';
import { LinkUpkeep } from '../../src/links/link-upkeep.js';
import { ServerPageServices } from '../../src/pages/page-services.js';
import { PostUpkeep } from '../../src/posts/post-upkeep.js';
import { RelatedUpkeep } from '../../src/posts/related/related-upkeep.js';
import { ReadUpkeep } from '../../src/reads/read-upkeep.js';
import { createApp } from '../../src/server/create-app.js';
import { Clock } from '../../src/shared/clock.js';
import { SiteService } from '../../src/site/site.service.js';
import { MediaUpkeep } from '../../src/uploads/media-upkeep.js';
import { WebhookUpkeep } from '../../src/webhooks/webhook-upkeep.js';
import { onCleanup } from './cleanup.js';
import { nextMoment } from './clock.js';
import { cloneDatabase } from './database.js';
import { testEnvironment, type Variables } from './environment.js';
import { temporaryFolder } from './temporary-folder.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';

/** Thirty requests at once can take longer on a busy machine than visitors are kept waiting. */
const PATIENT_LIMITS: DatabaseLimits = {
  ...REQUEST_LIMITS,
  acquireMs: WAIT_LIMIT_MS,
  statementMs: WAIT_LIMIT_MS,
  lockMs: WAIT_LIMIT_MS,
  // Between the statements of a transaction a test waits for what others do.
  idleMs: WAIT_LIMIT_MS,
  totalMs: WAIT_LIMIT_MS,
};

/** The real application in this process, over a database of its own. */
export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly config: Config;
  /** Variables that make another process work on the same database and data folder. */
  readonly environment: Variables;
  /** The provider of a class or token, wherever it is. */
  get<T>(token: Type<T> | symbol): T;
  /** Answers a request without a network. */
  readonly inject: NestFastifyApplication['inject'];
  /** Starts to listen on a free port, or on PORT, and returns the base address, without a trailing slash. */
  listen(): Promise<string>;
  /** Ends the application now; otherwise it ends with the tests of this file. */
  close(): Promise<void>;
}

interface TestAppOptions {
  /** True to look for related posts and dead links by itself, seconds after a change: in tests of other things that may be at any step. */
  readonly followsChanges?: boolean;
}

/**
 * Constructs the application as the server does, but with more time of the database for each request: a test of those
 * limits sets `requestLimits` and `connectMs` of the pool, and `readLimitMs` of {@link ServerPageServices}.
 * @param overrides variables to set beside those of a test; DATABASE_URL to share a database with another app
 */
export async function createTestApp(overrides: Variables = {}, options: TestAppOptions = {}): Promise<TestApp> {
  const own = { databaseUrl: overrides.DATABASE_URL ?? (await cloneDatabase()), dataDir: temporaryFolder() };
  const environment = testEnvironment(own, overrides);
  const config = loadConfig(environment);
  const running = await createApp(config);
  const { app } = running;
  app.get(Clock, { strict: false }).now = nextMoment;
  Object.assign(app.get(ConnectionPool, { strict: false }), {
    requestLimits: PATIENT_LIMITS,
    connectMs: WAIT_LIMIT_MS,
  });
  for (const reader of [ServerPageServices, SiteService])
    app.get(reader, { strict: false }).readLimitMs = WAIT_LIMIT_MS;
  if (!options.followsChanges) {
    // As the class has it: the hook of the instance belongs to the end of the whole, with its limits.
    for (const upkeep of [LinkUpkeep, RelatedUpkeep]) {
      await upkeep.prototype.beforeApplicationShutdown.call(app.get(upkeep, { strict: false }));
    }
  }
  stopRounds(running.app);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= running.close());
  onCleanup(close);
  return {
    app,
    config,
    environment,
    get: (token) => app.get(token, { strict: false }),
    inject: app.inject.bind(app),
    listen: async () => {
      await app.listen(config.server.port, '127.0.0.1');
      return await app.getUrl();
    },
    close,
  };
}

/**
 * Ends the rounds that begin a minute after the start, or every minute: they would do, behind the back of a test that
 * takes so long on a busy machine, what the test does itself and counts. Jobs are done as ever.
 */
function stopRounds(app: NestFastifyApplication): void {
  for (const upkeep of [PostUpkeep, MediaUpkeep, ReadUpkeep, SessionUpkeep, WebhookUpkeep])
    clearTimeout(app.get(upkeep, { strict: false })['timer']);
}
