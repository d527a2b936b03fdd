import { appendFileSync, cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TokenCodec } from '../../src/auth/tokens/token-codec.js';
import { compareVersions, PRODUCT_VERSION } from '../../src/config/version.js';
import { OLDEST_COMPATIBLE } from '../../src/database/schema-release.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { EnquiryPage } from '../../src/shared/contracts/enquiries.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { withClient } from '../support/installation.js';
import {
  createReleasedDatabase,
  installLastRelease,
  listReleases,
  type ReleaseFacts,
} from '../support/last-release.js';
import { findBrokenPromises, readPromises, type SchemaPromises } from '../support/schema-promises.js';
import { payloadOf, signToken } from '../support/sign-token.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** As a mail of the release might have had it. */
const CODE = '246810';

describe('the last release', () => {
  let released: string;
  let older: SchemaPromises;

  beforeAll(async () => {
    released = await createReleasedDatabase();
    older = await withClient(released, readPromises);
  });

  /** Returns the promises that a change breaks, and takes the change back. */
  const findBrokenBy = (change: string) =>
    withClient(released, async (client) => {
      await client.query(`begin; ${change}`);
      return findBrokenPromises(older, await readPromises(client));
    });

  it('can run on the schema of this one, which says so', async () => {
    const url = await cloneDatabase();
    expect(findBrokenPromises(older, await withClient(url, readPromises))).toEqual([]);
    // Its own job queue cannot go back either.
    const queueVersion = 'select version from pgboss.version';
    const versionOf = (from: string) =>
      withClient(from, async (client) => (await client.query<{ version: number }>(queueVersion)).rows[0]?.version);
    expect(await versionOf(url)).toBe(await versionOf(released));
    expect(OLDEST_COMPATIBLE).toBe(listReleases()[0]);
    expect(compareVersions(PRODUCT_VERSION, OLDEST_COMPATIBLE)).toBeGreaterThan(0);
  });

  it.each([
    ['alter table redirects drop column origin', 'public.redirects.origin is gone'],
    ['alter table redirects rename to moves', 'public.redirects.path is gone'],
    ['alter table images alter byte_size type text', 'public.images.byte_size was integer and is text'],
    [
      'alter table blog_posts alter slug type varchar(100)',
      'public.blog_posts.slug was character varying(200) and is character varying(100)',
    ],
    ['alter table images alter source_hash set not null', 'public.images.source_hash may not be null any more'],
    [
      'alter table redirects alter target drop not null',
      'public.redirects.target may be null, which the older code cannot read',
    ],
    ['alter table redirects alter created_at drop default', 'public.redirects.created_at has lost its default'],
    [
      'delete from redirects; alter table redirects add hits int not null',
      'public.redirects.hits is new and required, and the older code does not write it',
    ],
    [
      `alter table redirects add constraint short check (length(path) < 100)`,
      'the older code may break the new rule on redirects: CHECK ((length(path) < 100))',
    ],
    [
      'create unique index on redirects (lower(path))',
      'the older code may break the new rule on redirects: unique btree (lower(path))',
    ],
    [
      'alter table redirects add author uuid references auth.users (id)',
      'the older code may break the new rule on redirects: FOREIGN KEY (author) REFERENCES auth.users(id)',
    ],
    ['alter table redirects drop constraint redirects_pkey', 'there is no more redirects: PRIMARY KEY (path)'],
  ])('could not run after: %s', async (change, sentence) => {
    expect(await findBrokenBy(change)).toContain(sentence);
  });

  it('could run after what only adds', async () => {
    const change = `alter table redirects add hits int not null default 0, add note text,
        add author uuid references auth.users (id) on delete set null;
      alter table blog_posts alter slug type text; create index on redirects (created_at);
      create table news (id int primary key, redirect text not null unique references redirects (path))`;
    expect(await findBrokenBy(change)).toEqual([]);
  });
});

