import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { JobQueue } from '../../src/database/job-queue.js';
import { checkSearchEngines } from '../../src/doctor/check-search-engines.js';
import type { ConnectedDatabase } from '../../src/database/direct-connection.js';
import { SearchPingUpkeep } from '../../src/posts/search-pings/search-ping-upkeep.js';
import { SEARCH_PING_QUEUE, SearchPingsService } from '../../src/posts/search-pings/search-pings.service.js';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { createAdministrator, type Administrator } from '../support/admin-posts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { changePosts, createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const KEY = 'a-key-of-this-site-1';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** What happens before it is given. */
  readonly before?: () => Promise<unknown>;
}

describe('search engines', () => {
  let app: TestApp;
  let ada: Administrator;
  let database: pg.Client;
  const asked: { headers: IncomingHttpHeaders; body: { urlList: string[] } }[] = [];
  const answers: Answer[] = [];

  const paths = async () =>
    (await database.query<{ path: string }>('select path from search_pings order by path')).rows.map(
      ({ path }) => path,
    );
  const lastJob = async () =>
    (
      await database.query<{ state: string; seconds: number }>(
        `select state, extract(epoch from start_after - now())::float8 as seconds from pgboss.job
         where name = 'search-pings' order by created_on desc limit 1`,
      )
    ).rows[0];
  const told = () => asked.flatMap(({ body }) => body.urlList.map((url) => url.replace('https://www.it-team.com', '')));
  const queue = async (isAnew = false) => app.get(SearchPingsService).queue(isAnew);
  const doctor = async () => checkSearchEngines({ client: database } as unknown as ConnectedDatabase, app.config);
  /** What was told is forgotten a moment before its job is over, and until then no other one is queued. */
  const untilDone = () => until(async () => (await lastJob())?.state === 'completed');
  const tellAll = async () => {
    asked.length = 0;
    await queue();
    await untilEqual(paths, []);
    await untilDone();
    return told().sort();
  };

  beforeAll(async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await text(request);
      asked.push({ headers: request.headers, body: JSON.parse(body) as { urlList: string[] } });
      const { status, headers = {}, before } = answers.shift() ?? { status: 202 };
      await before?.();
      response.writeHead(status, headers).end('an answer that nobody reads');
    };
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => void server.close());
    const url = await cloneDatabase();
    database = new pg.Client({ connectionString: url });
    await database.connect();
    onCleanup(() => database.end());
    await database.query(`insert into search_pings values ('/blogs/left-over', now())`);
    app = await createTestApp({
      DATABASE_URL: url,
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://www.it-team.com',
      MAIL_CAPTURE: 'true',
      INDEXNOW_KEY: KEY,
      INDEXNOW_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/indexnow`,
    });
    await untilEqual(paths, []);
    await untilDone();
    // From here on the test says when.
    await SearchPingUpkeep.prototype.beforeApplicationShutdown.call(app.get(SearchPingUpkeep));
    ada = await createAdministrator(app, 'ada@example.com');
  });

  it('are told what was left over when a server starts, and find the key', async () => {
    expect(asked.map(({ body }) => body)).toEqual([
      {
        host: 'www.it-team.com',
        key: KEY,
        keyLocation: `https://www.it-team.com/${KEY}.txt`,
        urlList: ['https://www.it-team.com/blogs/left-over'],
      },
    ]);
    expect(asked[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
    const { statusCode, body, headers } = await app.inject(`/${KEY}.txt`);
    expect([statusCode, body, headers['content-type']]).toEqual([200, KEY, 'text/plain; charset=utf-8']);
    expect((await app.inject('/a-key-of-another-site.txt')).statusCode).toBe(404);
    expect(await doctor()).toMatchObject({ level: 'ok' });
  });

  it('are told of posts that appear, change, move and go, and of none that readers cannot see', async () => {
    await createPosts(app, [{ slug: 'one' }, { slug: 'two' }, { slug: 'draft', is_published: false }]);
    expect(await tellAll()).toEqual(['/blogs/one', '/blogs/two']);

    const find = async (slug: string) => {
      const { rows } = await database.query<{ id: string }>('select id from blog_posts where slug = $1', [slug]);
      return (await ada.call<AdminPost>('GET', `/posts/${rows[0]?.id}`)).body;
    };
    const { saved, version, id } = await find('one');
    const moved = { ...saved, slug: 'moved', version, save_id: crypto.randomUUID(), is_published: true };
    expect((await ada.call('PUT', `/posts/${id}`, moved)).status).toBe(200);
    const draft = await find('draft');
    const kept = { ...draft.saved, title: 'A secret', version: draft.version, save_id: crypto.randomUUID() };
    await ada.call('PUT', `/posts/${draft.id}`, { ...kept, is_published: false });
    expect(await tellAll()).toEqual(['/blogs/moved', '/blogs/one']);

    await changePosts(app, 'unpublish', ['moved']);
    await changePosts(app, 'trash', ['two', 'draft']);
    expect(await tellAll()).toEqual(['/blogs/moved', '/blogs/two']);
    await database.query(`update blog_posts set scheduled_at = now() - interval '1 minute' where slug = 'moved'`);
    expect(await paths()).toEqual([]);
    await app.get(SchedulingService).publishDue();
    expect(await tellAll()).toEqual(['/blogs/moved']);
  });

  it('are told again of what changes while they are told', async () => {
    await createPosts(app, [{ slug: 'busy' }, { slug: 'calm' }]);
    answers.push({ status: 200, before: () => changePosts(app, 'unpublish', ['busy']) });
    asked.length = 0;
    await queue();
    await untilEqual(paths, ['/blogs/busy']);
    await untilDone();
    expect(told().sort()).toEqual(['/blogs/busy', '/blogs/calm']);
    expect(await tellAll()).toEqual(['/blogs/busy']);
  });

  itSlow('are asked again when they fail, and left alone for as long as they say', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    await createPosts(app, [{ slug: 'later' }]);
    answers.push({ status: 500 }, { status: 429, headers: { 'retry-after': '3000' } });
    await queue();
    await until(async () => (await lastJob())?.state === 'retry');
    expect((await lastJob())?.seconds).toBeGreaterThan(20);
    expect(await doctor()).toMatchObject({ level: 'warn', message: expect.stringContaining('answered 500') });
    asked.length = 0;
    await queue();
    await app.get(JobQueue).hasten(app.get(EntityManager).fork(), SEARCH_PING_QUEUE);
    await until(async () => (await lastJob())?.state === 'created');
    const { seconds = 0 } = (await lastJob()) ?? {};
    expect([seconds > 2900, seconds <= 3000, told()]).toEqual([true, true, ['/blogs/later']]);
    await queue(true);
    expect(asked).toHaveLength(1);
    await database.query(`update pgboss.job set start_after = now() where name = 'search-pings' and state = 'created'`);
    await untilEqual(paths, []);
    await untilDone();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it('are not bothered again with what they refuse, until something changes or a server starts', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    await createPosts(app, [{ slug: 'refused' }]);
    answers.push({ status: 403 }, { status: 403 });
    await queue();
    await until(async () => (await lastJob())?.state === 'failed');
    expect(await doctor()).toEqual({
      level: 'warn',
      message: expect.stringMatching(/^1 address waits: 127\.0\.0\.1:\d+ answered 403$/),
      advice: `See that visitors can open /${KEY}.txt, correct INDEXNOW_KEY, and restart.`,
    });
    asked.length = 0;
    await queue();
    expect((await lastJob())?.state).toBe('failed');
    await queue(true);
    await until(() => asked.length === 1);
    await until(async () => (await lastJob())?.state === 'failed');
    await createPosts(app, [{ slug: 'after' }]);
    expect(await tellAll()).toEqual(['/blogs/after', '/blogs/refused']);
    expect(await doctor()).toMatchObject({ level: 'ok' });
    expect(warn.mock.calls.map((call) => call[1] as unknown)).toEqual(
      Array.from({ length: 2 }, () => 'Search engines refused to be told of posts (see INDEXNOW_KEY)'),
    );
    warn.mockRestore();
  });

  it('get no more than 10,000 addresses at once', async () => {
    await database.query(`insert into search_pings select '/blogs/' || n, now() from generate_series(1, 10001) n`);
    await tellAll();
    expect(asked.map(({ body }) => body.urlList.length)).toEqual([10_000, 1]);
  });

  itSlow('are told nothing where no key is set any more, and what waited is given up', async () => {
    await createPosts(app, [{ slug: 'without-a-key' }]);
    answers.push({ status: 500 });
    await queue();
    await until(async () => (await lastJob())?.state === 'retry');
    await app.close();
    asked.length = 0;
    const { INDEXNOW_KEY: _key, INDEXNOW_ENDPOINT: _endpoint, ...environment } = app.environment;
    const silent = await createTestApp(environment);
    await silent.get(JobQueue).hasten(silent.get(EntityManager).fork(), SEARCH_PING_QUEUE);
    await untilDone();
    expect(asked).toEqual([]);
  });
});
