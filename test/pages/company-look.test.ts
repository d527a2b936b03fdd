import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServerPageServices } from '../../src/pages/page-services.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { CompanyService } from '../../src/settings/company.service.js';
import { SettingsFileService } from '../../src/settings/settings-file.service.js';
import { toAccentTokens } from '../../src/shared/accent.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { adminPaths as api } from '../../src/shared/admin-paths.js';
import type { SettingsView } from '../../src/shared/contracts/settings.js';
import { paths } from '../../src/shared/paths.js';
import { SiteService } from '../../src/site/site.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { HtmlPage } from '../support/html.js';
import { findForbidden, findInlineTexts } from '../support/policy.js';
import { readEach } from '../support/read-each.js';
import { fewOf } from '../support/slow-tests.js';
import { until } from '../support/until.js';

const BLUE = '#0b4f8a';
const RED = '#9c1c3f';

let app: TestApp;
let neighbor: TestApp;
let headers: { readonly authorization: string };
/** Each page as it was before anybody chose anything. */
let untouched: Readonly<Record<string, { readonly body: string; readonly policy: unknown }>>;

const shown = [paths.home, paths.blogs, paths.pricing, paths.search(), '/auth', '/nothing-here'];

beforeAll(async () => {
  app = await createTestApp();
  neighbor = await createTestApp({ ...app.environment });
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  headers = { authorization: `Bearer ${(await signIn(app, account)).accessToken}` };
  untouched = await readEach(shown, (path) => read(path));
});

async function read(url: string, own = app, more: Record<string, string> = {}) {
  const answer = await own.inject({ url, headers: more });
  const { 'content-security-policy': policy } = answer.headers;
  return { body: answer.body, policy };
}

