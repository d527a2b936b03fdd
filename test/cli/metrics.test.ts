import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { ask } from '../support/ask.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { openDatabaseGate, type DatabaseGate } from '../support/database-gate.js';
import { buildEnquiry } from '../support/enquiries.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { createPosts } from '../support/factories.js';
import { findFreePort } from '../support/free-port.js';
import { launchServer, startServer, type RunningProcess } from '../support/process.js';
import { growth, scrape, type Scraped } from '../support/scrape.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until, untilEqual } from '../support/until.js';

type Watched = RunningProcess & { readonly url: string; readonly metricsUrl: string };

async function startWatched(environment: Variables): Promise<Watched> {
  const server = await startServer({ ...environment, METRICS_PORT: String(await findFreePort()) });
  const [, metricsUrl = ''] = await server.waitForOutput(/Metrics at (http:\S+)/);
  return { ...server, metricsUrl };
}

/** With nobody else who would do its jobs. */
const environmentOfItsOwn = async () =>
  testEnvironment({ databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() }, {});

const requests = (kind: string, outcome: string) => `http_requests_total{kind="${kind}",outcome="${outcome}"}`;
const counted = (kind: string) => `http_request_duration_seconds_count{kind="${kind}"}`;
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

let writer: TestApp;
let gate: DatabaseGate;
let server: Watched;
const scrapeServer = () => scrape(server.metricsUrl);

async function upload(url: string, bytes: Buffer): Promise<number> {
  const account = await createAccount(writer);
  await writer.get(RolesService).grantAdmin(OPERATOR, account.id);
  const { accessToken } = await signIn(writer, account);
  const body = new FormData();
  body.append('file', new File([new Uint8Array(bytes)], 'one.png'));
  return (
    await fetch(url + paths.api.uploads, { method: 'POST', headers: { authorization: `Bearer ${accessToken}` }, body })
  ).status;
}

beforeAll(async () => {
  const databaseUrl = await cloneDatabase();
  gate = await openDatabaseGate(databaseUrl);
  writer = await createTestApp({ DATABASE_URL: databaseUrl });
  await createPosts(writer, [{ slug: 'watched' }]);
  server = await startWatched({ ...writer.environment, DATABASE_URL: gate.url, AUTH_MAIL_AUTOCONFIRM: 'true' });
});

