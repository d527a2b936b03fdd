import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { listKnownMigrations } from '../../src/database/migrate.js';
import { ormOptions } from '../../src/database/orm.config.js';
import { ContentListener } from '../../src/database/content-listener.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { SetupAccessService } from '../../src/setup/setup-access.service.js';
import { SetupStateService } from '../../src/setup/setup-state.service.js';
import { SiteService } from '../../src/site/site.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { Clock } from '../../src/shared/clock.js';
import type { Overview } from '../../src/shared/contracts/overview.js';
import { createAccount, signIn } from '../support/accounts.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import type { Variables } from '../support/environment.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createInstallation, withClient } from '../support/installation.js';
import { createReleasedDatabase } from '../support/last-release.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

const PASSWORD = 'a harbor of quiet lamps';
const COMPANY = { name: 'Harbor & Sons', email: 'desk@harbor.company', phone: '(212) 555-0142' };
/** What pages say of the claims. */
const CLAIMED = /businesses trust us|24\/7|2025-08/;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://site.test' };

let sink: SmtpSink;

beforeAll(async () => {
  sink = await startSmtpSink();
});

/** A server in production that no variable tells where enquiries go. */
async function startNew(more: Variables = {}): Promise<TestApp> {
  return await createTestApp({ NODE_ENV: 'production', SMTP_URL: sink.url, SITE_EMAIL: '', ...more });
}

/** The migration that brought the setup. */
const FIRST_WITH_SETUP = 'Migration20261123203133';

/** A browser without scripts. */
class Visitor {
  cookie = '';

  constructor(
    private app: TestApp,
    private readonly headers: Record<string, string> = {},
  ) {}

  async get(url: string) {
    return await this.app.inject({ url, headers: { ...this.headers, cookie: this.cookie } });
  }

  async post(step: string, fields: Record<string, string> = {}) {
    const headers = { ...FORM, ...this.headers, cookie: this.cookie };
    const payload = new URLSearchParams(fields).toString();
    const answer = await this.app.inject({ method: 'POST', url: `/setup${step}`, headers, payload });
    const [pair] = [answer.headers['set-cookie']].flat().join().split(';');
    if (pair) this.cookie = pair;
    return answer;
  }

  moveTo(app: TestApp): void {
    this.app = app;
  }
}

const issue = (app: TestApp) => app.get(SetupAccessService).issue({ isOnly: false });

async function enter(app: TestApp, token?: string | null): Promise<Visitor> {
  const visitor = new Visitor(app);
  const answer = await visitor.post('', { token: token ?? (await issue(app)) ?? '' });
  expect(answer.statusCode).toBe(303);
  return visitor;
}