/** The accent that the style element of a document has; null for the one that the site comes with. */
const accentOf = (html: string) =>
  /:root\{--primary:(#[0-9a-f]{6});--primary-hover/.exec(findInlineTexts(html).styles.join(''))?.[1] ?? null;

const publish = (values: object, own = app) => own.get(CompanyService).publish(OPERATOR, { ...values });
const hasLook = (own: TestApp, accent: string | null) =>
  until(async () => (own.get(SiteService).current.accent ?? null) === accent);

async function callSettings(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return {
    status: answer.statusCode,
    cookie: String(answer.headers['set-cookie'] ?? ''),
    body: answer.json<SettingsView & { fields?: Record<string, string[]>; path: string }>(),
  };
}

describe('the accent of the company', () => {
  it('waits as a draft that only the preview has, and is in every page of two processes with the policy of that page', async () => {
    const { revision } = (await callSettings('GET', api.settings('company'))).body;
    const saved = await callSettings('PUT', api.settingsDraft('company'), { revision, values: { accent: ' 0B4F8A ' } });
    expect(saved).toMatchObject({ status: 200, body: { draft: { accent: BLUE } } });
    const { cookie, body } = await callSettings('POST', api.settingsPreview('company'));
    const preview = await read(body.path, neighbor, { cookie: cookie.split(';')[0] ?? '' });
    expect([accentOf(preview.body), findForbidden(preview.body, preview.policy)]).toEqual([BLUE, []]);
    for (const path of shown) expect(await read(path)).toEqual(untouched[path]);

    await callSettings('POST', api.settingsPublication('company'), { revision: saved.body.revision });
    for (const own of [app, neighbor]) {
      await hasLook(own, BLUE);
      for (const path of shown) {
        const page = await read(path, own);
        expect([path, accentOf(page.body), findForbidden(page.body, page.policy)]).toEqual([path, BLUE, []]);
        // No browser would show it with the policy of another look.
        expect(findForbidden(page.body, untouched[path]?.policy)).toHaveLength(1);
        expect(page.body.match(/<style/g)).toHaveLength(1);
      }
    }
    const [style = ''] = findInlineTexts((await read(paths.home)).body).styles;
    const { light, dark } = toAccentTokens(BLUE);
    for (const color of [...Object.values(light), ...Object.values(dark)]) expect(style).toContain(color);
  });

  it('never goes out with the policy of another one, whoever publishes how fast, from the cache or not', async () => {
    const colors = [...[RED, null, BLUE, RED, BLUE, null, RED].entries()];
    let isOver = false;
    const seen = new Set<string | null>();
    const visit = async (own: TestApp) => {
      while (!isOver) {
        // Cached pages alone would leave no room for what is to be heard.
        await setImmediate();
        const page = await own.inject({ url: paths.home, headers: { 'accept-encoding': 'identity' } });
        const { 'content-security-policy': policy } = page.headers;
        expect(findForbidden(page.body, policy)).toEqual([]);
        seen.add(accentOf(page.body));
        // A 304 brings the policy of the page that the browser has.
        const etag = String(page.headers['etag']);
        const again = await own.inject({ url: paths.home, headers: { 'if-none-match': etag } });
        if (again.statusCode === 304)
          expect(findForbidden(page.body, again.headers['content-security-policy'])).toEqual([]);
      }
    };
    const visits = [visit(app), visit(neighbor), visit(neighbor)];
    try {
      for (const [index, accent] of fewOf(colors, ([number]) => number < 3)) {
        await publish({ accent }, index % 2 ? app : neighbor);
        await hasLook(app, accent);
        // Several may come and go while one page is made.
        await Promise.race([until(() => seen.has(accent)), ...visits]);
      }
    } finally {
      isOver = true;
    }
    await Promise.all(visits);
    expect([...seen]).toEqual(expect.arrayContaining([RED, BLUE, null]));
    await publish({ accent: BLUE });
  });

  it('is the one that the page was begun with, also if another is published before its data is there', async () => {
    await publish({ accent: BLUE });
    await hasLook(app, BLUE);
    const services = app.get(ServerPageServices);
    const list = services.listPosts.bind(services);
    let isChanged = false;
    services.listPosts = async () => {
      if (!isChanged) await publish({ accent: RED });
      isChanged = true;
      return list();
    };
    const page = await read(paths.blogs);
    services.listPosts = list;
    expect(app.get(SiteService).current.accent).toBe(RED);
    expect([accentOf(page.body), findForbidden(page.body, page.policy)]).toEqual([BLUE, []]);
    // It was an old page before it was a page, and is kept for nobody.
    const next = await read(paths.blogs);
    expect([accentOf(next.body), findForbidden(next.body, next.policy)]).toEqual([RED, []]);
    await publish({ accent: BLUE });
  });

  it('is a file where pages name files, which another process finds before it has heard of it', async () => {
    await hasLook(app, BLUE);
    const { body } = await app.inject(paths.admin.company);
    const named = new HtmlPage(body).all('link').map(({ attribs }) => attribs['href'] ?? '');
    const [file = ''] = named.filter((href) => href.startsWith('/look/'));
    // After the sheet whose colors it replaces.
    expect(named.indexOf(file)).toBeGreaterThan(named.findIndex((href) => href.includes('/style-')));
    const answer = await neighbor.inject(file);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(answer.body).toContain(`--primary:${BLUE}`);
    const other = await app.inject(`/look/${'0'.repeat(16)}.css`);
    expect([other.body, other.headers['cache-control']]).toEqual([answer.body, 'no-store']);
    for (const name of ['x.css', `${'0'.repeat(16)}.js`, '..%2f..%2fpackage.json', `${'0'.repeat(17)}.css`])
      expect([name, (await app.inject(`/look/${name}`)).statusCode]).toEqual([name, 404]);
  });

  it('is refused where somebody could not read it, by the name of the pair and the contrast that was found', async () => {
    const { revision, draft } = (await callSettings('GET', api.settings('company'))).body;
    const refusals = {
      '#ffe08a':
        /The accent on the page \(#ffe08a on #fcf9f3, light theme\) has a contrast of 1\.22 to 1, and needs 4\.5 to 1/,
      'red; } body { display: none': /must be a color such as #005e50/,
      '#12345': /must be a color/,
      'url(//evil.example)': /must be a color/,
    };
    for (const [accent, message] of Object.entries(refusals)) {
      const { status, body } = await callSettings('PUT', api.settingsDraft('company'), {
        revision,
        values: { accent },
      });
      expect([status, body.fields?.['accent']?.[0]]).toEqual([422, expect.stringMatching(message)]);
      await expect(publish({ accent })).rejects.toMatchObject({
        problems: [{ path: 'accent', message: expect.stringMatching(message) }],
      });
    }
    expect((await callSettings('GET', api.settings('company'))).body).toMatchObject({ revision, draft });
  });

  it('is in the file of the settings, and goes back to as it came to the letter', async () => {
    const files = app.get(SettingsFileService);
    await publish({ accent: RED });
    const text = await files.export(OPERATOR);
    expect(text).toContain(`accent: "${RED}"`);
    await publish({ accent: null });
    await hasLook(app, null);
    for (const path of shown) expect(await read(path)).toEqual(untouched[path]);
    await files.import(OPERATOR, text, false);
    await hasLook(app, RED);
    await expect(files.import(OPERATOR, text.replace(RED, '#eeeeee'), false)).rejects.toMatchObject({
      problems: [{ path: 'company.accent' }],
    });
    await hasLook(app, RED);
  });
});
