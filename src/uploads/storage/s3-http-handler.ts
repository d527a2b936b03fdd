import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { S3_CALL_MS, S3_IDLE_MS } from '../../config/time-limits.js';
import { limitSilence } from './limit-silence.js';

/** A connection that takes longer will not come; another attempt may find a server that is up. */
const CONNECT_MS = 3_000;
/** Files that are handed out at once; visitors that read slowly must not keep others from theirs. */
const READING_SOCKETS = 256;
/** All else: uploads wait for no visitor, and a bucket that hangs is not asked by everybody at once. */
const WORKING_SOCKETS = 32;
/** Bytes sent to the network in one piece; each piece shows that bytes still move. */
const PIECE = 64 * 1024;

type Query = Readonly<Record<string, string | readonly string[] | null>>;

/** A request as the S3 library hands it over. */
export interface OutgoingRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Options {
  readonly abortSignal?: unknown;
  /** Milliseconds until the answer begins, counted anew when a byte of our body moves. */
  readonly requestTimeout?: number | undefined;
}

/** The limits, for tests that cannot wait for as long. */
export interface HandlerLimits {
  readonly callMs: number;
  readonly idleMs: number;
}

interface Answered {
  readonly response: {
    readonly statusCode: number;
    readonly reason: string | undefined;
    readonly headers: Record<string, string>;
    readonly body: Readable;
  };
}

/**
 * Carries the requests of the S3 library instead of its own handler, whose limits leave out waiting for a free
 * connection, cut files that are read slowly, and let a stalled body stall for ever.
 */
export class S3HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly agents = {
    'http:': [new HttpAgent(agentOptions(READING_SOCKETS)), new HttpAgent(agentOptions(WORKING_SOCKETS))],
    'https:': [new HttpsAgent(agentOptions(READING_SOCKETS)), new HttpsAgent(agentOptions(WORKING_SOCKETS))],
  } as const;

  constructor(private readonly limits: HandlerLimits = { callMs: S3_CALL_MS, idleMs: S3_IDLE_MS }) {}

  async handle(outgoing: OutgoingRequest, options: Options = {}): Promise<Answered> {
    const answer = await this.ask(outgoing, options);
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
    return {
      response: {
        statusCode: answer.statusCode ?? 0,
        reason: answer.statusMessage,
        headers: Object.fromEntries(headers),
        body: limitSilence(answer, this.limits.idleMs),
      },
    };
  }

  /** Connections that carry a request at this moment, and requests that wait for one. */
  get inUse(): number {
    const lists = Object.values(this.agents)
      .flat()
      .flatMap(({ sockets, requests }) => [...Object.values(sockets), ...Object.values(requests)]);
    return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
  }

  destroy(): void {
    for (const agent of Object.values(this.agents).flat()) agent.destroy();
  }

  /** Does nothing: this handler has no settings that the library could change. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }

  private ask(outgoing: OutgoingRequest, { abortSignal, requestTimeout }: Options): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = this.open(outgoing, abortSignal instanceof AbortSignal ? abortSignal : undefined);
      const limitMs = requestTimeout ?? this.limits.callMs;
      const late = new Error(`no answer within ${Math.ceil(limitMs / 1000)} s`);
      const timer = setTimeout(() => request.destroy(late), limitMs);
      let isSettled = false;
      const settle = () => {
        isSettled = true;
        clearTimeout(timer);
      };
      request.on('socket', limitConnecting);
      request.once('response', (answer) => {
        settle();
        // The rest of what was refused is not sent: the connection goes when the reason has been read.
        if ((answer.statusCode ?? 0) >= 400)
          answer.once('close', () => void (request.writableEnded || request.destroy()));
        resolve(answer);
      });
      request.on('error', (error) => {
        settle();
        reject(error);
      });
      const handleProgress = () => {
        // A timer that was cleared would begin anew.
        if (!isSettled) timer.refresh();
      };
      if (outgoing.body instanceof Readable) void sendStream(request, outgoing.body, handleProgress);
      else send(request, toBytes(outgoing.body), handleProgress);
    });
  }

  private open({ protocol, hostname, port, method, path, query, headers }: OutgoingRequest, signal?: AbortSignal) {
    const isSecure = protocol === 'https:';
    const [reading, working] = this.agents[isSecure ? 'https:' : 'http:'];
    return (isSecure ? requestHttps : requestHttp)({
      agent: method === 'GET' ? reading : working,
      // Addresses of IPv6 come in brackets.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      ...(port === undefined ? {} : { port }),
      method,
      path: path + toQueryString(query),
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** Connections that were not needed for a while may be ones that a firewall has forgotten. */
function agentOptions(maxSockets: number) {
  return { keepAlive: true, maxSockets, keepAliveMsecs: 1_000, timeout: 60_000, scheduling: 'lifo' as const };
}

function limitConnecting(socket: Socket): void {
  if (!socket.connecting) return;
  const late = new Error(`no connection within ${CONNECT_MS / 1000} s`);
  const timer = setTimeout(() => socket.destroy(late), CONNECT_MS);
  const clear = () => clearTimeout(timer);
  socket.once('connect', clear).once('close', clear);
}

/** @param handleProgress told when a piece was taken by the network */
function send(request: ClientRequest, body: Buffer, handleProgress: () => void): void {
  let at = 0;
  const sendNext = () => {
    if (request.destroyed) return;
    const piece = body.subarray(at, (at += PIECE));
    if (at >= body.length) return void request.end(piece, handleProgress);
    request.write(piece, (error) => {
      if (error) return;
      handleProgress();
      sendNext();
    });
  };
  sendNext();
}

/** Sends what is read, as fast as the network takes it; a body that breaks off ends the request. */
async function sendStream(request: ClientRequest, body: Readable, handleProgress: () => void): Promise<void> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (request.destroyed) return;
      await new Promise<void>((resolve) => {
        request.once('close', resolve);
        request.write(chunk, () => {
          request.off('close', resolve);
          resolve();
        });
      });
      handleProgress();
    }
    request.end(handleProgress);
  } catch (error) {
    request.destroy(error as Error);
  }
}

function toBytes(body: unknown): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError('Only bytes, texts and streams are sent to a bucket');
}

function toQueryString(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: string | null) =>
      one === null ? encode(name) : `${encode(name)}=${encode(one)}`,
    ),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** RFC 3986: more is encoded than the platform does. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
