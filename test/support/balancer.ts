import { once } from 'node:events';
import { Agent, createServer, get, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onCleanup } from './cleanup.js';

const CHECK_MS = 100;
/** A process that says nothing so often in turn is down; a busy one may miss a check. */
const SILENT_CHECKS = 3;

/** A load balancer in front of processes on this machine. */
export interface Balancer {
  readonly url: string;
  /** Returns true when it sends visitors to the process at this port. */
  isUp(port: number): boolean | Promise<boolean>;
}

/**
 * A balancer that takes turns, asks every process how it is ten times a second, keeps connections to them open, as
 * balancers do, and never asks twice: what a process refuses or breaks off is the visitor's 502.
 * @param checkPath whose answer 200 means that a process is up; without it, all of them always are
 */
export async function startBalancer(ports: readonly number[], checkPath?: string): Promise<Balancer> {
  const up = new Set(checkPath === undefined ? ports : []);
  const agent = new Agent({ keepAlive: true });
  const watching = new AbortController();
  let turn = 0;
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const choices = ports.filter((port) => up.has(port));
    const port = choices[(turn += 1) % choices.length];
    if (port === undefined) return void outgoing.writeHead(502).end('Nobody is up');
    const { method, url, headers } = incoming;
    const call = request({ port, host: '127.0.0.1', method, path: url, headers, agent });
    call.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    call.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(`${port}: ${error.message}`);
    });
    incoming.pipe(call);
  };
  const watch = async (port: number) => {
    let silent = 0;
    while (!watching.signal.aborted) {
      const status = await statusOf(`http://127.0.0.1:${port}${checkPath}`);
      silent = status === undefined ? silent + 1 : 0;
      if (status === 200) up.add(port);
      else if (status !== undefined || silent === SILENT_CHECKS) up.delete(port);
      await delay(CHECK_MS);
    }
  };
  const watchers = checkPath === undefined ? [] : ports.map(watch);
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    watching.abort();
    await Promise.all(watchers);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isUp: (port) => up.has(port) };
}

/** The status of an answer, if it comes in time. */
export async function statusOf(url: string, timeout = 2_000): Promise<number | undefined> {
  try {
    const call = get(url, { agent: false, timeout });
    call.on('timeout', () => call.destroy());
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  } catch {
    return undefined;
  }
}
