import { beforeAll, describe, expect, it } from '@jest/globals';
import { CompanyService } from '../../src/settings/company.service.js';
import { SettingsStoreService } from '../../src/settings/settings-store.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { EntityManager } from '@mikro-orm/postgresql';
import { OPERATOR } from '../../src/shared/actor.js';
import { companyFactNames, companyFacts, factSpec } from '../../src/shared/contracts/company-facts.js';
import type { RestoredSettings, SettingsVersions, SettingsView } from '../../src/shared/contracts/settings.js';
import { paths } from '../../src/shared/paths.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { textVectors } from '../support/attack-vectors.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { HtmlPage } from '../support/html.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly fields?: Record<string, string[]>;
  readonly current?: SettingsView;
  readonly names?: string[];
}

let app: TestApp;
let neighbor: TestApp;
let ada: Awaited<ReturnType<typeof createAdmin>>;
let ben: typeof ada;
const api = adminPaths;

async function createAdmin(email: string) {
  const account = await createAccount(app, { email });
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  const { accessToken, sessionId } = await signIn(app, account);
  return { id: account.id, email, sessionId, headers: { authorization: `Bearer ${accessToken}` } };
}

/** Calls the API; a refusal is an answer, too. */
async function call<T = SettingsView & Refusal>(
  who: typeof ada,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  own = app,
) {
  const answer = await own.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json<T>(), cookie: String(answer.headers['set-cookie'] ?? '') };
}

const find = async (who = ada) => (await call(who, 'GET', api.settings('company'))).body;
const save = (who: typeof ada, revision: number, values: object, seen?: object) =>
  call(who, 'PUT', api.settingsDraft('company'), { revision, values, ...(seen ? { seen } : {}) });
const publish = (who: typeof ada, revision: number, own = app) =>
  call(who, 'POST', api.settingsPublication('company'), { revision }, own);
const read = async (path: string, own = app, headers = {}) => (await own.inject({ url: path, headers })).body;
const publishNow = async (values: object) => {
  const { revision } = (await save(ada, (await find()).revision, values)).body;
  return (await publish(ada, revision)).body;
};

beforeAll(async () => {
  app = await createTestApp({
    SITE_EMAIL: 'locked@it.company',
    SITE_LOCKED: 'SITE_EMAIL',
    CONTACT_TO: 'desk@it.company',
  });
  neighbor = await createTestApp({ ...app.environment });
  ada = await createAdmin('ada@it.company');
  ben = await createAdmin('ben@it.company');
});

