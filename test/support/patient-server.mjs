// The built server without its limits for heads of requests: what a test needs to see that they matter.
import { loadConfig } from '../../dist/src/config/config.js';
import { serveUntilSignal } from '../../dist/src/server/serve.js';

const { app, url } = await serveUntilSignal(loadConfig());
Object.assign(app.getHttpServer(), { headersTimeout: 0, requestTimeout: 0 });
process.stdout.write(`Listening at ${url} for tests\n`);
