import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { isAlive } from '../../src/database/start-lock.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { UploadedImage } from '../../src/shared/contracts/media.js';
import { paths } from '../../src/shared/paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { ask } from '../support/ask.js';
import { hearChanges } from '../support/content-ear.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { buildEnquiry, storedFrom } from '../support/enquiries.js';
import { changePosts, createPosts } from '../support/factories.js';
import { connectAhead, holdReading, holdSending, type HeldRequest } from '../support/held-request.js';
import { launchServer, startServer, type RunningProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { connectionsOf, isHolding, workersOf } from '../support/workers-of.js';

type Server = RunningProcess & { readonly url: string };

/** Those who still ask; a test that fails leaves some behind, who would keep the processors busy. */
const present = new Set<Visitor>();

/** Between two requests of a visitor; without it, they would keep all processors busy while a test waits. */
const PAUSE_MS = 20;

/** One connection, which stays with the process that took it. */
class Visitor {
  readonly statuses: number[] = [];
  isLost = false;
  private isLeaving = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly over: Promise<void>;

  constructor(private readonly url: string) {
    this.over = this.watch();
    present.add(this);
  }

  get last(): number | undefined {
    return this.statuses.at(-1);
  }

  async leave(): Promise<readonly number[]> {
    this.isLeaving = true;
    await this.over;
    this.agent.destroy();
    present.delete(this);
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
        await delay(PAUSE_MS);
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
const MAX_CONNECTIONS = 200;
/** More than the system keeps for who does not read. */
const LONG_TEXT = `<p>${'A long way to read. '.repeat(250_000)}</p><p>The last words.</p>`;
const url = (server: Server) => server.url + paths.blog('watched');

/** Visitors of all processes. Whichever worker is free takes a connection: they come until both have some. */
async function visitAll(): Promise<Visitor[]> {
  const visitors: Visitor[] = [];
  const port = Number(new URL(several.url).port);
  const isAnyIdle = () => workersOf(several.pid).some((pid) => connectionsOf(pid, port) === 0);
  while (visitors.length < CONNECTIONS || (isAnyIdle() && visitors.length < MAX_CONNECTIONS)) {
    const visitor = new Visitor(url(several));
    await until(() => visitor.statuses.length > 0);
    visitors.push(visitor);
  }
  return [...visitors, new Visitor(url(another))];
}

async function setPublished(isPublished: boolean): Promise<void> {
  await changePosts(publisher, isPublished ? 'publish' : 'unpublish', ['watched']);
}

/** Publishes or takes back, until these visitors see it; how soon they do is measured in test/bench. */
async function showAll(visitors: readonly Visitor[], isPublished: boolean): Promise<void> {
  await setPublished(isPublished);
  await until(() => visitors.every(({ last }) => last === (isPublished ? 200 : 404)));
}

/** An enquiry that is half sent, and what says that it was stored. */
async function holdEnquiry({ url }: Server): Promise<HeldRequest & { isStored(): Promise<boolean> }> {
  const enquiry = buildEnquiry();
  const body = JSON.stringify(enquiry);
  const held = await holdSending(`${url}/api/contact`, { 'content-type': 'application/json' }, body);
  return { ...held, isStored: async () => (await storedFrom(publisher, enquiry.email)) !== null };
}

/** A picture that is half sent. */
async function holdUpload({ url }: Server): Promise<HeldRequest> {
  const account = await createAccount(publisher);
  await publisher.get(RolesService).grantAdmin(OPERATOR, account.id);
  const { accessToken } = await signIn(publisher, account);
  const form = new FormData();
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  form.append('file', new File([new Uint8Array(picture)], 'teal.png', { type: 'image/png' }));
  const whole = new Response(form);
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'content-type': whole.headers.get('content-type') ?? '',
  };
  return await holdSending(`${url}/api/uploads`, headers, Buffer.from(await whole.arrayBuffer()));
}

/** What a visitor was shown that was something else than before. A busy machine shows nothing now and then (503). */
function changesIn(statuses: readonly number[]): number[] {
  const shown = statuses.filter((status) => status !== 503);
  return shown.filter((status, at) => at > 0 && status !== shown[at - 1]);
}

const environment = (workers: number) => ({
  ...publisher.environment,
  WEB_CONCURRENCY: String(workers),
  LOG_LEVEL: 'warn',
});

beforeAll(async () => {
  databaseUrl = await cloneDatabase();
  publisher = await createTestApp({ DATABASE_URL: databaseUrl });
  await createPosts(publisher, [{ slug: 'watched' }, { slug: 'draft', is_published: false }]);
  await createPosts(publisher, [{ slug: 'long', content: LONG_TEXT }]);
  [several, another] = await Promise.all([startServer(environment(2)), startServer(environment(1))]);
});

afterEach(async () => {
  await Promise.all([...present].map((visitor) => visitor.leave()));
});

it('shows what is published and what is taken back in every process, and never again what was before', async () => {
  expect(workersOf(several.pid)).toHaveLength(2);
  const visitors = await visitAll();
  await until(() => visitors.every(({ last }) => last === 200));
  for (const isPublished of [false, true, false, true]) await showAll(visitors, isPublished);
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

/**
 * Publishes and takes back while a worker is replaced, until there is another one that serves: whoever comes
 * meanwhile is shown the latest, and so is everyone afterward.
 */
async function changeUntilServing(successor: number): Promise<void> {
  let isPublished = true;
  const progress = { isOver: false };
  const served = several.waitForOutput(new RegExp(`Worker ${successor} serves`)).then(() => (progress.isOver = true));
  while (!progress.isOver) {
    isPublished = !isPublished;
    const visitor = new Visitor(url(several));
    await showAll([visitor], isPublished);
    await visitor.leave();
  }
  await served;
  await setPublished(false);
  const latest = await visitAll();
  await until(() => latest.every(({ last }) => last === 404));
  for (const visitor of latest) expect(changesIn(await visitor.leave()).length).toBeLessThanOrEqual(1);
  await setPublished(true);
}

it('replaces a worker that is killed by one that shows what was published while it started', async () => {
  const [victim, survivor] = workersOf(several.pid) as [number, number];
  const visitors = await visitAll();
  await until(() => visitors.every(({ last }) => last === 200));
  process.kill(victim, 'SIGKILL');
  await until(() => visitors.some(({ isLost }) => isLost));
  await several.waitForOutput(/ended with SIGKILL/);
  await changeUntilServing(3);
  // Both had visitors before.
  const lost = visitors.slice(0, -1).filter(({ isLost }) => isLost).length;
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThan(visitors.length - 1);
  expect(workersOf(several.pid)).toContain(survivor);
});

itSlow('ends when it is told to, workers first, when everyone has an answer', async () => {
  const workers = workersOf(several.pid);
  const ahead = await Promise.all([connectAhead(several.url), connectAhead(several.url)]);
  const isEnding = Promise.all(ahead.map((socket) => once(socket, 'close')));
  // First, as a body has ten seconds to arrive, and this page may take as long on a busy machine.
  const page = await holdReading(several.url + paths.blog('long'));
  const [enquiry, upload] = await Promise.all([holdEnquiry(several), holdUpload(several)]);
  // As a terminal and npm send it.
  process.kill(several.pid, 'SIGINT');
  process.kill(several.pid, 'SIGINT');
  for (const pid of workers) process.kill(pid, 'SIGINT');
  await isEnding;
  // The one that hears of it last takes connections until then.
  const port = Number(new URL(several.url).port);
  await until(() => !workers.some((pid) => isHolding(pid, port)));
  const late = ask(several.url).catch((error: unknown) => (error as NodeJS.ErrnoException).code);

  const answers = [await enquiry.finish(), await upload.finish(), await page.finish()] as const;
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200]);
  expect(await enquiry.isStored()).toBe(true);
  const { url: picture } = JSON.parse(answers[1].body) as UploadedImage;
  expect((await ask(another.url + picture)).status).toBe(200);
  expect(answers[2].body).toMatch(/The last words\.[^]*<\/html>/);
  await Promise.all(answers.map(({ closed }) => closed));
  expect(await several.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await late).toMatch(/ECONNREFUSED|ECONNRESET/);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

itSlow('does not start where it cannot, and waits for nobody when it is told to end twice', async () => {
  const inUse = launchServer({ ...environment(2), PORT: new URL(another.url).port });
  expect(await inUse.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/Port \d+ is taken/) });
  // Not before: the server waits ten seconds for the rest of it.
  const enquiry = await holdEnquiry(another);
  let hasEnded = false;
  const ended = another.ended.finally(() => (hasEnded = true));
  await until(() => hasEnded || !process.kill(another.pid, 'SIGTERM'));
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('without waiting') });
  expect(await enquiry.isStored()).toBe(false);
});

itSlow('leaves no worker behind that would show what is old, when it is killed', async () => {
  const server = await startServer(environment(2));
  const workers = workersOf(server.pid);
  expect(workers.filter(isAlive)).toHaveLength(2);
  process.kill(server.pid, 'SIGKILL');
  await until(() => !workers.some(isAlive));
  await expect(ask(server.url)).rejects.toThrow('ECONNREFUSED');
});

itSlow('gives up when no worker stays alive, after waiting longer and longer', async () => {
  const server = await startServer(environment(2));
  let hasEnded = false;
  const ended = server.ended.finally(() => (hasEnded = true));
  await until(() => {
    for (const pid of hasEnded ? [] : workersOf(server.pid)) process.kill(pid, 'SIGKILL');
    return hasEnded;
  });
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The server cannot go on: 6 workers ended one after the other, the last with SIGKILL.\n',
  });
  const delays = [...stdout.matchAll(/ended with SIGKILL; another one starts in (\S+) s/g)].map(([, delay]) => delay);
  expect(delays).toEqual(['0.1', '0.2', '0.4', '0.8', '1.6']);
});
