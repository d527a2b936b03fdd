import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JobQueue } from '../../src/database/job-queue.js';
import { DoctorService, type Finding } from '../../src/doctor/doctor.service.js';
import { MarksService } from '../../src/marks/marks.service.js';
import { AlarmWatch } from '../../src/overview/alarm-watch.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { Clock } from '../../src/shared/clock.js';
import type { WebhookDeliveryItem } from '../../src/shared/contracts/webhooks.js';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { WebhookSenderService } from '../../src/webhooks/webhook-sender.service.js';
import { WEBHOOK_QUEUE, WebhooksService } from '../../src/webhooks/webhooks.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { onCleanup } from '../support/cleanup.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import type { Variables } from '../support/environment.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const SECRET = 'a secret that nobody guesses';
const ENQUIRY = { name: 'Grace Hopper', email: 'grace@navy.company', message: 'The printer is on fire, please come.' };

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The other system: keeps what it gets, and answers as it is told. */
const received: Received[] = [];
let answer: (response: ServerResponse) => void;
const accept = (response: ServerResponse) => void response.writeHead(204).end();
const answerWith =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end('no');

let app: TestApp;
/** The variables that name it. */
let told: Variables;
let authorization: string;

beforeAll(async () => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  told = { NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/a?token=b`, NOTIFY_WEBHOOK_SECRET: SECRET };
  app = await createTestApp({ ...told, CONTACT_RATE_LIMIT_ADDRESS: '0' });
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  authorization = `Bearer ${(await signIn(app, account)).accessToken}`;
});

beforeEach(() => {
  answer = accept;
  received.length = 0;
});

async function list(): Promise<{ host: string; deliveries: WebhookDeliveryItem[] }> {
  return (await app.inject({ url: '/api/admin/webhooks', headers: { authorization } })).json();
}

async function newest(state: string): Promise<WebhookDeliveryItem> {
  await until(async () => (await list()).deliveries[0]?.state === state);
  return (await list()).deliveries[0] as WebhookDeliveryItem;
}

async function enquire(message: string, email = ENQUIRY.email): Promise<string> {
  const payload = { ...ENQUIRY, email, message };
  expect((await app.inject({ method: 'POST', url: '/api/contact', payload })).statusCode).toBe(200);
  const rows = await app
    .get(EntityManager)
    .fork()
    .execute<{ id: string }[]>('select id from enquiries where message = ?', [message]);
  return rows[0]?.id ?? '';
}

const tryAgain = () => app.get(JobQueue).hasten(app.get(EntityManager).fork(), WEBHOOK_QUEUE);

describe('the webhook', () => {
  it('tells of an enquiry where it is and nothing of it, signed, and the log says what came of it', async () => {
    const id = await enquire(ENQUIRY.message);
    const delivery = await newest('delivered');
    expect(delivery).toMatchObject({ type: 'enquiry.created', attempts: 1, last_status: 204, last_error: null });
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = received;
    expect(path).toBe('/hooks/a?token=b');
    const link = `http://site.test/admin/enquiries/${id}`;
    expect(JSON.parse(body)).toEqual({
      type: 'enquiry.created',
      timestamp: delivery.created_at,
      text: `A new enquiry has come in: ${link}`,
      data: { link },
    });
    expect(body).not.toMatch(/Grace|navy|printer/);
    const signed = `${delivery.id}.${String(headers['webhook-timestamp'])}.${body}`;
    const signature = createHmac('sha256', SECRET).update(signed).digest('base64');
    expect([headers['webhook-id'], headers['webhook-signature']]).toEqual([delivery.id, `v1,${signature}`]);
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    // The path of the address may be a secret.
    expect((await list()).host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(JSON.stringify(await list())).not.toContain('token=b');
  });

  it('keeps the log for thirty days, also when no other message comes', async () => {
    await enquire('Old news');
    const { id } = await newest('delivered');
    const em = app.get(EntityManager).fork();
    const moveTo = async (age: string) => {
      await em.execute('update webhook_deliveries set created_at = now() - ?::interval where id = ?', [age, id]);
      await app.get(WebhooksService).forgetOld();
      return await em.execute('select id from webhook_deliveries where id = ?', [id]);
    };
    expect(await moveTo('29 days')).toEqual([{ id }]);
    expect(await moveTo('31 days')).toEqual([]);
  });

  itSlow(
    'tries again under the same id what was not taken, follows nobody elsewhere, and ends where it is told to',
    async () => {
      answer = answerWith(302, { location: '/elsewhere' });
      await enquire('Try me again');
      await until(async () => (await list()).deliveries[0]?.attempts === 1);
      expect((await list()).deliveries[0]).toMatchObject({
        state: 'waiting',
        last_error: expect.stringMatching(/302.*not followed/),
      });
      answer = answerWith(500);
      await tryAgain();
      await until(async () => (await list()).deliveries[0]?.attempts === 2);
      answer = accept;
      await tryAgain();
      const { id } = await newest('delivered');
      expect(received.map(({ path, headers }) => [path, headers['webhook-id']])).toEqual(
        Array.from({ length: 3 }, () => ['/hooks/a?token=b', id]),
      );
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);

      answer = answerWith(410);
      await enquire('Gone');
      expect(await newest('failed')).toMatchObject({ attempts: 1, last_status: 410 });
    },
  );

  itSlow('has failed with the last try, of which some may have ended with their processes', async () => {
    answer = answerWith(500);
    await enquire('Nobody takes it');
    await until(async () => (await list()).deliveries[0]?.attempts === 1);
    const { name, options } = WEBHOOK_QUEUE;
    const beforeLast = `update pgboss.job set retry_count = ? - 1 where name = ? and state = 'retry' returning id`;
    // The try is noted a moment before the job waits again.
    await until(async () => {
      const em = app.get(EntityManager).fork();
      return (await em.execute<unknown[]>(beforeLast, [options.retryLimit, name])).length > 0;
    });
    await tryAgain();
    expect(await newest('failed')).toMatchObject({ attempts: 2, last_status: 500 });
  });

  it('gives up waiting for who does not answer, and for who is away', async () => {
    const open: ServerResponse[] = [];
    answer = (response) => void open.push(response);
    const jobs = app.get(WebhooksService);
    const patience = new AbortController();
    const trying = jobs.sendTest(OPERATOR, patience.signal);
    await until(() => open.length === 1);
    patience.abort();
    expect(await trying).toMatchObject({ isDelivered: false, reason: 'no answer (it took too long)' });
    // What it answers now is heard by nobody.
    open[0]?.end();
    expect((await list()).deliveries[0]).toMatchObject({ type: 'webhook.test', state: 'failed', attempts: 1 });
    answer = (response) => void response.destroy();
    const failed = await runCommand(app, ['webhooks', 'test']);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(/not taken: no answer \(\w+\)/) });
    answer = accept;
    expect(await runCommand(app, ['webhooks', 'test'])).toMatchObject({ code: 0, stdout: 'It was taken (204).\n' });
    expect((await runCommand(app, ['webhooks', 'list'])).stdout).toMatch(
      /webhook\.test +delivered +1 try +This is a test/,
    );
    const tested = await app.inject({ method: 'POST', url: '/api/admin/webhooks/test', headers: { authorization } });
    expect(tested.statusCode).toBe(204);
    await until(() => received.length === 4);
  });

  it('says first what waited while the receiver was away, in its order, with the next message', async () => {
    answer = (response) => void response.destroy();
    for (const text of ['The first', 'The second']) await enquire(text);
    await until(async () => (await list()).deliveries.slice(0, 2).every(({ attempts }) => attempts === 1));
    const missed = (await list()).deliveries.slice(0, 2).map(({ id }) => id);
    received.length = 0;
    answer = accept;
    // What was tried just now is not tried again for the sake of another one.
    const earlier = `update webhook_deliveries set last_tried_at = last_tried_at - interval '1 minute' where id in (?, ?)`;
    await app.get(EntityManager).fork().execute(earlier, missed);
    await enquire('The third');
    const third = await newest('delivered');
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([...missed.reverse(), third.id]);
    expect((await list()).deliveries.slice(1, 3)).toMatchObject(
      [1, 2].map(() => ({ state: 'delivered', attempts: 2 })),
    );
  });

  it('stays delivered when a process wakes up that slept over its own try, and is tried by one at a time', async () => {
    const open: ServerResponse[] = [];
    answer = (response) => void open.push(response);
    const asleep = new AbortController();
    const trying = app.get(WebhooksService).sendTest(OPERATOR, asleep.signal);
    await until(() => open.length === 1);
    answer = accept;
    const id = String(received[0]?.headers['webhook-id']);
    const row = await app.get(EntityManager).fork().findOneOrFail(WebhookDelivery, { id });
    const tryOnce = () => app.get(WebhookSenderService).tryOnce(row, false, new AbortController().signal);
    const outcomes = await Promise.all([tryOnce(), tryOnce()]);
    expect(outcomes.map((outcome) => outcome?.isDelivered).sort()).toEqual([true, undefined]);
    expect(received).toHaveLength(2);
    asleep.abort();
    expect(await trying).toMatchObject({ isDelivered: false });
    const noted = (await list()).deliveries.find((delivery) => delivery.id === id);
    expect(noted).toMatchObject({ state: 'delivered', last_error: null });
  });

  it('tells of an enquiry that was taken for spam when somebody lets it out, once', async () => {
    const change = async (id: string, state: string) => {
      const url = `/api/admin/enquiries/${id}`;
      const { version } = (await app.inject({ url, headers: { authorization } })).json<{ version: number }>();
      const answered = await app.inject({
        method: 'PUT',
        url,
        headers: { authorization },
        payload: { state, version },
      });
      expect(answered.statusCode).toBe(200);
    };
    const email = 'stranger@seo.company';
    const first = await enquire('Rank first', email);
    await change(first, 'spam');
    const second = await enquire('Rank first once more', email);
    await newest('delivered');
    const links = () => received.map(({ body }) => (JSON.parse(body) as { data: { link: string } }).data.link);
    expect(links()).toEqual([`http://site.test/admin/enquiries/${first}`]);
    for (const state of ['open', 'spam', 'closed']) await change(second, state);
    // It was told when it came in.
    await change(first, 'open');
    await newest('delivered');
    expect(links()).toEqual([first, second].map((id) => `http://site.test/admin/enquiries/${id}`));
  });

  it('forgets an enquiry that is erased, and what waits about it', async () => {
    answer = answerWith(503);
    const id = await enquire('Erase me');
    const em = app.get(EntityManager).fork();
    const about = `select state from pgboss.job where name = 'webhooks' and data ->> 'enquiryId' = ?`;
    const jobs = async () => (await em.execute<{ state: string }[]>(about, [id])).map(({ state }) => state);
    // The try is noted a moment before the job waits again, which is written anew then.
    await untilEqual(jobs, ['retry']);
    expect((await list()).deliveries[0]).toMatchObject({ text: expect.stringContaining(id), attempts: 1 });
    await runCommand(app, ['enquiries', 'erase', id, '--yes']);
    expect(JSON.stringify(await list())).not.toContain(id);
    expect(await jobs()).toEqual([]);
  });

  itSlow('gives up what waits where none is set any more', async () => {
    answer = answerWith(503);
    const former = await createTestApp(told);
    await former.get(WebhooksService).queueTest(OPERATOR);
    // The next try is put off, or it might be under way when the server ends.
    const later = `update pgboss.job set start_after = now() + interval '1 hour' where name = 'webhooks' and state = 'retry'`;
    await until(async () => (await former.get(EntityManager).fork().execute(`${later} returning id`)).length === 1);
    const { DATABASE_URL, DATA_DIR } = former.environment;
    await former.close();
    received.length = 0;
    answer = accept;
    const silent = await createTestApp({ DATABASE_URL: DATABASE_URL!, DATA_DIR: DATA_DIR! });
    const em = silent.get(EntityManager).fork();
    await silent.get(JobQueue).hasten(em, WEBHOOK_QUEUE);
    await untilEqual(
      () =>
        em.execute(`select name from pgboss.job where name = 'webhooks' and state in ('created', 'retry', 'active')`),
      [],
    );
    const { deliveries } = await silent.get(WebhooksService).list(OPERATOR);
    expect(deliveries).toMatchObject([{ state: 'failed', last_error: 'NOTIFY_WEBHOOK_URL is not set any more' }]);
    expect(received).toEqual([]);
  });

  it('tells once that an alarm begins and once that it ends, from however many processes', async () => {
    const { DATABASE_URL = '', NOTIFY_WEBHOOK_URL = '' } = app.environment;
    const other = await createTestApp({ DATABASE_URL, NOTIFY_WEBHOOK_URL, NOTIFY_WEBHOOK_SECRET: SECRET });
    const watches = [app, other].map((each) => each.get(AlarmWatch));
    const finding = (check: string, level: Finding['level'], since?: Date): Finding => ({
      ...{ check, level, message: '', advice: null },
      ...(since === undefined ? {} : { since: since.toISOString() }),
    });
    const tell = async (...findings: Finding[]) => {
      await Promise.all(watches.map((watch) => watch.tell(findings)));
    };
    const told = async () => {
      await until(async () =>
        (await list()).deliveries.every(({ type, state }) => !type.startsWith('alarm') || state === 'delivered'),
      );
      return received
        .map(({ body }) => JSON.parse(body) as { type: string; text: string })
        .map(({ type, text }) => `${type}: ${text}`);
    };
    const old = new Date(Date.now() - 9 * 24 * 3_600_000);
    const bad = [finding('mail', 'fail'), finding('disk', 'warn'), finding('backup', 'warn', old)];
    await tell(...bad);
    // One look may be a mail server that starts again.
    expect(await told()).toEqual([]);
    await tell(...bad);
    await tell(...bad);
    expect((await told()).sort()).toEqual([
      expect.stringMatching(/^alarm\.began: Mail cannot be delivered from .+\.$/),
      expect.stringMatching(/^alarm\.began: The disk of .* is nearly full/),
      'alarm.began: The last backup is nine days old.',
    ]);
    // What could not be found out is neither over nor on.
    await tell(finding('disk', 'warn'));
    received.length = 0;
    const good = [
      finding('mail', 'ok'),
      finding('queue', 'ok'),
      finding('disk', 'ok'),
      finding('backup', 'ok', new Date()),
    ];
    await tell(...good);
    await tell(...good);
    expect((await told()).sort()).toEqual([
      'alarm.ended: Mail is delivered again.',
      expect.stringMatching(/^alarm\.ended: The disk of .* has room again/),
      'alarm.ended: There is a new backup again.',
    ]);

    // Of two machines, one reaches the mail server: it is one truth, and it says which one does not.
    received.length = 0;
    const [watch = app.get(AlarmWatch), second = watch] = watches;
    for (let round = 0; round < 3; round += 1) {
      await watch.tell([finding('mail', 'fail')], 'web-1');
      await second.tell([finding('mail', 'ok')], 'web-2');
    }
    expect(await told()).toEqual(['alarm.began: Mail cannot be delivered from web-1.']);
    // It has gone without a word.
    jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 16 * 60_000));
    await watch.tell([finding('mail', 'ok')], 'web-2');
    expect((await told()).at(-1)).toBe('alarm.ended: Mail is delivered again.');
    jest.restoreAllMocks();

    // A container whose disk is nearly full is replaced by another one, which has another name.
    received.length = 0;
    for (let round = 0; round < 2; round += 1) await second.tell([finding('disk', 'warn')], 'old-container');
    await watch.tell([finding('disk', 'ok')], 'new-container');
    const began = expect.stringMatching(/^alarm\.began: The disk of old-container is nearly full/);
    expect(await told()).toEqual([began]);
    jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 16 * 60_000));
    for (let round = 0; round < 2; round += 1) await watch.tell([finding('disk', 'ok')], 'new-container');
    const ended = 'alarm.ended: Nothing is heard any more of old-container, whose disk was nearly full.';
    expect(await told()).toEqual([began, ended]);
    jest.restoreAllMocks();
  });

  it('keeps no process from ending while a check of alarms hangs, and tells nothing of it afterward', async () => {
    const checks = Promise.withResolvers<Finding[]>();
    const examine = jest.spyOn(DoctorService.prototype, 'examine').mockReturnValue(checks.promise);
    const setTimer = jest.spyOn(globalThis, 'setInterval');
    const watch = new AlarmWatch(
      app.get(EntityManager),
      app.get(MarksService),
      app.get(WebhooksService),
      app.get(Clock),
      app.config,
    );
    const tell = jest.spyOn(watch, 'tell');
    watch.onApplicationBootstrap();
    setTimer.mock.lastCall?.[0]();
    expect(examine).toHaveBeenCalledTimes(1);
    await watch.beforeApplicationShutdown();
    checks.resolve([]);
    await turn();
    expect(tell).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});
