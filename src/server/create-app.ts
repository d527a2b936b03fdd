import 'reflect-metadata';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import fastifyCompress from '@fastify/compress';
import fastifyMultipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import { EntityManager, RequestContext } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Logger, PinoLogger } from 'nestjs-pino';
import { AppModule } from '../app.module.js';
import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../config/config.js';
import { DATABASE_STOP_MS, DRAIN_MS, RELEASE_MS, SHUTDOWN_MS } from '../config/time-limits.js';
import { ContactModule } from '../contact/contact.module.js';
import { openDatabase, type DatabaseAddresses } from '../database/open-database.js';
import { prepareSchema } from '../database/migrate.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import { withDatabaseLimits } from '../database/pool/database-limits.js';
import { addAnswerRules } from '../http/answer-rules.js';
import { addClientAddress, createClientAddress, trustProxies } from '../http/client-address.js';
import { prepareToEnd } from '../http/end-connections.js';
import { noteUntrustedForwarding } from '../http/forwarding-notes.js';
import { createClientErrorHandler, refuseTunnels } from '../http/client-errors.js';
import { Draining } from '../http/draining.js';
import { addInputGate } from '../http/input-gate.js';
import { addArrivalHook, ARRIVAL_OPTIONS, CONNECTION_IDLE_MS, limitArrival } from '../http/request-arrival.js';
import { createRequestIds } from '../http/request-id.js';
import { logWhenOver } from '../http/request-log.js';
import { readTarget } from '../http/request-target.js';
import {
  answerExpectations,
  createRouterErrorHandler,
  lacksHost,
  refuse,
  trackRequest,
} from '../http/request-tracking.js';
import {
  addSecurityHeaders,
  FOR_OTHER_SITES,
  securityHeadersOf,
  type SecurityHeaders,
} from '../http/security-headers.js';
import { Metrics } from '../metrics/metrics.js';
import { CLIENT_FOLDER, loadBuiltBundle, startDevelopmentBundle, type ClientBundle } from '../pages/client-bundle.js';
import { PageFront } from '../pages/page-front.js';
import { addClosedSite } from '../pages/setup/closed-site.js';
import { SetupStateService } from '../setup/setup-state.service.js';
import { POST_REQUEST_MAX_BYTES, READ_REQUEST_MAX_BYTES } from '../shared/limits.js';
import { adminPaths } from '../shared/admin-paths.js';
import { paths } from '../shared/paths.js';
import { addApiDocument, DOCS_PATH } from './api-document.js';
import { limitHooks } from './limit-hooks.js';
import { SharedPort } from './shared-port.js';
import { Steps } from './steps.js';
import { stopDatabase } from './stop-database.js';

/** The application and what it runs on. */
export interface Running<T extends INestApplicationContext> {
  readonly app: T;
  /**
   * Ends requests and jobs, connections and an embedded database, in this order, each within limits (time-limits.ts).
   * @param leftMs what there is for all of it
   */
  close(leftMs?: number): Promise<void>;
  /** Ends an embedded database without waiting for anything; the process must end too. */
  abandon(): Promise<void>;
}

/** The parts that watch an answer end; a file that is streamed has more of them than Node takes for usual. */
const ANSWER_LISTENERS = 20;
const SERVER_OPTIONS = {
  ...ARRIVAL_OPTIONS,
  // Above the idle time of common load balancers, which would otherwise race with our closing.
  keepAliveTimeout: 70_000,
  // Most requests have no body: not opening a stream for it saves time on every page.
  optimizeEmptyRequests: true,
  // Refused here, in words.
  requireHostHeader: false,
};
/** The caller reports a failed start, after the database was closed. */
const NEST_OPTIONS = { bufferLogs: true, abortOnError: false };

/**
 * The one way in which server, command line and tests construct the application with its web server. It is
 * initialized but does not listen yet.
 * @throws Error naming what is missing: the database, its schema, the built client
 */