describe(`data of version ${listReleases()[0]}, upgraded`, () => {
  let app: TestApp;
  let sink: SmtpSink;
  let facts: ReleaseFacts;
  let token: string;

  beforeAll(async () => {
    sink = await startSmtpSink();
    const site = await installLastRelease({ SMTP_URL: sink.url });
    facts = site.facts;
    // The recorded database knows codes by their hashes only.
    const codec = new TokenCodec(site.config);
    const hash = (email: string) => codec.hash(codec.linkToken(email, CODE));
    await withClient(site.config.database.url, async (client) => {
      for (const email of ['new@company.test', facts.person]) {
        const change = `update auth.one_time_tokens t set token_hash = $1 from auth.users u where u.id = user_id and email = $2`;
        expect((await client.query(change, [hash(email), email])).rowCount).toBe(1);
      }
    });
    expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0, stderr: '' });
    app = await createTestApp(site.environment);
    const { administrator: email, password } = facts;
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email, password },
    });
    token = answer.json<{ access_token: string }>().access_token;
  });

  async function ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, payload?: object): Promise<T> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.inject({ method, url: `/api/admin/posts${path}`, headers, ...(payload && { payload }) });
    expect({ path, status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 });
    return answer.json<T>();
  }

  it('is shown to visitors, with its images, at its former addresses too', async () => {
    const page = await app.inject('/blogs/renamed');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(facts.image);
    expect((await app.inject(facts.image)).statusCode).toBe(200);
    expect(await app.inject('/blogs/former')).toMatchObject({ headers: { location: '/blogs/renamed' } });
    expect(await app.inject('/old-address')).toMatchObject({ headers: { location: '/contact' } });
    for (const hidden of ['draft', 'planned', 'trashed']) {
      expect((await app.inject(`/blogs/${hidden}`)).statusCode).toBe(404);
    }
  });

  it('is there for administrators, who go on where they were', async () => {
    expect(await ask('GET', '/facets')).toMatchObject({ counts: { draft: 1, scheduled: 1, published: 4, trashed: 1 } });
    const { items } = await ask<AdminPostPage>('GET', '?q=renamed');
    const post = await ask<AdminPost>('GET', `/${items[0]?.id}`);
    expect(post.working_copy?.fields.title).toBe('Edits that wait');
    const saved = await ask<AdminPost>('PUT', `/${post.id}`, {
      ...post.working_copy?.fields,
      version: post.version,
      is_published: true,
    });
    expect(saved).toMatchObject({ title: 'Edits that wait', working_copy: null });
    expect((await app.inject('/blogs/renamed')).body).toContain('Edits that wait');
    const { items: trash } = await ask<AdminPostPage>('GET', '?state=trashed');
    await ask('POST', `/${trash[0]?.id}/restore`, { version: trash[0]?.version });
  });

  it('keeps sessions alive, and people unconfirmed who were', async () => {
    const refreshed = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: facts.refreshToken },
    });
    expect(refreshed.json()).toMatchObject({ user: { email: facts.person } });
    // As version 0.1.0 signed it, with the secret alone.
    const { access_token: issued } = refreshed.json<{ access_token: string }>();
    const { sub, session_id: session } = payloadOf(issued);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: 'http://site.test/auth/v1', sub, aud: 'authenticated', exp: now + 3600, iat: now };
    const token = signToken(
      { alg: 'HS256', typ: 'JWT' },
      { ...claims, role: 'authenticated', session_id: session },
      facts.environment.AUTH_JWT_SECRET ?? '',
    );
    for (const url of ['/auth/v1/user', '/api/me']) {
      expect(await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).toMatchObject({
        statusCode: 200,
      });
    }
    const { password } = facts;
    const unconfirmed = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email: 'new@company.test', password },
    });
    expect(unconfirmed.body).toContain('email_not_confirmed');
  });

  it('takes codes that were mailed before, and no more than five wrong ones', async () => {
    const verify = async (email: string, type: string, code: string) =>
      (await app.inject({ method: 'POST', url: '/auth/v1/verify', payload: { type, email, token: code } })).statusCode;
    expect(await verify('new@company.test', 'signup', '000000')).toBe(403);
    expect(await verify('new@company.test', 'signup', CODE)).toBe(200);
    for (let time = 0; time < 5; time += 1) expect(await verify(facts.person, 'recovery', '000000')).toBe(403);
    expect(await verify(facts.person, 'recovery', CODE)).toBe(403);
  });

  it('has its enquiries open or new, with the end that their senders were promised', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const { items } = (await app.inject({ url: '/api/admin/enquiries', headers })).json<EnquiryPage>();
    const read = items.find(({ opened_at: openedAt }) => openedAt !== null)!;
    expect(read).toMatchObject({ state: 'open', version: 1, note: '', assignee_id: null });
    expect(Date.parse(read.redacts_at!)).toBe(Date.parse(read.sent_at!) + 30 * 24 * 3600 * 1000);
    expect(items.find(({ message }) => message.includes('waits for a mail server'))).toMatchObject({ state: 'new' });
  });

  it('has its waiting mail delivered', async () => {
    await until(() => sink.mails.some(({ text }) => text.includes('This one waits for a mail server.')));
  });

  it('has a way on for a post of which most words are read differently now', async () => {
    const folder = join(temporaryFolder(), 'good');
    cpSync('test/fixtures/markdown/good', folder, { recursive: true });
    writeFileSync(
      join(folder, 'sub/second-post.markdown'),
      '---\ntitle: Second\ndate: 2016-01-02\n---\nEverything is new.\n',
    );
    const args = [
      'posts',
      'import',
      folder,
      '--source',
      'samples',
      '--assets',
      'test/fixtures/markdown/assets',
      '--dry-run',
    ];
    const refused = await runCommand(app, args);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("may be the post 'Second' with changes");
    expect(refused.stdout).toContain('(--accept-changes replaces them');
    expect(refused.stdout).toContain('0 created, 0 updated, 2 unchanged, 1 refused');
    const accepted = await runCommand(app, [...args, '--accept-changes']);
    expect(accepted.stdout).toContain('0 created, 1 updated, 2 unchanged, 0 refused');
  });

  it('is known to an import of the same files again', async () => {
    const run = await runCommand(app, [
      'posts',
      'import',
      'test/fixtures/markdown/good',
      '--source',
      'samples',
      '--publish',
    ]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('3 unchanged');
  });

  it('has its imported posts updated, as nobody has edited them', async () => {
    const folder = join(temporaryFolder(), 'good');
    cpSync('test/fixtures/markdown/good', folder, { recursive: true });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:md|markdown)$/.test(name),
    );
    for (const name of names) appendFileSync(join(folder, name), '\n\nOne more sentence.\n');
    const flags = ['--source', 'samples', '--assets', 'test/fixtures/markdown/assets'];
    const run = await runCommand(app, ['posts', 'import', folder, ...flags]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('3 updated');
  });
});
