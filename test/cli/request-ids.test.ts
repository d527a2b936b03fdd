import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
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
import { testEnvironment } from '../support/environment.js';
import { createPosts } from '../support/factories.js';
import { startServer, type RunningProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

type Server = RunningProcess & { readonly url: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const EVERY = 'x-request-id';

let writer: TestApp;
let gate: DatabaseGate;
let server: Server;

/** Sends bytes as they are, and reads the answer to its end. */
async function send(bytes: string): Promise<{ status: number; id: string | undefined; body: string }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  return { status: Number(head.split(' ')[1]), id: /^x-request-id: (.*)$/im.exec(head)?.[1], body };
}

/** The lines of the log so far, or at the end. */
const linesOf = (stdout: string) =>
  stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));

beforeAll(async () => {
  const databaseUrl = await cloneDatabase();
  gate = await openDatabaseGate(databaseUrl);
  writer = await createTestApp({ DATABASE_URL: databaseUrl });
  await createPosts(writer, [{ slug: 'watched' }]);
  server = await startServer({
    ...writer.environment,
    DATABASE_URL: gate.url,
    LOG_LEVEL: 'trace',
    TRUSTED_PROXIES: '127.0.0.1',
  });
});

describe('every answer has the id of its request', () => {
  it.each([
    ['a page that is made', paths.about, {}],
    ['a page that is kept', paths.about, {}],
    ['a page made for one visitor', paths.about, { authorization: 'Bearer x' }],
    ['a page that is not there', '/nothing-here', {}],
    ['a redirect', '/about/', {}],
    ['a feed', paths.rss, {}],
    ['the API', paths.api.posts, {}],
    ['an error of the API', paths.api.post('none'), {}],
    ['an address of the API that there is not', '/api/none', {}],
    ['a refusal', adminPaths.media, {}],
    ['accounts', '/auth/v1/settings', {}],
    ['an error of accounts', '/auth/v1/user', {}],
    ['media', '/media/none.png', {}],
    ['assets', '/assets/none.js', {}],
    ['an address that cannot be read', '/%', {}],
    ['health', '/api/health', {}],
  ])('%s', async (_name, path, headers: Record<string, string>) => {
    const [first, second] = [await ask(server.url + path, headers), await ask(server.url + path, headers)];
    expect(first.headers[EVERY]).toMatch(UUID);
    expect(second.headers[EVERY]).toMatch(UUID);
    expect(second.headers[EVERY]).not.toBe(first.headers[EVERY]);
    const isApi = first.status >= 400 && (path.startsWith('/api') || path.startsWith('/media'));
    if (isApi) expect(JSON.parse(String(first.body))).toMatchObject({ request_id: first.headers[EVERY] });
  });

  it('and stays outside of what is kept: the bytes and the tag are the same for everyone', async () => {
    const load = (headers = {}) => ask(server.url + paths.pricing, headers);
    let one = await load();
    // The server looks for related posts by itself, a second after its start: what was kept until then is made anew.
    await until(async () => (one = await load()).headers['x-cache'] === 'hit');
    const other = await load();
    expect(one.body.equals(other.body)).toBe(true);
    expect(one.headers.etag).toBe(other.headers.etag);
    const unchanged = await load({ 'if-none-match': String(one.headers.etag) });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers[EVERY]).toMatch(UUID);
  });

  it('a preflight, a method that there is not, a body that is no JSON', async () => {
    const answers = await Promise.all([
      fetch(`${server.url}/auth/v1/token`, { method: 'OPTIONS' }),
      fetch(server.url + paths.about, { method: 'DELETE' }),
      fetch(server.url + paths.api.contact, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"message": hunter2',
      }),
    ]);
    for (const { headers } of answers) expect(headers.get(EVERY)).toMatch(UUID);
    const body: unknown = await answers[2].json();
    expect(body).toMatchObject({ request_id: answers[2].headers.get(EVERY) });
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  it('what names no host, or expects what there is not', async () => {
    const hostless = await send('GET / HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(hostless).toMatchObject({ status: 400, id: expect.stringMatching(UUID) });
    expect(JSON.parse(hostless.body)).toMatchObject({ code: 'bad_request', request_id: hostless.id });
    const expecting = await send('GET / HTTP/1.1\r\nhost: a\r\nexpect: a miracle\r\nconnection: close\r\n\r\n');
    expect(expecting).toMatchObject({ status: 417, id: expect.stringMatching(UUID) });
  });

  it('what is no request at all', async () => {
    const nonsense = await send('NONSENSE\r\n\r\n');
    expect(nonsense).toMatchObject({ status: 400, id: expect.stringMatching(UUID) });
    expect(JSON.parse(nonsense.body)).toMatchObject({ request_id: nonsense.id });
    const swollen = await send(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(swollen).toMatchObject({ status: 431, id: expect.stringMatching(UUID) });
  });

  itSlow('takes it from a proxy that is trusted, if it is short and plain', async () => {
    const given = async (id: string, path: string) => (await ask(server.url + path, { [EVERY]: id })).headers[EVERY];
    for (const path of [paths.about, paths.api.posts]) {
      expect(await given('req-7.abc_D', path)).toBe('req-7.abc_D');
      expect(await given('a'.repeat(65), path)).toMatch(UUID);
      expect(await given('<script>', path)).toMatch(UUID);
      expect(await given('two words', path)).toMatch(UUID);
    }
    const direct = await startServer(writer.environment);
    for (const path of [paths.about, paths.api.posts]) {
      expect((await ask(direct.url + path, { [EVERY]: 'req-7' })).headers[EVERY]).toMatch(UUID);
    }
  });
});

it('errors for which nobody asked are told by their id: on pages, in the API and in both envelopes of accounts', async () => {
  await ask(server.url + paths.api.posts);
  await gate.close();
  try {
    const api = await ask(server.url + paths.api.posts);
    expect(api.status).toBe(503);
    expect(JSON.parse(String(api.body))).toMatchObject({ request_id: api.headers[EVERY] });

    const page = await ask(server.url + paths.blog('not-kept-yet'));
    expect(page.status).toBe(503);
    expect(String(page.body)).toContain(`Error id ${String(page.headers[EVERY])}`);

    const form = new URLSearchParams({ ...buildEnquiry() });
    const refused = await fetch(server.url + paths.contact, { method: 'POST', body: form });
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain(`Error id ${refused.headers.get(EVERY)}`);

    const token = `${server.url}/auth/v1/token?grant_type=password`;
    const post = { method: 'POST', body: '{"email":"pat@example.org","password":"hunter2"}' };
    const legacy = await fetch(token, post);
    expect(legacy.status).toBe(503);
    expect(await legacy.json()).toMatchObject({ error_id: legacy.headers.get(EVERY) });
    const recent = await fetch(token, { ...post, headers: { 'x-supabase-api-version': '2024-01-01' } });
    expect(recent.headers.get(EVERY)).toMatch(UUID);
    expect(Object.keys((await recent.json()) as object).sort()).toEqual(['code', 'message']);
  } finally {
    await gate.open();
  }
  await until(async () => (await ask(server.url + paths.api.posts)).status === 200);
});

it('the log has the id and the address of every request and no secret of any', async () => {
  const secrets = {
    query: 'QuerySecret111',
    bearer: 'eyJhbGciOiJIUzI1NiJ9.QmVhcmVyU2VjcmV0.c2ln',
    cookie: 'CookieSecret222',
    password: 'PasswordSecret333',
    message: 'MessageSecret444',
    email: 'mail-secret555@example.org',
    malformed: 'MalformedSecret666',
    header: 'HeaderSecret777',
  };
  await createPosts(writer, [{ slug: 'hidden', is_published: false }]);
  const admin = await createAccount(writer);
  await writer.get(RolesService).grantAdmin(OPERATOR, admin.id);
  const { accessToken } = await signIn(writer, admin);
  const link = await fetchPreviewToken('hidden', accessToken);
  const authorization = `Bearer ${secrets.bearer}`;
  const headers = { cookie: `session=${secrets.cookie}`, 'x-forwarded-for': '203.0.113.9', apikey: secrets.header };
  const body = JSON.stringify({ email: secrets.email, password: secrets.password, data: { note: secrets.message } });
  const send = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: 'manual', ...init, headers: { ...headers, ...init.headers } });
  const json = { 'content-type': 'application/json' };
  const sendAll = async () => {
    const answers = [
      await send(`${paths.about}?token=${secrets.query}`),
      await send(`/nothing?token=${secrets.query}`),
      await send(`/auth/v1/verify?token=${secrets.query}&type=signup`),
      await send(`/auth/confirm?token_hash=${secrets.query}`),
      await send(paths.preview(link)),
      await send(`/PREVIEW/${link}`),
      await send(`/%70review/${link}`),
      await send(paths.api.preview(link)),
      await send(adminPaths.media, { headers: { authorization } }),
      await send('/auth/v1/user', { headers: { authorization } }),
      await send(paths.about, { headers: { authorization } }),
      await send('/auth/v1/signup', { method: 'POST', body }),
      await send('/auth/v1/token?grant_type=password', { method: 'POST', body }),
      await send('/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        body: JSON.stringify({ refresh_token: secrets.query }),
      }),
      await send('/auth/v1/otp', { method: 'POST', body }),
      await send('/auth/v1/recover', { method: 'POST', body: `{"email": ${secrets.malformed}` }),
      await send(paths.api.contact, { method: 'POST', headers: json, body: `{"message": ${secrets.malformed}` }),
      await send(paths.api.contact, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(buildEnquiry({ message: `${secrets.message} of an enquiry`, email: secrets.email })),
      }),
      await send(paths.contact, {
        method: 'POST',
        body: new URLSearchParams({ ...buildEnquiry({ message: secrets.message, email: secrets.email }) }),
      }),
      await send(paths.api.uploads, { method: 'POST', body: secrets.message, headers: { authorization } }),
    ];
    return answers.map((answer) => answer.headers.get(EVERY));
  };
  const ids = await sendAll();
  // Errors quote what they could not do.
  await gate.close();
  ids.push(...(await sendAll()));
  await gate.open();
  await until(async () => (await ask(server.url + paths.api.posts)).status === 200);

  const { stdout, stderr } = await server.stop();
  for (const secret of [...Object.values(secrets), link, accessToken]) expect(stdout + stderr).not.toContain(secret);
  const completed = linesOf(stdout).filter(({ msg }) => /^request /.test(String(msg)));
  const byId = new Map(completed.map((line) => [(line['req'] as { id: string }).id, line['req']]));
  for (const id of ids) expect(byId.get(String(id))).toMatchObject({ id, address: '203.0.113.9' });
  const failures = linesOf(stdout).filter(({ msg }) => msg === 'A request failed');
  const failedIds = failures.map(({ req }) => (req as { id: string }).id);
  // Whoever looked whether the database is back may have failed as well.
  expect(failedIds.filter((id) => ids.includes(id)).length).toBeGreaterThan(0);
});

itSlow('jobs that a request has left behind do not log its id', async () => {
  const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
  const environment = testEnvironment(own, { SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'info' });
  const { url, ...mailless } = await startServer(environment);
  await fetch(url + paths.api.contact, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(buildEnquiry()),
  });
  await mailless.waitForOutput(/An enquiry could not be delivered yet/);
  const { stdout } = await mailless.stop();
  const lines = linesOf(stdout).filter(({ msg }) => msg === 'An enquiry could not be delivered yet');
  for (const line of lines) expect(line).not.toHaveProperty('req');
});

/** The token of a link that shows a post before it is published. */
async function fetchPreviewToken(slug: string, accessToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const em = writer.get(EntityManager).fork();
  const [post] = await em.execute<{ id: string }[]>('select id from blog_posts where slug = ?', [slug]);
  const address = server.url + adminPaths.previewLinks(post?.id ?? '');
  const answer = await fetch(address, { method: 'POST', headers });
  expect(answer.status).toBe(201);
  const { url } = (await answer.json()) as { url: string };
  return url.slice(url.lastIndexOf('/') + 1);
}
