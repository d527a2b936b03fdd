import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { beforeAll, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { hearChanges } from '../support/content-ear.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment } from '../support/environment.js';
import { changePosts, createPosts } from '../support/factories.js';
import { launchServer, startServer, type RunningProcess } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

type Server = RunningProcess & { readonly url: string };

/** One connection, which stays with the process that took it. */
class Visitor {
  readonly statuses: number[] = [];
  isLost = false;
  private isLeaving = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly over: Promise<void>;

  constructor(private readonly url: string) {
    this.over = this.watch();
  }

  get last(): number | undefined {
    return this.statuses.at(-1);
  }

  async leave(): Promise<readonly number[]> {
    this.isLeaving = true;
    await this.over;
    this.agent.destroy();
    return this.statuses;
  }

  /** Asks again and again, on the same connection. */
  private async watch(): Promise<void> {
    while (!this.isLeaving && !this.isLost) {
      try {
        const call = get(this.url, { agent: this.agent });
        const [answer] = (await once(call, 'response')) as [IncomingMessage];
        this.statuses.push(answer.statusCode ?? 0);
        await once(answer.resume(), 'end');
        if (this.statuses.length > 1 && !call.reusedSocket) this.isLost = true;
      } catch {
        this.isLost = true;
      }
    }
  }
}

let publisher: TestApp;
let several: Server;
let another: Server;
let databaseUrl: string;

const CONNECTIONS = 8;
const url = (server: Server) => server.url + paths.blog('watched');

/** Visitors of all processes: those of several processes get connections in turn. */
function visitAll(): Visitor[] {
  const visitors = Array.from({ length: CONNECTIONS }, () => new Visitor(url(several)));
  return [...visitors, new Visitor(url(another))];
}

async function setPublished(isPublished: boolean): Promise<void> {
  await changePosts(publisher, isPublished ? 'publish' : 'unpublish', ['watched']);
}

/** The processes that answer for the server, which are its children. */
function workersOf({ pid }: Server): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** How often a visitor was shown something else than the time before. */
const changesIn = (statuses: readonly number[]) =>
  statuses.filter((status, at) => at > 0 && status !== statuses[at - 1]);

beforeAll(async () => {
  databaseUrl = await cloneDatabase();
  publisher = await createTestApp({ DATABASE_URL: databaseUrl });
  await createPosts(publisher, [{ slug: 'watched' }, { slug: 'draft', is_published: false }]);
  const environment = (workers: string) =>
    testEnvironment({ databaseUrl, dataDir: temporaryFolder() }, { WEB_CONCURRENCY: workers, LOG_LEVEL: 'warn' });
  [several, another] = await Promise.all([startServer(environment('2')), startServer(environment('1'))]);
});

it('shows what is published and what is taken back in every process, and never again what was before', async () => {
  expect(workersOf(several)).toHaveLength(2);
  const visitors = visitAll();
  await until(() => visitors.every(({ last }) => last === 200));
  for (const isPublished of [false, true, false, true]) {
    const begun = performance.now();
    await setPublished(isPublished);
    await until(() => visitors.every(({ last }) => last === (isPublished ? 200 : 404)));
    expect(performance.now() - begun).toBeLessThan(5000);
  }
  for (const visitor of visitors) {
    expect(changesIn(await visitor.leave())).toEqual([404, 200, 404, 200]);
    expect(visitor.isLost).toBe(false);
  }
});

it('says nothing of drafts to anyone', async () => {
  const countChanges = await hearChanges(databaseUrl);
  await createPosts(publisher, [{ slug: 'another-draft', is_published: false }]);
  expect(await countChanges()).toBe(0);
  await createPosts(publisher, [{ slug: 'no-draft' }]);
  expect(await countChanges()).toBeGreaterThan(0);
});

it('replaces a worker that is killed by one that shows what was published while it started', async () => {
  const [victim, survivor] = workersOf(several) as [number, number];
  const visitors = visitAll();
  await until(() => visitors.every(({ last }) => last === 200));
  process.kill(victim, 'SIGKILL');
  await until(() => visitors.some(({ isLost }) => isLost));
  let isPublished = true;
  const isReplaced = () => workersOf(several).length === 2 && !workersOf(several).includes(victim);
  const newcomers: Visitor[] = [];
  // Published and taken back all the while, until the new one serves.
  for (let isServing = false; !isServing; isServing = isReplaced() && newcomers.length > 2 * CONNECTIONS) {
    isPublished = !isPublished;
    await setPublished(isPublished);
    const newcomer = new Visitor(url(several));
    newcomers.push(newcomer);
    await until(() => newcomer.last === (isPublished ? 200 : 404));
  }
  await setPublished(false);
  const latest = visitAll();
  await until(() => latest.every(({ last }) => last === 404));
  for (const visitor of latest) expect(changesIn(await visitor.leave()).length).toBeLessThanOrEqual(1);
  for (const visitor of newcomers) await visitor.leave();
  // Both had visitors before, so the connections were shared out.
  const lost = visitors.slice(0, CONNECTIONS).filter(({ isLost }) => isLost).length;
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThan(CONNECTIONS);
  for (const visitor of visitors) await visitor.leave();
  expect(workersOf(several)).toContain(survivor);
});

it('ends when it is told to, workers first, and does not start where it cannot', async () => {
  const workers = workersOf(several);
  const inUse = launchServer(
    testEnvironment(
      { databaseUrl, dataDir: temporaryFolder() },
      { WEB_CONCURRENCY: '2', PORT: new URL(another.url).port },
    ),
  );
  expect(await inUse.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/Port \d+ is taken/) });
  expect(await several.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
