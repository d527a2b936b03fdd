import cluster from 'node:cluster';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import type { Params } from 'nestjs-pino';
import type { Config } from '../config/config.js';
import { createClientAddress } from './client-address.js';
import { toLoggedError } from './logged-error.js';
import { toLoggedPath } from './logged-path.js';
import { refusalOf } from './request-log.js';

interface RequestLine {
  readonly id: unknown;
  readonly method: string;
  readonly url: string;
  readonly raw: IncomingMessage;
}

interface AnswerLine {
  readonly statusCode: number;
  readonly raw?: ServerResponse;
}

/**
 * Log lines as JSON. For a request they have its id, method, path, the client's address, status, the code of a refusal,
 * and time. Headers and
 * bodies are private, and so are quotations of them in errors.
 * @param isServer false for a command, whose standard output is its answer, which programs read
 */
export function toLogOptions({ log, server }: Config, isServer: boolean): Params {
  const addressOf = createClientAddress(server);
  const serializers = {
    req: ({ id, method, url, raw }: RequestLine) => ({ id, method, url: toLoggedPath(url), address: addressOf(raw) }),
    res: ({ statusCode, raw }: AnswerLine) => ({ statusCode, code: raw && refusalOf(raw) }),
    err: ({ raw }: { readonly raw?: unknown }) => toLoggedError(raw),
  };
  // Which of several processes wrote a line.
  const base = cluster.worker && { pid: process.pid, hostname: hostname(), worker: cluster.worker.id };
  const place = isServer ? {} : { stream: process.stderr };
  // Lines about requests are written by request-log.ts, for those in front of the framework too.
  return { pinoHttp: { autoLogging: false, level: log.level, ...(base ? { base } : {}), ...place, serializers } };
}