export async function createApp(config: Config, steps = new Steps()): Promise<Running<NestFastifyApplication>> {
  return construct(config, steps, async (database) => {
    const kept: { front?: PageFront; metrics?: Metrics; logger?: PinoLogger; setup?: SetupStateService } = {};
    const addressOf = createClientAddress(config.server);
    const identify = createRequestIds(config.server);
    const built = config.mode === 'development' ? undefined : await loadBuiltBundle();
    const security = securityHeadersOf(config, built?.inlineTexts ?? null);
    const port = new SharedPort();
    const adapter = new FastifyAdapter({
      // What still comes on an open connection is answered, and the connection ended.
      return503OnClosing: false,
      trustProxy: trustProxies(config.server),
      genReqId: identify,
      frameworkErrors: createRouterErrorHandler(security.all),
      rewriteUrl: ({ url = '/' }) => readTarget(url),
      // A slug may have 200 characters, and each may be percent-encoded.
      routerOptions: { maxParamLength: 1000 },
      serverFactory: (handle: RequestListener) => {
        const server = createServer(SERVER_OPTIONS, (request: IncomingMessage, response: ServerResponse) => {
          limitArrival(request, response, isUpload(request));
          const leave = () => {
            // Found by this site's settings before a logger, of which there is one, asks by another's.
            addressOf(request);
            trackRequest(request, response, identify, kept.metrics);
            logWhenOver(request, response, performance.now(), addressOf);
            if (lacksHost(request)) {
              return refuse(identify(request), response, security.all, 400, 'The request has no header Host.');
            }
            ignoreTypeOfNoBody(request);
            // Every line that is written meanwhile says for which request.
            kept.logger?.runInContext(() => handle(request, response), { bindings: { req: request } });
          };
          if (kept.front && kept.setup?.phase === 'running' && !lacksHost(request))
            kept.front.handle(request, response, leave);
          else leave();
        });
        refuseTunnels(server, security.all);
        return port.keepOpen(server).setTimeout(CONNECTION_IDLE_MS);
      },
      clientErrorHandler: createClientErrorHandler(security.all),
    });
    const fastify: FastifyInstance = adapter.getInstance();
    const bundle = built ?? (await startDevelopmentBundle(fastify));
    const module = AppModule.register({ config, database, bundle });
    const app = await NestFactory.create<NestFastifyApplication>(module, adapter, NEST_OPTIONS);
    app.useLogger(app.get(Logger));
    await addServerParts(app, fastify, { config, security, port, bundle });
    await app.init();
    await fastify.ready();
    const setup = app.get(SetupStateService, { strict: false });
    await setup.watch();
    const front = app.get(PageFront, { strict: false });
    front.open(security.all);
    const metrics = app.get(Metrics, { strict: false });
    Object.assign(kept, { front, metrics, setup, logger: await app.resolve(PinoLogger) });
    answerExpectations(fastify.server, identify, security.all, metrics);
    return app;
  });
}

function isUpload({ url, headers }: IncomingMessage): boolean {
  return url === paths.api.uploads && headers['content-type']?.startsWith('multipart/') === true;
}

/** The framework would wait for the end of a body whose type is named, and there is none that could end. */
function ignoreTypeOfNoBody(request: IncomingMessage): void {
  if (request.readableEnded) delete request.headers['content-type'];
}

/** The application without a web server, for the command line. */
export async function createAppContext(config: Config): Promise<Running<INestApplicationContext>> {
  return construct(config, new Steps(), async (database) => {
    const module = AppModule.register({ config, database, bundle: undefined });
    const app = await NestFactory.createApplicationContext(module, NEST_OPTIONS);
    app.useLogger(app.get(Logger));
    return app;
  });
}

