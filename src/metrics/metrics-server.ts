import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.js';
import { explainListening } from '../config/listening-problem.js';
import { BODY_MS } from '../config/time-limits.js';
import { CONTENT_TYPE, writeText } from './exposition-text.js';
import type { Family } from './family.js';

/** Collects the counts of every process that answers for this one, itself included. */
export type Collect = () => Promise<readonly (readonly Family[])[]>;

const PATH = '/metrics';

/** The port at which Prometheus asks. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers at METRICS_PORT, never at the port of the site: metrics are for operators.
 * @throws Error naming the variable when the port is taken, or the address is not one of this machine
 */
export async function openMetricsServer({ host, port }: Config['metrics'], collect: Collect): Promise<MetricsServer> {
  const options = { headersTimeout: BODY_MS, requestTimeout: BODY_MS };
  const server = createServer(options, ({ method, url = '' }, response) => {
    if (url.split('?', 1)[0] !== PATH) return end(response, 404, `Metrics are at ${PATH}\n`);
    if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'GET or HEAD\n');
    collect()
      .then(writeText)
      .then(
        (text) => end(response, 200, text, CONTENT_TYPE),
        (error: unknown) => end(response, 500, `The metrics could not be collected: ${String(error)}\n`),
      );
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw explainListening(error, { host, port, prefix: 'METRICS_' });
  });
  // It keeps no process alive, and nobody waits for a scrape when it ends.
  server.unref();
  const { address, port: bound, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}${PATH}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
