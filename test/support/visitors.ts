import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { onCleanup } from './cleanup.js';

/** Between two requests of a visitor; without it, a few of them would keep all processors busy while a test waits. */
const PAUSE_MS = 50;

/** A request that a visitor makes again and again. */
export interface Errand {
  readonly path: string;
  /** Its JSON body, for a POST; a new one each time. */
  readonly body?: () => object;
}

/** People who use a site until they are told to leave. */
export interface Visitors {
  /** Whole answers so far. */
  readonly count: number;
  /** Failures so far: other statuses than 200, and broken connections. */
  readonly failures: readonly string[];
  leave(): Promise<void>;
}

/** Sends one visitor on each of these errands; each keeps a connection open and asks again when it has its answer. */
export function sendVisitors(url: string, errands: readonly Errand[]): Visitors {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let count = 0;
  let isOver = false;
  const visit = async ({ path, body }: Errand) => {
    while (!isOver) {
      const failure = await ask(url + path, agent, body?.());
      if (failure === undefined) count += 1;
      else failures.push(`${path}: ${failure}`);
      await delay(PAUSE_MS);
    }
  };
  const visits = errands.map(visit);
  const leave = async () => {
    isOver = true;
    await Promise.all(visits);
    agent.destroy();
  };
  onCleanup(leave);
  return {
    get count() {
      return count;
    },
    failures,
    leave,
  };
}

/** @returns what was wrong with the answer */
async function ask(url: string, agent: Agent, body?: object): Promise<string | undefined> {
  const text = body && JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const call = request(url, { agent, method: text === undefined ? 'GET' : 'POST', headers });
    call.end(text);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const whole = await buffer(answer);
    return answer.statusCode === 200 ? undefined : `${answer.statusCode} ${whole.toString().slice(0, 80)}`;
  } catch (error) {
    return (error as Error).message;
  }
}