async function construct<T extends INestApplicationContext>(
  config: Config,
  steps: Steps,
  create: (database: DatabaseAddresses) => Promise<T>,
): Promise<Running<T>> {
  const database = await openDatabase(config);
  try {
    await prepareSchema(config, database.directUrl);
    const app = await create(database);
    const beginEnd = limitHooks(app, steps);
    return {
      app,
      close: async (leftMs = SHUTDOWN_MS) => {
        const endAt = performance.now() + leftMs;
        beginEnd();
        await steps.run('the application', DRAIN_MS + RELEASE_MS, () => endApp(app, steps));
        await stopDatabase(database, steps, Math.max(DATABASE_STOP_MS, endAt - performance.now()));
      },
      abandon: () => stopDatabase(database, steps, DATABASE_STOP_MS),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Requests are answered while jobs end: neither waits for the other. */
async function endApp(app: INestApplicationContext, steps: Steps): Promise<void> {
  const server = isServer(app) ? app.getHttpAdapter().getInstance() : undefined;
  const answered = server && steps.run('requests', DRAIN_MS + RELEASE_MS, () => server.close());
  await app.close();
  // The ORM has ended it if it has ever used it.
  await app.get(ConnectionPool, { strict: false }).end();
  await answered;
}

function isServer(app: INestApplicationContext): app is NestFastifyApplication {
  return 'getHttpAdapter' in app;
}

/** True for a file with a picture, also where it lies compressed. */
function isIcon(file: string): boolean {
  return /\.(?:svg|png|ico)(?:\.(?:br|gz))?$/.test(file);
}

interface ServerParts {
  readonly config: Config;
  readonly security: SecurityHeaders;
  readonly port: SharedPort;
  readonly bundle: ClientBundle;
}

async function addServerParts(
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  { config, security, port, bundle }: ServerParts,
): Promise<void> {
  addSecurityHeaders(fastify, security, `/${DOCS_PATH}`);
  addAnswerRules(fastify);
  addClientAddress(fastify, config.server);
  noteUntrustedForwarding(fastify, config);
  addClosedSite(fastify, {
    state: app.get(SetupStateService, { strict: false }),
    styles: bundle.assetsFor([]).styles,
    accountsPath: config.site.accounts.url,
  });
  AuthModule.addHooks(fastify, config.auth);
  ContactModule.addHooks(fastify);
  addRequestContext(fastify, app.get(EntityManager), app.get(ConnectionPool));
  addBodyLimits(fastify);
  addArrivalHook(fastify);
  addInputGate(fastify);
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 4 } },
  });
  // Uploads; each route that takes them sets its own limits.
  await app.register(fastifyMultipart);
  if (config.mode !== 'development') {
    await app.register(fastifyStatic, {
      root: `${CLIENT_FOLDER}/assets`,
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
      decorateReply: false,
      // Search engines and feed readers show icons.
      setHeaders: (reply, file) => void (isIcon(file) && reply.headers(FOR_OTHER_SITES)),
    });
  }
  addApiDocument(app);
  const endConnections = prepareToEnd(fastify.server, () => port.isOurs);
  fastify.addHook('preClose', async () => {
    // Those who are told to end at once are ending, too.
    app.get(Draining, { strict: false }).begin();
    app.get(PageFront, { strict: false }).close();
    await endConnections();
  });
}

/** Every request works with an entity manager of its own, and with so much time of the database. */
function addRequestContext(fastify: FastifyInstance, em: EntityManager, pool: ConnectionPool): void {
  fastify.addHook('onRequest', (_request, { raw }, done) => {
    raw.setMaxListeners(ANSWER_LISTENERS);
    withDatabaseLimits(pool.requestLimits, (budget) => {
      raw.once('close', () => budget.end());
      RequestContext.create(em, done);
    });
  });
}

/** A long post is larger than what other requests may send, and a read is small. */
function addBodyLimits(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url.startsWith(adminPaths.posts)) route.bodyLimit = POST_REQUEST_MAX_BYTES;
    if (route.url === paths.api.reads) route.bodyLimit = READ_REQUEST_MAX_BYTES;
  });
}
