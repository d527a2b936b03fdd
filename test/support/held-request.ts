import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onCleanup } from './cleanup.js';
import { until } from './until.js';

/** A request that a server has begun to answer and cannot end yet. */
export interface HeldRequest {
  /** Lets it end, and fails if it was cut off; `closed` resolves when the server has closed the connection too. */
  finish(): Promise<{ readonly status: number; readonly body: string; readonly closed: Promise<unknown> }>;
}

function open(url: string, method: string, headers: Record<string, string | number>) {
  const agent = new Agent({ keepAlive: true });
  onCleanup(() => agent.destroy());
  const call = request(url, { method, headers, agent });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  // Whether it is cut off is for the test to say, when it asks.
  answered.catch(() => undefined);
  return { call, answered };
}

async function read(answer: IncomingMessage) {
  // A connection that is reset has closed too.
  const closed = new Promise((resolve) => answer.socket.once('close', resolve));
  const body = (await buffer(answer)).toString();
  return { status: answer.statusCode ?? 0, body, closed };
}

/** Sends a request but for the end of its body; the server has read its head when this resolves. */
export async function holdSending(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): Promise<HeldRequest> {
  const bytes = Buffer.from(body);
  const { call, answered } = open(url, 'POST', { ...headers, 'content-length': bytes.length, expect: '100-continue' });
  call.flushHeaders();
  await once(call, 'continue');
  call.write(bytes.subarray(0, bytes.length >> 1));
  return {
    finish: async () => {
      call.end(bytes.subarray(bytes.length >> 1));
      return read((await answered)[0]);
    },
  };
}

/**
 * Asks for something and reads the head of the answer only; its body has to be larger than what networks keep. Asks
 * again after a 503: a machine that is busy may take too long for the first rendering of a page of that size.
 */
export async function holdReading(url: string): Promise<HeldRequest> {
  let held: IncomingMessage | undefined;
  await until(async () => {
    const { call, answered } = open(url, 'GET', {});
    call.end();
    const [answer] = await answered;
    if (answer.statusCode === 503) await buffer(answer);
    else held = answer;
    return held !== undefined;
  });
  const answer = held!;
  // Whether it is cut off meanwhile is seen when it is read.
  answer.on('error', () => undefined);
  return { finish: () => read(answer) };
}

/** A connection on which nothing was asked, as browsers open them ahead. */
export async function connectAhead(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  onCleanup(() => void socket.destroy());
  await once(socket, 'connect');
  // Without it, the end that the server sends is not heard.
  return socket.resume();
}