describe('a new site in production', () => {
  it('serves nothing but the setup and its health, and lets nothing be kept', async () => {
    const app = await startNew();
    const url = await app.listen();
    const closed = ['/', '/blogs', '/admin', '/auth', '/sitemap.xml', '/nothing', '/setup/x', '/api', '/dev/mail'];
    for (const path of closed) {
      const answer = await fetch(`${url}${path}`);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 503, 'no-store']);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const page = await answer.text();
      expect(page).toContain('This site is being set up');
      expect(page).not.toMatch(/Your IT Team|example\.com/);
    }
    for (const path of ['/api/posts', '/auth/v1/health', '/api/me']) {
      expect([path, (await app.inject(path)).json()]).toMatchObject([path, { code: 'not_set_up' }]);
    }
    const enquiry = {
      method: 'POST',
      url: '/api/contact',
      payload: { name: 'A', email: 'a@b.co', message: 'Hi' },
    } as const;
    expect((await app.inject(enquiry)).statusCode).toBe(503);
    for (const path of ['/api/health', '/api/health/live', '/api/health/ready']) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
    }
    const page = await fetch(`${url}/setup/`);
    expect(page.url).toBe(`${url}/setup`);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(`${url}${style}`)).status).toBe(200);
  });

  it('knows the browser that sets it up, on https, by a cookie that browsers take over https alone', async () => {
    const app = await startNew({ PUBLIC_URL: 'https://site.test' });
    const visitor = new Visitor(app, { origin: 'https://site.test' });
    const entered = await visitor.post('', { token: (await issue(app)) ?? '' });
    const secure = /^__Secure-site_setup=[^;]+; Path=\/setup; .*HttpOnly; SameSite=Strict; Secure$/;
    expect(entered.headers['set-cookie']).toMatch(secure);
    const account = { email: 'ada@harbor.company', password: PASSWORD };
    expect((await visitor.post('/account', account)).headers.location).toBe('/setup?step=company');
    visitor.cookie = visitor.cookie.replace('__Secure-', '');
    expect((await visitor.post('/account', account)).statusCode).toBe(403);
  });

  it('says where to go on to a browser that keeps no cookie, as over http where the site is on https', async () => {
    const app = await startNew({ PUBLIC_URL: 'https://site.test' });
    const visitor = new Visitor(app, { origin: 'http://10.0.0.8:3000', host: '10.0.0.8:3000' });
    const lost = 'Open https://site.test/setup and enter the token there, in a browser that takes cookies.';
    expect((await visitor.get('/setup')).body).not.toContain(lost);
    const entered = await visitor.post('', { token: (await issue(app)) ?? '' });
    expect(entered).toMatchObject({ statusCode: 303, headers: { location: '/setup?entered' } });
    const { cookie } = visitor;
    visitor.cookie = '';
    const asked = await visitor.get('/setup?entered');
    expect([asked.statusCode, asked.body]).toEqual([200, expect.stringContaining(lost)]);
    expect(asked.body).toContain('name="token"');
    visitor.cookie = cookie;
    expect((await visitor.get('/setup?entered')).body).toContain('Your account');
  });

  it('is set up by whoever holds the token, and is a site from then on, in every process', async () => {
    const DATABASE_URL = await cloneDatabase();
    const [app, other] = [await startNew({ DATABASE_URL }), await startNew({ DATABASE_URL })];
    // Pages that were made before are of nobody's company.
    const url = await other.listen();
    await fetch(`${url}/api/health/ready`);
    const visitor = new Visitor(app);
    const token = await issue(app);
    expect((await visitor.post('', { token: 'ABCDE-FGHJK' })).statusCode).toBe(403);
    const elsewhere = new Visitor(app, { origin: 'https://evil.company' });
    expect((await elsewhere.post('', { token: token ?? '' })).statusCode).toBe(403);
    expect(elsewhere.cookie).toBe('');
    const entered = await visitor.post('', { token: ` ${token?.toLowerCase().replaceAll('-', ' ')}` });
    expect(entered).toMatchObject({ statusCode: 303, headers: { location: '/setup?entered' } });
    expect(entered.headers['set-cookie']).toMatch(/; Path=\/setup; .*HttpOnly; SameSite=Strict$/);

    const weak = await visitor.post('/account', { email: 'ada@harbor.company"><b>', password: 'password' });
    expect(weak.statusCode).toBe(422);
    expect(weak.body).toContain('value="ada@harbor.company&#34;&#62;&#60;b&#62;"');
    expect((await visitor.post('/account', { email: 'ada@harbor.company', password: 'password1' })).body).toMatch(
      /field-error" id="password-problem">Password is known to be weak/,
    );
    const twice = { email: 'ada@harbor.company', password: PASSWORD, again: `${PASSWORD}s` };
    expect((await visitor.post('/account', twice)).body).toContain('another one than above');
    // A typing mistake, mended in the next try: the account of the first one goes.
    await visitor.post('/account', { email: 'adda@harbor.company', password: PASSWORD });
    const account = await visitor.post('/account', { email: 'Ada@harbor.company', password: PASSWORD });
    expect(account).toMatchObject({ statusCode: 303, headers: { location: '/setup?step=company' } });
    expect((await visitor.post('/finish')).headers.location).toBe('/setup');

    const example = await visitor.post('/company', { ...COMPANY, email: 'hello@example.com', phone: '(555) 010-0100' });
    expect(example.statusCode).toBe(422);
    expect(example.body.match(/This is an example/g)).toHaveLength(2);
    const refusedByMany = await visitor.post('/company', { ...COMPANY, email: 'jörg@harbor.company' });
    expect([refusedByMany.statusCode, refusedByMany.body]).toEqual([
      422,
      expect.stringContaining('Email can have letters such as ö after the @ only'),
    ]);
    expect((await visitor.post('/company', { ...COMPANY, name: ' ' })).body).toContain('Name is required.');
    const short = await visitor.post('/company', { ...COMPANY, phone: '12' });
    expect([short.statusCode, short.body]).toEqual([
      422,
      expect.stringMatching(/id="phone-problem">Phone must have at/),
    ]);
    expect(short.body).toContain('value="12"');
    expect((await visitor.post('/company', COMPANY)).statusCode).toBe(303);
    // Also after the company is known: nobody is an administrator yet.
    expect((await other.inject('/')).statusCode).toBe(503);

    sink.behave('refuse');
    await visitor.post('/mail', { to: 'ada@harbor.company' });
    expect((await visitor.get('/setup')).body).toMatch(/takes no mail to ada@harbor.company \(it answered 550\)/);
    sink.behave('accept');
    visitor.moveTo(other);
    expect((await visitor.post('/mail', { to: 'ada@harbor.company' })).statusCode).toBe(303);
    const mail = await sink.mailTo('ada@harbor.company');
    expect([mail.from, mail.subject]).toEqual([COMPANY.email, 'A test from Harbor & Sons']);
    expect((await visitor.get('/setup')).body).toContain('The mail server took a mail to ada@harbor.company');

    const late = new Visitor(app);
    late.cookie = visitor.cookie;
    const ends = await Promise.all([visitor.post('/finish'), late.post('/finish')]);
    const [done] = ends.filter(({ statusCode }) => statusCode === 303);
    expect(ends.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409]);
    const { pathname, search } = new URL(String(done?.headers.location));
    // Codes of links are known where their key is: each of these servers has made its own.
    const winner = ends[0].statusCode === 303 ? other : app;
    const signedIn = await winner.inject(`${pathname}${search}`);
    const target = new URL(String(signedIn.headers.location));
    expect(`${target.origin}${target.pathname}`).toBe('http://site.test/admin');
    const authorization = `Bearer ${new URLSearchParams(target.hash.slice(1)).get('access_token')}`;
    expect((await winner.inject({ url: '/api/me', headers: { authorization } })).json()).toMatchObject({
      email: 'ada@harbor.company',
      role: 'admin',
    });

    for (const one of [app, other]) expect((await one.inject('/')).body).toContain('Harbor &amp; Sons');
    const home = await (await fetch(url)).text();
    expect(home).toContain('(212) 555-0142');
    expect(home).not.toContain('hello@example.com');
    // Nobody has claimed anything yet.
    expect(home).not.toMatch(CLAIMED);
    expect((await new Visitor(app).get('/setup')).statusCode).toBe(404);
    expect((await late.post('/account', { email: 'eve@evil.company', password: PASSWORD })).statusCode).toBe(409);
    expect((await late.post('', { token: token ?? '' })).statusCode).toBe(409);
    // Of the test mail nothing stays, which nobody would look for here who erases a person.
    const [left] = await withClient(DATABASE_URL, (client) =>
      client.query<{ text: string }>('select s::text as text from site_setup s').then(({ rows }) => rows),
    );
    expect(left?.text).not.toContain('ada@harbor.company');
    const people = await app.get(RolesService).listAdmins(OPERATOR);
    expect(people.map(({ email }) => email)).toEqual(['ada@harbor.company']);
    expect(await runCommand(app, ['setup'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/set up already/),
    });
  });

  itSlow('lets one browser at a time go on, which is told when another one has a token', async () => {
    const app = await startNew();
    const token = await issue(app);
    const first = await enter(app, token);
    await first.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    const second = await enter(app);
    // What was done so far is kept.
    expect((await second.get('/setup')).body).toContain('step 2 of 3');
    for (const answer of [await first.get('/setup'), await first.post('/company', COMPANY)]) {
      expect(answer.body).toContain('Somebody else has gone on with the setup');
    }
    // After a restart, too.
    await app.close();
    const again = await startNew({ DATABASE_URL: app.environment.DATABASE_URL ?? '' });
    second.moveTo(again);
    expect((await second.get('/setup')).body).toContain('step 2 of 3');
    const { stdout } = await runCommand(again, ['setup']);
    expect((await second.get('/setup')).body).toContain('Enter the token to go on');
    expect((await new Visitor(again).post('', { token: token ?? '' })).statusCode).toBe(403);
    const third = await enter(again, /^ {4}(\S+)$/m.exec(stdout)?.[1]);
    expect((await third.get('/setup')).body).toContain('step 2 of 3');
    // A day later neither token nor browser may go on.
    again.get(Clock).now = () => new Date(Date.now() + 24 * 3_600_000 + 60_000);
    expect((await third.get('/setup')).body).toContain('Enter the token to go on');
    const old = await new Visitor(again).post('', { token: /^ {4}(\S+)$/m.exec(stdout)?.[1] ?? '' });
    expect(old.body).toContain('That token is too old');
  });

  itSlow('hashes no password for a browser that may not go on', async () => {
    const app = await startNew();
    const hash = jest.spyOn(app.get(PasswordsService), 'hash');
    const stranger = await new Visitor(app).post('/account', { email: 'eve@evil.company', password: PASSWORD });
    expect([stranger.statusCode, stranger.body]).toEqual([403, expect.stringContaining('Enter the token')]);
    expect(hash).not.toHaveBeenCalled();
    await (await enter(app)).post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    expect(hash).toHaveBeenCalledTimes(1);
  });

  itSlow('sends test mails to one address, and no more than ten at once', async () => {
    const app = await startNew();
    const visitor = await enter(app);
    await visitor.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    await visitor.post('/company', COMPANY);
    expect((await visitor.get('/setup')).body).toContain(`Mails leave through ${new URL(sink.url).host} (SMTP_URL)`);
    for (const to of [
      'ada',
      'ada@',
      '@harbor.company',
      'ada@harbor.company, eve@evil.company',
      'ada@harbor@evil.company',
    ]) {
      const refused = await visitor.post('/mail', { to });
      expect([to, refused.statusCode]).toEqual([to, 422]);
    }
    for (let count = 0; count < 10; count += 1) {
      expect((await visitor.post('/mail', { to: `tester-${count}@harbor.company` })).statusCode).toBe(303);
    }
    const late = await visitor.post('/mail', { to: 'late@harbor.company' });
    expect([late.statusCode, late.body]).toEqual([422, expect.stringContaining('That was a lot of mails')]);
  });

  it('slows down who guesses', async () => {
    const app = await startNew();
    const token = await issue(app);
    const visitor = new Visitor(app);
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await visitor.post('', { token: `AAAAA-${guess}` })).statusCode).toBe(403);
    }
    const limited = await visitor.post('', { token: token ?? '' });
    expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(visitor.cookie).toBe('');
  });

  itSlow(
    'is over as soon as somebody else sets the site up, and is none where a locked variable says the facts',
    async () => {
      const app = await startNew({ SITE_NAME: 'Locked Ltd', SITE_LOCKED: 'SITE_NAME' });
      const visitor = await enter(app);
      await visitor.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
      expect((await visitor.get('/setup')).body).toMatch(/value="Locked Ltd"[^>]* readonly/);
      expect((await visitor.post('/company', { ...COMPANY, name: 'Else' })).statusCode).toBe(303);
      await runCommand(app, ['roles', 'grant', 'ada@harbor.company']);
      // As after a restored backup: the next request sees it.
      expect((await app.inject('/')).body).toContain('Locked Ltd');
      expect((await visitor.post('/mail', { to: 'ada@harbor.company' })).statusCode).toBe(409);

      const said = await createTestApp({ NODE_ENV: 'production', SMTP_URL: sink.url });
      expect(said.get(SetupStateService).phase).toBe('running');
      expect((await said.inject('/')).statusCode).toBe(200);
      // Also with a token from a start without the variable.
      const before = await startNew();
      const token = await issue(before);
      const after = await createTestApp({
        ...{ NODE_ENV: 'production', SMTP_URL: sink.url },
        DATABASE_URL: before.environment.DATABASE_URL ?? '',
      });
      expect((await new Visitor(after).post('', { token: token ?? '' })).statusCode).toBe(409);
      expect(await issue(after)).toBeNull();
    },
  );

  it('signs the administrator in at the end, also where nobody signs in with an address', async () => {
    const app = await startNew({ AUTH_EMAIL_ENABLED: 'false' });
    const visitor = await enter(app);
    await visitor.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    await visitor.post('/company', COMPANY);
    const { pathname, search } = new URL(String((await visitor.post('/finish')).headers.location));
    const target = new URL(String((await app.inject(`${pathname}${search}`)).headers.location));
    const authorization = `Bearer ${new URLSearchParams(target.hash.slice(1)).get('access_token')}`;
    expect((await app.inject({ url: '/api/me', headers: { authorization } })).json()).toMatchObject({ role: 'admin' });
  });

  itSlow('goes on after an upgrade: of the last release, which had none, and half way', async () => {
    const DATABASE_URL = await createReleasedDatabase();
    await withClient(DATABASE_URL, (client) => client.query('delete from user_roles; delete from blog_posts'));
    const site = await createInstallation({ DATABASE_URL });
    expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0 });
    const app = await startNew({ DATABASE_URL });
    expect((await app.inject('/')).statusCode).toBe(503);
    const visitor = await enter(app);
    await visitor.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    await app.close();
    expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0 });
    const next = await startNew({ DATABASE_URL });
    visitor.moveTo(next);
    expect((await visitor.get('/setup')).body).toContain('step 2 of 3');
    expect((await visitor.post('/company', COMPANY)).statusCode).toBe(303);
    expect((await visitor.post('/finish')).statusCode).toBe(303);
    expect((await next.inject('/')).body).toContain('Harbor &amp; Sons');
  });

  itSlow(
    'loses nothing to an upgrade that finds it open or half done: token, browser, account, facts and mail test are there',
    async () => {
      // As the first release with a setup had the schema.
      const later = (await listKnownMigrations()).filter((name) => name > FIRST_WITH_SETUP);
      const made = async (url: string) =>
        await withClient(url, async (client) => {
          const tables = ['site_setup', 'auth.users', 'auth.identities', 'settings_documents', 'settings_versions'];
          const rows: Record<string, unknown> = {};
          for (const table of tables) rows[table] = (await client.query(`select * from ${table}`)).rows;
          return rows;
        });
      for (const done of ['open', 'account', 'company', 'mail'] as const) {
        const before = await startNew();
        const DATABASE_URL = before.environment.DATABASE_URL ?? '';
        const token = await issue(before);
        const visitor = new Visitor(before);
        if (done !== 'open') {
          await visitor.post('', { token: token ?? '' });
          await visitor.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
        }
        if (done === 'company' || done === 'mail') await visitor.post('/company', COMPANY);
        if (done === 'mail') await visitor.post('/mail', { to: 'ada@harbor.company' });
        await before.close();
        const orm = await MikroORM.init(ormOptions(DATABASE_URL));
        for (const name of later.toReversed()) await orm.migrator.down({ migrations: [name] });
        await orm.close();
        const kept = await made(DATABASE_URL);
        const { stdout } = await runCli(['db', 'migrate'], before.environment);
        expect(stdout).toBe(later.map((name) => `ran ${name}\n`).join(''));
        // Columns that came since may be there as well.
        expect(await made(DATABASE_URL)).toMatchObject(kept);

        const after = await startNew({ DATABASE_URL });
        expect([done, (await after.inject('/')).statusCode]).toEqual([done, 503]);
        visitor.moveTo(after);
        if (done === 'open') expect((await visitor.post('', { token: token ?? '' })).statusCode).toBe(303);
        const page = (await visitor.get('/setup')).body;
        const step = { open: 'step 1 of 3', account: 'step 2 of 3', company: 'step 3 of 3', mail: 'step 3 of 3' }[done];
        expect([done, page]).toEqual([done, expect.stringContaining(step)]);
        if (done === 'mail') expect(page).toContain('The mail server took a mail to ada@harbor.company');
        if (done === 'open') await visitor.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
        if (done === 'open' || done === 'account') await visitor.post('/company', COMPANY);
        expect((await visitor.post('/finish')).statusCode).toBe(303);
        expect((await after.inject('/')).body).toContain('Harbor &amp; Sons');
        // The password of before the upgrade, also without the link that ends the setup.
        const payload = { email: 'ada@harbor.company', password: PASSWORD };
        const signedIn = await after.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload });
        expect([done, signedIn.statusCode]).toEqual([done, 200]);
      }
    },
  );

  it('shows nobody the facts of before once it is over, also where the news of the new ones has not come yet', async () => {
    const app = await startNew();
    await (await enter(app)).post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    // What is read once this process hears of changes is behind it.
    await until(() => app.get(ContentListener).heardAt > 0);
    await app.get(SiteService).refresh();
    // As another process does it, or a restore, before anybody hears of it.
    await withClient(app.environment.DATABASE_URL ?? '', async (client) => {
      await client.query(
        `insert into settings_documents (name, revision, content, version, changed_at, changed_by_kind)
         values ('company', 1, $1, 1, now(), 'operator')`,
        [COMPANY],
      );
      await client.query('update site_setup set finished_at = now()');
    });
    const { statusCode, body } = await app.inject('/');
    expect([statusCode, body]).toEqual([200, expect.stringContaining('Harbor &amp; Sons')]);
    expect(body).not.toContain('hello@example.com');
  });

  itSlow('gives way to a site that is restored from a backup meanwhile', async () => {
    const made = await startNew();
    const maker = await enter(made);
    await maker.post('/account', { email: 'ada@harbor.company', password: PASSWORD });
    await maker.post('/company', COMPANY);
    expect((await maker.post('/finish')).statusCode).toBe(303);
    const file = join(temporaryFolder(), 'site.tar');
    expect(await runCli(['backup', 'create', file], made.environment)).toMatchObject({ code: 0 });

    const app = await startNew();
    const visitor = await enter(app);
    await visitor.post('/account', { email: 'eve@evil.company', password: PASSWORD });
    const restored = await runCli(['backup', 'restore', file, '--yes', '--no-safety-backup'], app.environment);
    expect(restored).toMatchObject({ code: 0 });
    expect((await app.inject('/')).body).toContain('Harbor &amp; Sons');
    expect((await visitor.post('/company', { ...COMPANY, name: 'Evil' })).statusCode).toBe(409);
    expect((await visitor.post('/finish')).statusCode).toBe(409);
    const people = await app.get(RolesService).listAdmins(OPERATOR);
    expect(people.map(({ email }) => email)).toEqual(['ada@harbor.company']);
  });

  it('has claims to decide about where it was made with commands, which take none back', async () => {
    const app = await startNew();
    const set = async (name: string, value: string) => {
      expect(await runCommand(app, ['settings', 'set', name, value])).toMatchObject({ code: 0 });
    };
    await set('email', COMPANY.email);
    await set('open_friday', '08:00-12:00');
    await set('help_desk_url', 'https://desk.harbor.company');
    const user = await createAccount(app, { email: 'ada@harbor.company' });
    await app.get(RolesService).grantAdmin(OPERATOR, user.id);
    const headers = { authorization: `Bearer ${(await signIn(app, user)).accessToken}` };
    const areFactsDone = async () => {
      const { start } = (await app.inject({ url: '/api/admin/overview', headers })).json<Overview>();
      return start?.find(({ name }) => name === 'facts')?.is_done;
    };
    expect((await app.inject('/')).body).toMatch(CLAIMED);
    expect(await areFactsDone()).toBe(false);
    for (const claim of ['claim_founded', 'claim_clients', 'claim_around_the_clock']) await set(claim, 'no');
    expect((await app.inject('/')).body).not.toMatch(CLAIMED);
    expect(await areFactsDone()).toBe(true);
  });

  it('shows visitors nothing and sends nothing while it is in use and nobody says where enquiries go', async () => {
    const app = await startNew();
    await runCommand(app, ['users', 'create', 'ada@harbor.company', '--admin'], `${PASSWORD}\n`);
    const { statusCode, body } = await app.inject('/');
    expect(statusCode).toBe(503);
    expect(body).not.toContain('/setup');
    expect((await app.inject('/setup')).statusCode).toBe(503);
    expect(await runCommand(app, ['mail', 'test', 'ada@harbor.company'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nobody has said whom mails are from'),
    });
    expect(await runCommand(app, ['setup'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/SITE_EMAIL[^]*settings set email/),
    });
    await runCommand(app, ['settings', 'set', 'email', COMPANY.email]);
    expect((await app.inject('/')).body).toContain(COMPANY.email);
  });
});
