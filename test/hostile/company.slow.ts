import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { parse } from 'yaml';
import { PeopleService } from '../../src/people/people.service.js';
import { CompanyService } from '../../src/settings/company.service.js';
import { SettingsStoreService } from '../../src/settings/settings-store.service.js';
import { ShareImagesService } from '../../src/share-images/share-images.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { companyFactNames, factSpec, type CompanyFact } from '../../src/shared/contracts/company-facts.js';
import type { PageField } from '../../src/shared/contracts/page-texts/fields.js';
import { editedPages, textFields } from '../../src/shared/contracts/page-texts/page-texts.js';
import type { WebhookLog } from '../../src/shared/contracts/webhooks.js';
import { filePaths, paths } from '../../src/shared/paths.js';
import { SiteService } from '../../src/site/site.service.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { callAs, createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { closedVectors, openVectors, textVectors } from '../support/attack-vectors.js';
import { openPage, visit } from '../support/browser.js';
import { onCleanup } from '../support/cleanup.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { report } from '../support/figures.js';
import { HtmlPage } from '../support/html.js';
import { Mailbox } from '../support/mailbox.js';
import { pageRoutes } from '../support/routes.js';
import { openOracle, provoke } from '../support/script-oracle.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** Braces would name facts of the company, which is another rule. */
const VECTORS = [...textVectors, ...closedVectors, ...openVectors].filter(({ html }) => !/[{}]/.test(html));

let app: TestApp;
let base: string;
let ada: MemberSession;
let next = 0;
const told: string[] = [];
const figures: { readonly suite: string; readonly places: number; readonly faults: { readonly execution: number } }[] =
  [];

/** The next attack that fits, so that each field has another one. */
function attack(limit: number, before = ''): string {
  for (let tries = 0; tries < VECTORS.length; tries += 1) {
    const { html } = VECTORS[next++ % VECTORS.length]!;
    if (before.length + html.length <= limit) return before + html;
  }
  // A field for a time has no room for any.
  return before || 'x';
}

function attackField(field: PageField): unknown {
  switch (field.kind) {
    case 'line':
    case 'text':
      return attack(field.limit);
    case 'rich': {
      const required = (field.requires ?? []).map((name) => `{${name}}\n\n`).join('');
      return attack(field.limit, `${required}- **x** [a](https://x.test/)\n\n`);
    }
    case 'price':
      return 12.5;
    case 'glyph':
      return 'clock';
    case 'choice':
      return Object.keys(field.options)[0];
    case 'lines':
      return [attack(field.limit), attack(field.limit)];
    case 'list': {
      const entry = () => Object.fromEntries(Object.entries(field.of).map(([name, own]) => [name, attackField(own)]));
      const body = (field.requires ?? []).map((name) => `{${name}}`).join('\n\n');
      const required = body === '' ? [] : [{ title: 'Required', body }];
      return [...Array.from({ length: Math.max(2, field.min ?? 0) }, entry), ...required];
    }
  }
}

/** As hostile as the rules of the fact let it be; undefined where they leave no room. */
function attackFact(name: CompanyFact): unknown {
  const { kind, limit = 80 } = factSpec(name);
  if (kind === 'text') return attack(limit);
  if (kind === 'phone') return `12345"><img src=x onerror=hit(901)>`;
  if (kind === 'address' || kind === 'link') return `https://x.test/"onfocus=hit(902)><svg/onload=hit(903)>'`;
  return undefined;
}