describe('the metrics of one process', () => {
  it('count what was asked for, by kind and never by path', async () => {
    // A first page may take longer on a busy machine than the database has for it.
    await untilEqual(async () => (await ask(server.url + paths.home)).status, 200);
    const before = await scrapeServer();
    for (let count = 0; count < 3; count += 1) await ask(server.url + paths.home);
    await ask(server.url + paths.blogs);
    await ask(server.url + paths.blog('watched'));
    await ask(`${server.url}/made/up?by=a-bot`);
    await ask(server.url + paths.api.posts);
    await ask(`${server.url}/media/none.png`);
    await ask(`${server.url}/assets/none.js`);
    await ask(`${server.url}/api/health`);
    await ask(server.url + adminPaths.media);
    await ask(`${server.url}/%`);
    const grown = () => scrapeServer().then((after) => growth(before, after));
    // An answer is counted when it is sent, which the visitor may see before.
    await until(async () => (await grown())[requests('page', '4xx')] === 2);
    const after = await grown();
    expect(after).toMatchObject({
      [requests('home', '2xx')]: 3,
      [counted('home')]: 3,
      [requests('list', '2xx')]: 1,
      [requests('post', '2xx')]: 1,
      [requests('page', '4xx')]: 2,
      [requests('api', '2xx')]: 1,
      [requests('media', '4xx')]: 1,
      [requests('assets', '4xx')]: 1,
      [requests('health', '2xx')]: 1,
      [requests('admin_api', '4xx')]: 1,
    });
    // The list, the post and two pages that say what was not found are made. The home page is looked for too while this
    // process does not hear of changes, as on a machine that is busy for seconds, and is the one that was there.
    const answers = (state: string) => after[`page_cache_answers_total{state="${state}"}`] ?? 0;
    expect(answers('hit') + answers('miss')).toBe(7);
    expect(answers('hit')).toBeGreaterThan(0);
    expect(answers('miss')).toBeGreaterThanOrEqual(4);
    expect(after['page_renderings_total{result="finished"}']).toBe(4);
    const series = [...(await scrapeServer()).keys()].join('\n');
    expect(series).not.toMatch(/made|watched|bot/);
  });

  it('count sign-ins and uploads by what came of them', async () => {
    const before = await scrapeServer();
    const account = { email: 'pat@example.org', password: 'a long enough one' };
    expect((await post(`${server.url}/auth/v1/signup`, account)).status).toBe(200);
    const token = `${server.url}/auth/v1/token?grant_type=password`;
    expect((await post(token, { ...account, password: 'not the one' })).status).toBe(400);
    expect((await post(token, account)).status).toBe(200);
    const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    expect(await upload(server.url, image)).toBe(201);
    expect(await upload(server.url, Buffer.from('<svg/>'))).toBe(415);
    const wanted = {
      'sign_ins_total{result="invalid_credentials"}': 1,
      'sign_ins_total{result="succeeded"}': 1,
      'uploads_total{result="accepted"}': 1,
      'uploads_total{result="image_unsupported"}': 1,
      [requests('auth', '4xx')]: 1,
      [requests('upload', '2xx')]: 1,
    };
    await until(async () => growth(before, await scrapeServer())[requests('upload', '4xx')] === 1);
    expect(growth(before, await scrapeServer())).toMatchObject(wanted);
  });

  /** The queues are left out where the database took longer than a scrape waits for it. */
  const QUEUE = 'job_queue_waiting_jobs{queue="mail"}';

  it('tell of the process, its connections and its queues', async () => {
    let now = await scrapeServer();
    await until(async () => (now = await scrapeServer()).has(QUEUE));
    expect(now.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(now.get('process_start_time_seconds')).toBeGreaterThan(1_700_000_000);
    // Since the scrape before, which was a moment ago.
    expect(now.get('nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual(0);
    expect(now.get('database_pool_size')).toBe(4);
    expect(now.get('database_pool_waiting')).toBe(0);
    expect(now.get(QUEUE)).toBeGreaterThanOrEqual(0);
    expect(now.has('job_queue_oldest_job_seconds{queue="mail-enquiries"}')).toBe(true);
  });

  it('are all explained in docs/metrics.md, and nothing else is', async () => {
    let text = '';
    await until(async () => (text = await (await fetch(server.metricsUrl)).text()).includes(QUEUE));
    const several = ['server_workers', 'server_worker_ends_total'];
    const exported = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const paper = readFileSync('docs/metrics.md', 'utf8');
    const explained = [...paper.matchAll(/^\| `([a-z0-9_]+)/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual([...exported, ...several].sort());

    const queues = [...text.matchAll(/^job_queue_waiting_jobs\{queue="([^"]+)"\}/gm)].map(([, queue]) => queue!);
    const [, listed = ''] = /^\| `job_queue_waiting_jobs\{queue\}` +\|([^|]+)/m.exec(paper) ?? [];
    expect(queues).toContain('mail-answers');
    expect(queues.filter((queue) => !listed.includes(`\`${queue}\``))).toEqual([]);
  });

  const outages: readonly [how: string, breakIt: () => Promise<void>][] = [
    ['refuses', async () => gate.close()],
    ['is silent', async () => gate.silence()],
  ];

  it.each(fewOf(outages, ([how]) => how === 'refuses'))(
    'are there while the database %s, but for its queues',
    async (_how, breakIt) => {
      const before = await scrapeServer();
      await breakIt();
      try {
        await until(async () => (await ask(server.url + paths.api.posts)).status === 503);
        const during = await scrapeServer();
        expect([...during.keys()].filter((name) => name.startsWith('job_queue'))).toEqual([]);
        expect(growth(before, during)['outage_answers_total{code="database_unavailable"}']).toBeGreaterThan(0);
        expect(during.has('database_pool_connections{state="lent"}')).toBe(true);
      } finally {
        await gate.open();
      }
      await until(async () => (await scrapeServer()).has(QUEUE));
    },
  );

  it('stand at no other address, and not at the port of the site', async () => {
    expect((await fetch(server.metricsUrl.replace('/metrics', '/'))).status).toBe(404);
    expect((await fetch(server.metricsUrl, { method: 'POST' })).status).toBe(405);
    expect((await ask(`${server.url}/metrics`)).status).toBe(404);
  });

  itSlow('stop the start where their port is taken, by name', async () => {
    const METRICS_PORT = new URL(server.metricsUrl).port;
    const { code, stderr } = await launchServer({ ...writer.environment, METRICS_PORT }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(`Port ${METRICS_PORT} is taken: set METRICS_PORT to another one.`);
  });
});

describe('mails', () => {
  const results: readonly [result: string, transport: Variables][] = [
    ['delivered', {}],
    ['put_off', { SMTP_URL: 'smtp://127.0.0.1:1' }],
  ];

  itSlow.each(results)('are counted as %s, and wait in their queue as long as they do', async (result, transport) => {
    const alone = await startWatched({ ...(await environmentOfItsOwn()), ...transport });
    expect((await post(alone.url + paths.api.contact, buildEnquiry())).status).toBe(200);
    const isCounted = (now: Scraped) => (now.get(`mails_total{result="${result}"}`) ?? 0) > 0;
    await until(async () => isCounted(await scrape(alone.metricsUrl)));
    const waiting = result === 'delivered' ? 0 : 1;
    const queue = 'job_queue_waiting_jobs{queue="mail-enquiries"}';
    await until(async () => (await scrape(alone.metricsUrl)).get(queue) === waiting);
  });
});

describe('the metrics of several processes', () => {
  itSlow('are added up, and neither wait for one that hangs nor forget one that died', async () => {
    const group = await startWatched({ ...writer.environment, WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' });
    const home = requests('home', '2xx');
    const visit = (count: number) =>
      Promise.all(Array.from({ length: count }, () => ask(group.url + paths.home))).then(() => undefined);
    const seen = async () => (await scrape(group.metricsUrl)).get(home);
    await visit(20);
    await until(async () => (await seen()) === 20);
    const now: Scraped = await scrape(group.metricsUrl);
    expect(now.get('server_workers{state="answering"}')).toBe(2);
    // Each has its pool, and all see the same queues.
    expect(now.get('database_pool_size')).toBe(8);

    const [first = 0] = readFileSync(`/proc/${group.pid}/task/${group.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    process.kill(first, 'SIGSTOP');
    const hanging = await scrape(group.metricsUrl);
    expect(hanging.get('server_workers{state="silent"}')).toBe(1);
    expect(hanging.get(home)).toBe(20);
    expect(hanging.get('database_pool_size')).toBe(4);

    process.kill(first, 'SIGKILL');
    await group.waitForOutput(/serves in its place/);
    await visit(5);
    await until(async () => (await seen()) === 25);
    const after = await scrape(group.metricsUrl);
    expect(after.get('server_workers{state="answering"}')).toBe(2);
    expect(after.get('server_worker_ends_total')).toBe(1);
    expect(await group.stop()).toMatchObject({ code: 0 });
  });
});