describe('the facts of the company, edited in the browser', () => {
  it('wait as a draft that nobody sees, and are on page, JSON-LD and feed of two processes when they are published', async () => {
    const all = [paths.home, paths.contact, paths.rss];
    const pagesOf = async (own: TestApp) => Promise.all(all.map((path) => read(path, own)));
    const before = [await pagesOf(app), await pagesOf(neighbor)];
    const first = await find();
    expect(first).toMatchObject({ revision: 0, version: 0, draft: null, changed_by: null });
    expect(first.sources).toMatchObject({ email: 'locked', phone: 'fallback' });
    expect(Object.keys(first.values)).toEqual(companyFactNames);

    const wanted = { phone: ' (555) 010-0321 ', open_monday: '9:00-17:30', name: 'Vale & Co' };
    const saved = await save(ada, 0, wanted);
    const draft = { phone: '(555) 010-0321', open_monday: '09:00-17:30', name: 'Vale & Co' };
    expect(saved).toMatchObject({ status: 200, body: { revision: 1, version: 0, draft, changed_by: ada.email } });
    expect([await pagesOf(app), await pagesOf(neighbor)]).toEqual(before);

    // With the preview as without it, everybody else gets the pages as they are published.
    const { cookie, body } = await call(ada, 'POST', api.settingsPreview('company'));
    expect(cookie).toMatch(/^site_preview=[^;]+; Path=\/admin\/preview; Max-Age=3600; HttpOnly; SameSite=Strict$/);
    const { path } = body as unknown as { path: string };
    const seer = { cookie: cookie.split(';')[0] };
    const preview = await neighbor.inject({ url: path, headers: seer });
    expect(preview.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    expect(preview.headers['x-cache']).toBeUndefined();
    expect(preview.body).toContain('href="tel:+15550100321"');
    expect(preview.body).toContain('not published yet');
    expect(preview.body).toMatch(/"opens":"09:00","closes":"17:30"/);
    expect(await read(`${path}contact`, app, seer)).toContain('(555) 010-0321');
    expect((await app.inject({ url: `${path}no-such-page`, headers: seer })).statusCode).toBe(404);
    expect((await app.inject({ url: `${path}search?q=x`, headers: seer })).headers.location).toBe('/search');
    expect((await app.inject({ url: '/admin/preview/none/', headers: seer })).statusCode).toBe(404);
    expect([await pagesOf(app), await pagesOf(neighbor)]).toEqual(before);
    for (const headers of [{}, ada.headers, { cookie: 'site_preview=a.b.c' }, { cookie: `${seer.cookie}x` }]) {
      const refused = await app.inject({ url: path, headers });
      expect([refused.statusCode, refused.headers['cache-control']]).toEqual([403, expect.stringMatching('no-store')]);
      expect(refused.body).not.toContain('0321');
    }

    const { body: published, status } = await publish(ada, 1);
    expect([status, published]).toMatchObject([200, { revision: 2, version: 1, draft: null, values: draft }]);
    for (const own of [app, neighbor]) {
      await until(async () => (await pagesOf(own)).every((text) => /Vale (?:&amp;|&#38;|&) Co/.test(text)));
      const [home = '', contact = ''] = await pagesOf(own);
      expect(contact).toContain('Monday, 9 AM to 5:30 PM');
      expect(home).toContain('"telephone":"(555) 010-0321"');
      expect(home).not.toContain('not published yet');
      expect(await read(paths.home, own, seer)).toBe(home);
    }
    const { items } = (await call<{ items: object[] }>(ada, 'GET', adminPaths.audit)).body;
    expect(items[0]).toMatchObject({
      actor: ada.email,
      action: 'settings.published',
      subject: 'the company',
      details: { changed: 'name, phone, open_monday' },
    });
  });

  it('are seen before, on https, by a cookie that browsers take over https alone', async () => {
    const AUTH_EXTERNAL_URL = app.config.auth.externalUrl;
    const own = await createTestApp({ ...app.environment, PUBLIC_URL: 'https://site.test', AUTH_EXTERNAL_URL });
    const { cookie } = await call(ada, 'POST', api.settingsPreview('company'), undefined, own);
    expect(cookie).toMatch(
      /^__Secure-site_preview=[^;]+; Path=\/admin\/preview; Max-Age=3600; HttpOnly; SameSite=Strict; Secure$/,
    );
    const status = async (pair: string | undefined) =>
      (await own.inject({ url: '/admin/preview/company/pricing', headers: { cookie: `other=1; ${pair}` } })).statusCode;
    const [pair] = cookie.split(';');
    expect([await status(pair), await status(pair?.replace('__Secure-', ''))]).toEqual([200, 403]);
  });

  it('are seen before by administrators alone, as long as they are signed in as such', async () => {
    const guest = await createAdmin('guest@it.company');
    const { cookie } = await call(guest, 'POST', api.settingsPreview('company'));
    const headers = { cookie: cookie.split(';')[0] };
    const status = async () => (await app.inject({ url: '/admin/preview/company/pricing', headers })).statusCode;
    expect(await status()).toBe(200);
    const em = app.get(EntityManager).fork();
    await em.transactional((inside) => app.get(RolesService).revoke(inside, OPERATOR, guest.id, { isForced: true }));
    expect(await status()).toBe(403);
    await app.get(RolesService).grantAdmin(OPERATOR, guest.id);
    expect(await status()).toBe(200);
    await em.nativeDelete(Session, { id: guest.sessionId });
    expect(await status()).toBe(403);
    expect((await call(ada, 'POST', api.settingsPreview('none'))).status).toBe(404);
  });

  it('of two people who write at once lose nothing: names apart are merged, the same name is told', async () => {
    const { revision, values } = await find();
    const { phone, hours, area_onsite: area } = values;
    const seen = { phone, hours };
    expect((await save(ada, revision, { phone: '(555) 010-0001' })).status).toBe(200);
    const merged = await save(ben, revision, { hours: 'At night' }, seen);
    const both = { phone: '(555) 010-0001', hours: 'At night' };
    expect(merged).toMatchObject({ status: 200, body: { revision: revision + 2, draft: both } });
    const late = await save(
      ben,
      revision,
      { phone: '(555) 010-0002', area_onsite: 'Bay' },
      { phone, area_onsite: area },
    );
    expect(late).toMatchObject({ status: 409, body: { code: 'settings_changed', names: ['phone'] } });
    expect(late.body.current).toMatchObject({ draft: both, changed_by: ben.email });
    // Whoever typed before the screen was loaded anew did not see what it says now.
    const loaded = await save(ben, revision + 2, { phone: '(555) 010-0002' }, { phone });
    expect(loaded).toMatchObject({ status: 409, body: { names: ['phone'], current: { draft: both } } });
    // An answer that got lost is asked for again, and says the same.
    expect((await save(ada, revision, { phone: '(555) 010-0001' })).body.revision).toBe(revision + 2);
    for (const refused of [
      await publish(ada, revision + 1),
      await call(ada, 'DELETE', `${api.settingsDraft('company')}?revision=${revision + 1}`),
    ]) {
      expect(refused).toMatchObject({ status: 409, body: { current: { draft: both }, names: [] } });
    }
    // What is as it was published waits no longer.
    const back = await save(ben, revision + 2, seen);
    expect(back.body).toMatchObject({ draft: null, revision: revision + 3 });
    await save(ada, revision + 3, both);
    const gone = await call(ada, 'DELETE', `${api.settingsDraft('company')}?revision=${revision + 4}`);
    expect(gone.body).toMatchObject({ draft: null, values });
    const { items } = (await call<{ items: object[] }>(ada, 'GET', adminPaths.audit)).body;
    expect(items[0]).toMatchObject({ action: 'settings.draft_discarded', details: { changed: 'phone, hours' } });
  });

  it('come back from a version as a draft, which says who published what, and when', async () => {
    const older = await publishNow({ phone: '(555) 010-0777', contact_person: 'Ada' });
    await publishNow({ phone: '(555) 010-0888', contact_person: '' });
    const list = (await call<SettingsVersions>(ben, 'GET', api.settingsVersions('company'))).body;
    expect(list.items[0]).toMatchObject({
      version: older.version + 1,
      published_by: ada.email,
      published_by_kind: 'user',
    });
    expect(list.items[0]?.changed.sort()).toEqual(['contact_person', 'phone']);
    expect(list.items.at(-1)).toMatchObject({ version: 1 });
    expect(list.next_before).toBeNull();
    const part = await call<SettingsVersions>(ben, 'GET', `${api.settingsVersions('company')}?before=2`);
    expect(part.body.items.map(({ version }) => version)).toEqual([1]);

    const { revision } = await find();
    const restore = (version: number, from: number) =>
      call<RestoredSettings & Refusal>(ben, 'POST', api.settingsRestore('company', version), { revision: from });
    expect((await restore(older.version, revision - 1)).status).toBe(409);
    expect(await restore(999, revision)).toMatchObject({ status: 404, body: { code: 'settings_version_not_found' } });
    expect((await restore(older.version, revision)).body).toMatchObject({
      draft: { phone: '(555) 010-0777', contact_person: 'Ada' },
      left_aside: [],
    });
    expect(await read(paths.contact)).toContain('(555) 010-0888');
    // Before anybody said anything, it was as it is without a setting.
    await restore(1, revision + 1);
    expect((await publish(ben, revision + 2)).body.values).toMatchObject({
      phone: '(555) 010-0321',
      contact_person: null,
    });
  });

  it('come back without what a rule of today refuses, which is named', async () => {
    const { content } = await app.get(SettingsStoreService).read('company');
    const store = (values: object) =>
      app
        .get(SettingsStoreService)
        .change(OPERATOR, 'company', async () => ({ content: values as never, draft: null }));
    const { version, revision } = await store({ ...content, phone: '12', contact_person: 'Grace' });
    await store(content);
    const url = api.settingsRestore('company', version);
    const { body } = await call<RestoredSettings>(ada, 'POST', url, { revision: revision + 1 });
    expect(body).toMatchObject({ draft: { contact_person: 'Grace' }, left_aside: ['phone'] });
    expect(body.draft).not.toHaveProperty('phone');
    await call(ada, 'DELETE', `${api.settingsDraft('company')}?revision=${revision + 2}`);
  });

  it('are for administrators also where a program asks the service, and have a list of versions that ends', async () => {
    const nobody = await createAccount(app, { email: 'nobody@it.company' });
    const actor = { kind: 'user', userId: nobody.id } as const;
    const company = app.get(CompanyService);
    await expect(company.list(actor)).rejects.toMatchObject({ response: { code: 'not_admin' } });
    await expect(company.publish(actor, { phone: '(555) 010-0999' })).rejects.toMatchObject({
      response: { code: 'not_admin' },
    });
    const { version } = await find();
    for (let count = version; count < 20; count += 1)
      await company.publish(OPERATOR, { contact_person: `No. ${count}` });
    const parts = async (search: string) =>
      (await call<SettingsVersions>(ada, 'GET', api.settingsVersions('company') + search)).body;
    expect(await parts('?before=21')).toMatchObject({ next_before: null, items: { length: 20 } });
    await company.publish(OPERATOR, { contact_person: null });
    expect(await parts('')).toMatchObject({ next_before: 2, items: { length: 20 } });
  });

  it('of pages are published as a whole that fits together, or not at all', async () => {
    const { revision, values } = (await call(ada, 'GET', api.settings('pages'))).body;
    const [plan] = values['pricing.plans'] as readonly object[];
    const draft = { revision, values: { 'pricing.plans': [plan] } };
    const saved = await call(ada, 'PUT', api.settingsDraft('pages'), draft);
    const refused = await call(ada, 'POST', api.settingsPublication('pages'), { revision: saved.body.revision });
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_settings' } });
    expect(refused.body.fields).toHaveProperty(['notSure.doubts']);
    expect((await call(ada, 'GET', api.settings('pages'))).body.values['pricing.plans']).toHaveLength(2);
    await call(ada, 'DELETE', `${api.settingsDraft('pages')}?revision=${saved.body.revision}`);
  });

  it('are refused by name where they are locked, unknown or wrong, and nothing of them is kept', async () => {
    const before = await find();
    const refused = await save(ada, before.revision, {
      email: 'me@it.company',
      phnoe: '1',
      help_desk_url: 'javascript:alert(1)',
      name: '',
      claim_clients: 'perhaps',
      open_sunday: { toString: 'x' },
      hours: 'In spring',
    });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_settings']);
    expect(Object.keys(refused.body.fields ?? {}).sort()).toEqual(
      ['claim_clients', 'email', 'help_desk_url', 'name', 'open_sunday', 'phnoe'].sort(),
    );
    expect(refused.body.fields?.['email']?.[0]).toMatch('SITE_EMAIL');
    const variable = await save(ada, before.revision, { SITE_PHONE: '1' });
    expect(variable.body.fields?.['SITE_PHONE']?.[0]).toContain('did you mean phone?');
    expect(await find()).toEqual(before);
    // Programs send null for what they do not have.
    const same = { revision: before.revision, values: { accent: before.values['accent'] }, seen: null };
    expect((await call(ada, 'PUT', api.settingsDraft('company'), same)).status).toBe(200);
    for (const body of [{}, { revision: 0 }, { revision: -1, values: {} }, { revision: 0, values: [] }]) {
      const { status } = await call(ada, 'PUT', api.settingsDraft('company'), body);
      expect({ body, status }).toEqual({ body, status: 400 });
    }
    expect((await call(ada, 'GET', api.settings('nothing'))).body.code).toBe('settings_not_found');
  });

  itSlow(
    'of pages as well: a price and an hour are everywhere in two processes, two people are told, and a restart keeps it',
    async () => {
      const openPages = async (own: TestApp) => (await call(ada, 'GET', api.settings('pages'), undefined, own)).body;
      const write = (who: typeof ada, own: TestApp, revision: number, values: object, seen: object) =>
        call(who, 'PUT', api.settingsDraft('pages'), { revision, values, seen }, own);
      const { revision, values: came } = await openPages(app);
      const seen = { 'pricing.plans': came['pricing.plans'], 'home.lede': came['home.lede'] };
      const plans = came['pricing.plans'] as readonly Readonly<Record<string, unknown>>[];
      const priced = (price: number) => plans.map((plan, index) => (index === 0 ? { ...plan, price } : plan));
      expect((await write(ada, app, revision, { 'pricing.plans': priced(187.5) }, seen)).status).toBe(200);
      const late = await write(
        ben,
        neighbor,
        revision,
        { 'pricing.plans': priced(99), 'home.lede': 'Words of Ben' },
        seen,
      );
      expect(late).toMatchObject({ status: 409, body: { code: 'settings_changed', names: ['pricing.plans'] } });
      const apart = await write(ben, neighbor, revision, { 'home.lede': 'Words of Ben' }, seen);
      expect(apart).toMatchObject({
        status: 200,
        body: { draft: { 'home.lede': 'Words of Ben', 'pricing.plans': priced(187.5) } },
      });

      const pagesOf = (own: TestApp) => Promise.all([paths.home, paths.pricing].map((path) => read(path, own)));
      for (const own of [app, neighbor]) expect((await pagesOf(own)).join()).not.toMatch(/187\.50|Words of Ben/);
      await call(ben, 'POST', api.settingsPublication('pages'), { revision: apart.body.revision }, neighbor);
      await publishNow({ open_sunday: '07:15-08:45' });
      const expectAll = async (own: TestApp) => {
        await until(async () => {
          const [home = '', pricing = ''] = await pagesOf(own);
          return [
            home.includes('07:15'),
            home.includes('Words of Ben'),
            /187\.50/.test(home),
            /187\.50/.test(pricing),
          ].every(Boolean);
        });
        const [home, pricing] = (await pagesOf(own)).map((body) => new HtmlPage(body));
        expect(home!.visibleText()).toContain('Up to $187.50');
        expect(JSON.stringify(home!.jsonLd())).toMatch(/"priceRange":"Up to \$187\.50[^"]*"/);
        expect(JSON.stringify(home!.jsonLd())).toContain('"opens":"07:15","closes":"08:45"');
        expect(JSON.stringify(pricing!.jsonLd())).toContain('"maxPrice":187.5');
      };
      for (const own of [app, neighbor]) await expectAll(own);
      // Somebody publishes what others see only as a draft of now.
      const waiting = await write(ada, app, apart.body.revision + 1, { 'about.lede': 'Waits' }, {});
      expect(waiting.status).toBe(200);
      const restarted = await createTestApp({ ...app.environment });
      await expectAll(restarted);
      expect(await openPages(restarted)).toMatchObject({ draft: { 'about.lede': 'Waits' } });
      const back = await write(
        ada,
        restarted,
        waiting.body.revision,
        { ...seen, 'about.lede': came['about.lede'] },
        {},
      );
      await call(ada, 'POST', api.settingsPublication('pages'), { revision: back.body.revision }, restarted);
      await until(async () => (await pagesOf(app)).every((body) => !body.includes('187.50')));
    },
  );

  it('may be hostile texts in every field, which stay texts on every page, in the feed and in JSON-LD', async () => {
    const hostile = (index: number) => textVectors[index % textVectors.length]?.html ?? '';
    const values = Object.fromEntries(
      companyFactNames.flatMap((name, index) => {
        const { kind, limit = 100 } = factSpec(name);
        const text = hostile(index).slice(0, limit);
        if (companyFacts[name].variable === 'SITE_EMAIL' || ['switch', 'day', 'accent', 'picture'].includes(kind))
          return [];
        if (kind === 'phone') return [[name, `55501${text}`.slice(0, limit)]];
        if (kind === 'text') return [[name, text]];
        // Addresses have no blanks, and so have to begin as addresses do.
        return [[name, `https://it.company/${text.replaceAll(' ', '/')}`]];
      }),
    );
    const findOdd = async (path: string) => {
      const page = new HtmlPage(await read(path));
      return page
        .all(() => true)
        .filter(
          ({ name, attribs }) =>
            /^(?:iframe|object|embed|base)$/.test(name) ||
            (name === 'script' &&
              !attribs['src'] &&
              !attribs['type']?.endsWith('json') &&
              attribs['id'] !== 'first-script') ||
            Object.entries(attribs).some(([key, value]) => key.startsWith('on') || /^\s*javascript:/i.test(value)),
        )
        .map(({ name }) => name);
    };
    const listed = paths.listed.filter((path) => !path.includes('.'));
    await publishNow(values);
    for (const path of listed) expect({ path, odd: await findOdd(path) }).toEqual({ path, odd: [] });
    expect(new HtmlPage(await read(paths.home)).jsonLd()).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: values['name'], telephone: values['phone'] })]),
    );
    expect(await read(paths.rss)).not.toMatch(/<(?:img|svg|script)/);
    expect(JSON.parse(await read(paths.jsonFeed))).toMatchObject({ title: expect.any(String) });
  });
});
