import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { isAlive } from '../../src/database/start-lock.js';
import { paths } from '../../src/shared/paths.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';
import { scaled } from '../support/fault-scale.js';
import { startServer } from '../support/process.js';
import { until } from '../support/until.js';
import { WAIT_LIMIT_MS } from '../support/wait-limit.js';
import { workersOf } from '../support/workers-of.js';

const VISITORS = 6;
const DEATHS = scaled(2, 6);
const NEVER = 'no answer, ever';

interface Scene {
  /** Workers that were killed, or are about to be. */
  readonly victims: number[];
  readonly harm: string[];
  isOver: boolean;
  answers: number;
}

/** Asks on a connection of its own, so that a request that begins after a death has nothing to do with the dead. */
async function askOnce(url: string): Promise<string | undefined> {
  try {
    const call = get(url, { agent: false, timeout: WAIT_LIMIT_MS });
    call.on('timeout', () => call.destroy(new Error(NEVER)));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer.statusCode === 200 ? undefined : `${answer.statusCode}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Only what was under way when a worker died may be lost with it, and it is lost at once. */
async function visit(url: string, scene: Scene): Promise<void> {
  while (!scene.isOver) {
    const dead = scene.victims.filter((pid) => !isAlive(pid)).length;
    const failure = await askOnce(url);
    const hasOneDied = scene.victims.length > dead;
    if (failure === undefined) scene.answers += 1;
    else if (!hasOneDied || failure === NEVER) scene.harm.push(`${failure}, after ${dead} deaths`);
  }
}

async function startWorkers() {
  const app = await createTestApp();
  await app.close();
  return startServer({ ...app.environment, WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' });
}

it(`${DEATHS} workers that are killed while people use the site take with them what they had begun to answer`, async () => {
  const server = await startWorkers();
  const scene: Scene = { victims: [], harm: [], isOver: false, answers: 0 };
  onCleanup(() => void (scene.isOver = true));
  const visits = Array.from({ length: VISITORS }, () => visit(server.url + paths.home, scene));
  const people = async (more: number) => {
    const wanted = scene.answers + more;
    await until(() => scene.answers >= wanted);
  };
  for (let death = 0; death < DEATHS; death += 1) {
    await people(50);
    const [victim = 0] = workersOf(server.pid);
    scene.victims.push(victim);
    process.kill(victim, 'SIGKILL');
    await server.waitForOutput(new RegExp(`Worker ${3 + death} serves`));
  }
  await people(50);
  scene.isOver = true;
  await Promise.all(visits);
  expect(scene.harm).toEqual([]);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
});

it('a worker that hangs keeps nobody waiting, neither while it hangs nor when it is killed', async () => {
  const server = await startWorkers();
  const [victim = 0] = workersOf(server.pid);
  process.kill(victim, 'SIGSTOP');
  // It would keep the output of the others open.
  onCleanup(() => void (isAlive(victim) && process.kill(victim, 'SIGKILL')));
  const ask = () => askOnce(server.url + paths.home);
  expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array.from({ length: 8 }));
  const asked = Array.from({ length: 8 }, ask);
  process.kill(victim, 'SIGKILL');
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 8 }));
  await server.stop();
});
