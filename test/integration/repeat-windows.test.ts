import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EnquiryUpkeep } from '../../src/contact/enquiry-upkeep.js';
import { TermsService } from '../../src/posts/terms.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { buildForm, createAdministrator, holdClock, type Administrator } from '../support/admin-posts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { changePosts } from '../support/factories.js';
import { until } from '../support/until.js';

// The same request again is the same for a while. Two processes, each with a clock of its own, at the edges of that while.
const MINUTES = 60_000;
/** Equal words are one enquiry in a period of ten minutes and in the one after it. */
const PERIOD = 10 * MINUTES;
const START = Math.ceil(Date.parse('2026-03-01T10:00:00Z') / PERIOD) * PERIOD;

let here: TestApp;
let there: TestApp;
let clocks: { set(to: string): void }[];
let database: pg.Client;

/** Winds the clocks of both processes, in milliseconds from the start of a period. */
function wind(ofHere: number, ofThere = ofHere): void {
  for (const [index, at] of [ofHere, ofThere].entries()) clocks[index]?.set(new Date(START + at).toISOString());
}

/** Holds writes to a table back until all of the requests wait for it or for each other, then lets them go. */
async function atOnce<T>(table: string, requests: readonly (() => PromiseLike<T>)[]): Promise<T[]> {
  await database.query(`begin; lock table ${table} in share row exclusive mode`);
  const answers = Promise.all(requests.map(async (send) => await send()));
  // The worker that delivers enquiries waits too.
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query !~ '^update "enquiries"'`;
  try {
    await until(async () => {
      // Or it would be told all through this transaction what it was told first.
      await database.query('select pg_stat_clear_snapshot()');
      return (await database.query(waiting)).rowCount === requests.length;
    });
  } finally {
    await database.query('commit');
  }
  return await answers;
}

beforeAll(async () => {
  const limits = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0', CONTACT_TO: 'desk@example.com' };
  here = await createTestApp(limits);
  there = await createTestApp({ ...limits, DATABASE_URL: here.config.database.url });
  clocks = [here, there].map((app) => holdClock(app, new Date(START).toISOString()));
  database = new pg.Client({ connectionString: here.config.database.url });
  await database.connect();
  onCleanup(() => database.end());
});

describe('the same enquiry again', () => {
  const countFrom = async (email: string) =>
    (await storedEnquiries(here)).filter((enquiry) => enquiry.email === email).length;
  const send = async (app: TestApp, enquiry: object, headers = {}) => {
    expect((await sendEnquiry(app, enquiry, headers)).statusCode).toBe(200);
  };

  it('is one until the period after its own has ended, and another one then', async () => {
    const enquiry = buildEnquiry();
    wind(0);
    await send(here, enquiry);
    for (const at of [PERIOD - 1, PERIOD, 2 * PERIOD - 1]) {
      wind(at);
      await send(there, enquiry);
      expect([at, await countFrom(enquiry.email)]).toEqual([at, 1]);
    }
    wind(2 * PERIOD);
    await send(there, enquiry);
    expect(await countFrom(enquiry.email)).toBe(2);
  });

  it.each([
    ['on both sides of the edge of a period', PERIOD - 1, PERIOD],
    ['in one period', PERIOD, PERIOD],
    ['with clocks that are minutes apart', 0, PERIOD],
  ])('is one when two processes take it at once, %s', async (_case, ofHere, ofThere) => {
    const enquiry = buildEnquiry();
    wind(ofHere, ofThere);
    await atOnce('enquiries', [() => send(here, enquiry), () => send(there, enquiry)]);
    expect(await countFrom(enquiry.email)).toBe(1);
  });

  it('is one where the clock of who takes it second is behind', async () => {
    const enquiry = buildEnquiry();
    wind(PERIOD - 1, PERIOD);
    await send(there, enquiry);
    await send(here, enquiry);
    expect(await countFrom(enquiry.email)).toBe(1);
  });

  it('is one by its key until its message is erased, whenever it comes', async () => {
    const enquiry = buildEnquiry();
    const headers = { 'idempotency-key': randomUUID() };
    wind(0);
    await atOnce('enquiries', [() => send(here, enquiry, headers), () => send(there, enquiry, headers)]);
    expect(await countFrom(enquiry.email)).toBe(1);
    const days = here.config.contact.retentionDays * 24 * 60 * MINUTES;
    await until(async () => (await storedFrom(here, enquiry.email))?.delivery === 'sent');
    // Days count from closing.
    await database.query('update enquiries set sent_at = $1, handled_at = $1 where email = $2', [
      new Date(START),
      enquiry.email,
    ]);
    wind(days - 1);
    await here.get(EnquiryUpkeep).runAll();
    await send(there, enquiry, headers);
    expect(await countFrom(enquiry.email)).toBe(1);
    wind(days + 1);
    await here.get(EnquiryUpkeep).runAll();
    await send(there, enquiry, headers);
    expect(await countFrom(enquiry.email)).toBe(2);
  });
});

describe('the same save again', () => {
  let ada: Administrator;
  let bob: Administrator;
  const revisionsOf = async ({ id }: Pick<AdminPost, 'id'>) => {
    const sql = 'select reason from post_revisions where post_id = ? order by id';
    return (await here.get(EntityManager).fork().execute<{ reason: string }[]>(sql, [id])).length;
  };

  beforeAll(async () => {
    wind(0);
    ada = await createAdministrator(here, 'ada@example.com');
    bob = await createAdministrator(there, 'bob@example.com');
  });

  it('creates one post, at once in two processes and later', async () => {
    const id = randomUUID();
    const body = { ...buildForm({ slug: 'once' }), version: 0, save_id: randomUUID() };
    const put = (by: Administrator) => by.call('PUT', `/posts/${id}`, body);
    const answers = await atOnce('blog_posts', [() => put(ada), () => put(bob)]);
    const states = answers.map(({ status, body: post }) => [status, post.version]);
    expect(states).toEqual([
      [200, 1],
      [200, 1],
    ]);
    wind(365 * 24 * 60 * MINUTES);
    expect(await put(bob)).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await revisionsOf({ id })).toBe(1);
  });

  it.each(['save', 'keep'] as const)('counts once as the last one (%s), and is late after another', async (kind) => {
    wind(0);
    const post = (await ada.call('POST', '/posts', buildForm({ slug: `again-${kind}` }))).body;
    const fields = buildForm({ slug: post.slug, title: 'Once' });
    const named = { version: 1, save_id: randomUUID() };
    const [path, body] =
      kind === 'save'
        ? [`/posts/${post.id}`, { ...fields, ...named }]
        : [`/posts/${post.id}/working-copy`, { fields, ...named }];
    const answers = await atOnce('blog_posts', [() => ada.call('PUT', path, body), () => bob.call('PUT', path, body)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body: answer }) => answer.version)).toEqual([2, 2]);
    const kept = await revisionsOf(post);
    expect(kept).toBe(2);
    // Just before the end: nobody else has saved. Just after it, somebody has, at the same time even.
    expect((await bob.call('PUT', path, body)).status).toBe(200);
    const other = { ...fields, title: 'Other', version: 2, save_id: randomUUID() };
    const race = await Promise.all([ada.call('PUT', `/posts/${post.id}`, other), bob.call('PUT', path, body)]);
    expect(race[0].status).toBe(200);
    expect([200, 409]).toContain(race[1].status);
    expect(await bob.call('PUT', path, body)).toMatchObject({ status: 409, body: { code: 'post_changed' } });
    expect((await ada.call('GET', `/posts/${post.id}`)).body).toMatchObject({ title: 'Other', version: 3 });
    expect(await revisionsOf(post)).toBe(kept + 1);
  });

  it.each(['save', 'keep'] as const)('is late after a change of its words that is no save (%s)', async (kind) => {
    wind(0);
    const tags = `Wi-Fi ${kind}, Other`;
    const post = (await ada.call('POST', '/posts', buildForm({ slug: `renamed-${kind}`, tags }))).body;
    const named = { version: 1, save_id: randomUUID() };
    const fields = buildForm({ slug: post.slug, title: 'Once', tags });
    const [path, body] =
      kind === 'save'
        ? [`/posts/${post.id}`, { ...fields, ...named }]
        : [`/posts/${post.id}/working-copy`, { fields, ...named }];
    expect((await ada.call('PUT', path, body)).status).toBe(200);
    // Its answer was lost; it is tried again until something else was written.
    await here.get(TermsService).rename(OPERATOR, { kind: 'tag', from: `Wi-Fi ${kind}`, to: `Networks ${kind}` });
    expect(await ada.call('PUT', path, body)).toMatchObject({ status: 409, body: { code: 'post_changed' } });
    // Whether it is public says nothing about its words.
    const again = { ...body, ...named, version: 3, save_id: randomUUID() };
    expect((await ada.call('PUT', path, again)).status).toBe(200);
    await changePosts(here, 'publish', [post.slug]);
    expect((await ada.call('PUT', path, again)).status).toBe(200);
  });
});