beforeAll(async () => {
  const other = createServer((request, response) => {
    void readText(request).then((body) => {
      told.push(body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onCleanup(() => {
    other.closeAllConnections();
    other.close();
  });
  const { port } = other.address() as { port: number };
  app = await createTestApp({
    SHARE_IMAGES: 'true',
    NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    NOTIFY_WEBHOOK_SECRET: 'a secret that nobody guesses',
  });
  base = await app.listen();
  ada = await startSession(base, await createMember(app, 'ada@example.com'));
  const create = { width: 400, height: 100, channels: 4, background: '#369' } as const;
  const picture = await app.get(UploadsService).storeImage(await sharp({ create }).png().toBuffer());

  const facts = Object.fromEntries(
    companyFactNames.map((name) => [name, attackFact(name)] as const).filter(([, value]) => value !== undefined),
  );
  const refused: string[] = [];
  for (const [name, value] of Object.entries(facts)) {
    await app
      .get(CompanyService)
      .publish(OPERATOR, { [name]: value })
      .catch(() => refused.push(name));
  }
  // Whatever the rules refuse is no attack any more; texts they take as they are.
  expect(refused.filter((name) => factSpec(name as CompanyFact).kind === 'text')).toEqual([]);
  // Alternative texts of logos are names; one without its name shows both.
  const logos = { logo: picture.url, logo_dark: picture.url, partner_logo: picture.url, logo_has_name: true };
  await app.get(CompanyService).publish(OPERATOR, logos);
  const content = Object.fromEntries([...textFields].map(([name, field]) => [name, attackField(field)]));
  // The drafts are hostile, too: the previews and the screens of the admin area show them.
  const draft = Object.fromEntries([...textFields].map(([name, field]) => [name, attackField(field)]));
  await app.get(SettingsStoreService).change(OPERATOR, 'pages', async () => ({ content, draft }));
  await app.get(SiteService).refresh();
});

afterAll(() => report(figures.map((figure) => ({ ...figure, sent: VECTORS.length }))));

/** The forms of the site, with the links and buttons in them, lead elsewhere, which is not what is looked for. */
async function holdForms(page: Page): Promise<void> {
  await page.evaluate(() => {
    const hold = (event: Event) => {
      const control = event.target instanceof Element ? event.target.closest('a[href^="/"], button, form') : null;
      if (control === null || control.matches('[onclick], [formaction]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const name of ['click', 'submit']) addEventListener(name, hold, { capture: true });
  });
}

function note(suite: string, places: number, fired: ReadonlySet<number>) {
  figures.push({ suite: `company: ${suite}`, places, faults: { execution: fired.size } });
  expect([suite, ...fired]).toEqual([suite]);
}

describe('hostile texts in every fact of the company and every text of a page', () => {
  it('run on no page, with logos named by them, and leave all JSON whole', async () => {
    const { page, fired } = await openOracle(openPage);
    for (const path of pageRoutes) {
      const whole = new HtmlPage(await (await fetch(base + path)).text());
      for (const text of whole.jsonTexts()) expect(typeof JSON.parse(text)).toBe('object');
      await visit(page, base + path);
      await holdForms(page);
      await provoke(page);
    }
    const { name } = app.get(SiteService).current;
    const logos = page.locator('.site-header .brand img').first();
    await page.goto(base);
    expect(await logos.getAttribute('alt')).toBe(name);
    for (const path of [filePaths.manifest, paths.jsonFeed]) {
      expect(typeof (await (await fetch(base + path)).json())).toBe('object');
    }
    note('pages', pageRoutes.length, fired);
  });

  it('run in no preview and on no screen of the admin area, the activity among them', async () => {
    const admin = await openOracle((options) => openSignedIn(ada, options));
    const screens = [
      ...['/admin', paths.admin.company, paths.admin.pages, paths.admin.audit, paths.admin.people],
      ...editedPages.map((page) => paths.admin.pageTexts(page)),
    ];
    // A draft by hand, so that a line of the activity names it and the start page counts it.
    const view = await callAs<{ revision: number }>(base, ada, 'GET', adminPaths.settings('company'));
    const values = { contact_person: attack(120), hours: attack(160) };
    await callAs(base, ada, 'PUT', adminPaths.settingsDraft('company'), { revision: view.revision, values });
    for (const screen of screens) {
      await admin.page.goto(base + screen);
      await admin.page.getByRole('heading', { level: 1 }).waitFor();
      await until(async () => (await admin.page.locator('main [aria-busy=true]').count()) === 0);
      await provoke(admin.page);
    }
    for (const document of ['company', 'pages']) {
      const cookies = await fetch(base + adminPaths.settingsPreview(document), {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.access_token}` },
      });
      const [pair = ''] = (cookies.headers.get('set-cookie') ?? '').split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = `/admin/preview/${document}`;
      await admin.page.context().addCookies([{ name, value, url: base + path }]);
      for (const route of editedPages.map((page) => new URL(path + (paths[page] as string), base).href)) {
        await admin.page.goto(route);
        await admin.page.getByText('This is not published yet').waitFor();
        await provoke(admin.page);
      }
    }
    note('admin area and previews', screens.length + 2 * editedPages.length, admin.fired);
  });

  it('run in no mail and no reader of the feed, and add no line to a head', async () => {
    expect(await sendEnquiry(app, buildEnquiry({ name: attack(100), email: 'pat@desk.company' }))).toMatchObject({
      statusCode: 200,
    });
    await app.get(PeopleService).invite(OPERATOR, { email: 'cleo@desk.company', role: 'author' });
    await fetch(`${base}/auth/v1/recover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com' }),
    });
    const mailbox = new Mailbox(app);
    await until(async () => (await mailbox.unread().catch(() => [])).length >= 3);
    const mails = (await mailbox.unread()) as unknown as Record<'subject' | 'html', string>[];
    const { page, fired } = await openOracle(openPage);
    await page.goto(`${base}/robots.txt`);
    for (const { html, ...head } of mails) {
      expect(head.subject).not.toMatch(/[\r\n]/);
      await page.setContent(html, { waitUntil: 'domcontentloaded' });
      await provoke(page);
    }
    const texts = await page.evaluate(async (feed) => {
      const xml = new DOMParser().parseFromString(await (await fetch(feed)).text(), 'application/xml');
      if (xml.querySelector('parsererror')) throw new Error('The feed is no XML');
      return [...xml.querySelectorAll('channel > *')].map(({ textContent }) => textContent);
    }, paths.rss);
    await page.setContent(`<!doctype html><body>${texts.join('\n')}`, { waitUntil: 'domcontentloaded' });
    await provoke(page);
    note('mails and the head of the feed', mails.length + texts.length, fired);
  });

  it('are whole in what another system is told, in the export, in share images and in a terminal', async () => {
    const headers = { authorization: `Bearer ${ada.access_token}`, 'content-type': 'application/json' };
    await fetch(base + adminPaths.webhookTest, { method: 'POST', headers, body: '{}' });
    await until(() => told.length >= 2);
    for (const body of told) {
      const { text, data } = JSON.parse(body) as { text: string; data: object };
      // Neither a name of the company nor words of a visitor go to a chat.
      expect(`${text}${JSON.stringify(data)}`).not.toMatch(/hit\(|[\r\n<>]/);
    }
    const { deliveries } = await callAs<WebhookLog>(base, ada, 'GET', adminPaths.webhooks);
    expect(deliveries.length).toBeGreaterThanOrEqual(2);

    const { stdout: file } = await runCommand(app, ['site', 'export']);
    const { company, pages } = parse(file) as { company: Record<string, unknown>; pages: Record<string, object> };
    const facts = await app.get(CompanyService).list(OPERATOR);
    for (const { name, value } of facts.filter(({ name }) => name in company))
      expect([name, company[name]]).toEqual([name, value]);
    expect(Object.keys(pages).length).toBe(editedPages.length);
    const copy = join(temporaryFolder(), 'site.yaml');
    writeFileSync(copy, file);
    const taken = await runCommand(app, ['site', 'import', copy, '--dry-run']);
    expect([taken.stderr, taken.stdout]).toEqual(['', expect.stringMatching(/^0 settings changed/m)]);

    await until(async () => {
      await app.get(ShareImagesService).drawSome();
      const address = new URL(new HtmlPage((await app.inject('/')).body).meta('og:image') ?? '').pathname;
      return (await app.inject(address)).headers['content-type'] === 'image/png';
    });
    for (const command of [
      ['audit', 'list'],
      ['settings', 'list'],
    ]) {
      const { code, stdout } = await runCommand(app, command);
      expect([command, code, stdout.match(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu)]).toEqual([
        command,
        0,
        null,
      ]);
    }
  });
});
