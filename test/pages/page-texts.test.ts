import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { parse, stringify } from 'yaml';
import { PeopleService } from '../../src/people/people.service.js';
import { CompanyService } from '../../src/settings/company.service.js';
import { PageRenderer } from '../../src/pages/page-renderer.js';
import { SettingsStoreService } from '../../src/settings/settings-store.service.js';
import { ShareImagesService } from '../../src/share-images/share-images.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { PageField } from '../../src/shared/contracts/page-texts/fields.js';
import { editedPages, textFields, textsOf, type EditedPage } from '../../src/shared/contracts/page-texts/page-texts.js';
import { findTextProblems, cleanValue } from '../../src/shared/contracts/page-texts/text-input.js';
import { paths } from '../../src/shared/paths.js';
import { sitePaths } from '../../src/shared/site-pages.js';
import { SiteService } from '../../src/site/site.service.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { Mailbox } from '../support/mailbox.js';
import { readEach } from '../support/read-each.js';
import { pageRoutes } from '../support/routes.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const HOSTILE = `</script></title><img src=x onerror=alert(1)>"'\`--><svg/onload=alert(2)>]]>&lt;{{company}} \u202e`;

/** Words that nothing else on the site has, one for each text. */
let words = 0;

/** Returns a value that the rules let through, as hostile as they do, and notes the words in it. */
function toHostile(field: PageField, marks: string[], isShown = true): unknown {
  const mark = () => {
    words += 1;
    const word = `zq${words}qz`;
    if (isShown) marks.push(word);
    return word;
  };
  switch (field.kind) {
    case 'line':
    case 'text':
      return `${mark()} ${HOSTILE}`.slice(0, field.limit);
    case 'rich':
      return `${mark()} ${HOSTILE}\n\n- **<script>${mark()}</script>** [\`${mark()}](https://x.test/"onclick="alert(3))\n- [x](/\\"x)`;
    case 'price':
      return 123.45;
    case 'glyph':
      return 'clock';
    case 'choice':
      return Object.keys(field.options)[0];
    case 'lines':
      return [toHostile({ kind: 'line', label: 'x', limit: field.limit }, marks), `${mark()} <b>`];
    case 'list': {
      const entry = () =>
        Object.fromEntries(Object.entries(field.of).map(([name, own]) => [name, toHostile(own, marks)]));
      return [entry(), entry()];
    }
  }
}

/** Fields that stand on no page as this installation is. */
const UNSEEN = ['privacy.reads_uncounted', 'pricing.first_days_title'];

describe('the texts of pages', () => {
  let app: TestApp;
  let asTheyCame: Readonly<Record<string, string>>;
  const publish = async (content: Readonly<Record<string, unknown>>) => {
    await app.get(SettingsStoreService).change(OPERATOR, 'pages', async () => ({ content, draft: null }));
    await app.get(SiteService).refresh();
  };
  const bodyOf = async (path: string) => (await app.inject(path)).body;
  const bodies = (routes: readonly string[]) => readEach(routes, bodyOf);
  const pathOf = (page: EditedPage) => sitePaths[page];
  const others = [...pageRoutes, paths.rss, paths.jsonFeed, '/nothing-here'];

  beforeAll(async () => {
    app = await createTestApp({ READ_COUNTS: 'true', SHARE_IMAGES: 'true' });
    asTheyCame = await bodies(others);
  });

  it('execute nowhere, whatever they are, and each stands on its own page and no other', async () => {
    const marks = new Map<string, string[]>();
    const content: Record<string, unknown> = {};
    for (const [name, field] of textFields) {
      const own: string[] = [];
      const hostile = toHostile(field, own, !UNSEEN.includes(name));
      const required = (field.requires ?? []).map((each) => `{${each}}`).join('\n\n');
      if (field.kind === 'list' && required !== '') {
        (hostile as Record<string, unknown>[]).push({ title: 'Required', body: required });
      }
      content[name] = field.kind === 'rich' && required !== '' ? `${hostile as string}\n\n${required}` : hostile;
      marks.set(name, own);
      // What is stored may be worse than what the rules let through.
      const problems = findTextProblems(field.page, field, cleanValue(field, content[name]), name);
      expect([name, problems.filter(({ message }) => !message.includes('leads nowhere'))]).toEqual([name, []]);
    }
    await publish(content);
    const found = await bodies(others);
    for (const [path, body] of Object.entries(found)) {
      expect([path, body.length > 0]).toEqual([path, true]);
      if (path === paths.rss || path === paths.jsonFeed) {
        // They have the head of the blog, as text.
        expect(body).not.toMatch(/<(?:img|svg|\/script)/);
        if (path === paths.jsonFeed)
          expect(JSON.parse(body)).toMatchObject({ title: expect.stringMatching(/zq\d+qz/) });
        continue;
      }
      const page = new HtmlPage(body);
      expect(page.all('img').filter(({ attribs }) => attribs['src'] === 'x')).toEqual([]);
      expect(page.all('*').flatMap(({ attribs }) => Object.keys(attribs).filter((name) => /^on/i.test(name)))).toEqual(
        [],
      );
      expect(page.all('script').length).toBe(new HtmlPage(asTheyCame[path]!).all('script').length);
      expect(page.all('a').filter(({ attribs }) => /^\s*(?:javascript|data):/i.test(attribs['href'] ?? ''))).toEqual(
        [],
      );
      // Every structured part, and the state of the page, is whole.
      for (const text of page.jsonTexts()) expect(typeof JSON.parse(text)).toBe('object');
    }
    for (const [name, own] of marks) {
      const page = textFields.get(name)!.page;
      const lost = own.filter((mark) => !found[pathOf(page)]!.includes(mark));
      expect([name, lost]).toEqual([name, []]);
      const strays = Object.keys(found).filter(
        (path) => path !== pathOf(page) && own.some((mark) => found[path]!.includes(mark)),
      );
      const borrowers: Record<string, string[]> = {
        pricing: [sitePaths.home, sitePaths.notSure],
        contact: [paths.contactSent],
        blogs: [paths.rss, paths.jsonFeed],
      };
      expect([name, strays.filter((path) => !borrowers[page]?.includes(path))]).toEqual([name, []]);
    }
    const sent = new HtmlPage(found[paths.contactSent]!).visibleText();
    for (const name of ['contact.sent_title', 'contact.sent_lede', 'contact.sent_thanks']) {
      expect([name, marks.get(name)!.filter((mark) => !sent.includes(mark))]).toEqual([name, []]);
    }
    const sitemap = await bodyOf(paths.sitemap);
    expect(sitemap).not.toMatch(/zq\d+qz/);
  });

  itSlow('are drawn on share images, whatever they are', async () => {
    const image = new URL(new HtmlPage(await bodyOf(paths.home)).meta('og:image')!).pathname;
    await until(async () => {
      await app.get(ShareImagesService).drawSome();
      return (await app.inject(image)).headers['content-type'] === 'image/png';
    });
  });

  it('are byte for byte as before once they are as they came, and what a release cannot use is left aside', async () => {
    const contents: readonly Readonly<Record<string, unknown>>[] = [
      { 'home.lede': 7, 'home.later': 'x', 'later.lede': 'x', 'pricing.plans': [{ price: 'x' }], changed: 'x' },
      { 'home.services': null, 'about.facts': {}, changed: { home: 'soon', later: 1 } },
      {},
    ];
    for (const content of fewOf(contents, (each) => 'home.lede' in each)) {
      await publish(content);
      const { [paths.rss]: _, ...pages } = asTheyCame;
      expect(await bodies(Object.keys(pages))).toEqual(pages);
    }
  });

  it('have prices that every page takes from one place, in what search engines read as well', async () => {
    const { plans } = textsOf('pricing').defaults as { plans: readonly { price: number }[] };
    await publish({
      'pricing.plans': plans.map((plan, index) => ({ ...plan, price: index === 0 ? 199.5 : 70 })),
      'pricing.market_to': 450,
      changed: { pricing: '2026-11-24T07:30:00.000Z' },
    });
    const [home, pricing, doubts, about] = (
      await Promise.all([sitePaths.home, sitePaths.pricing, sitePaths.notSure, sitePaths.about].map(bodyOf))
    ).map((body) => new HtmlPage(body));
    expect(home!.visibleText()).toMatch(/Up to \$199\.50 per user, per month/);
    expect(home!.visibleText()).toMatch(/\$175-\$450[\s\S]*Upto \$199\.50/);
    expect(home!.jsonLd()[0]).toMatchObject({ priceRange: 'Up to $199.50 per user per month' });
    expect(pricing!.meta('description')).toMatch(/up to \$199\.50 per user per month.*up to \$70 per device/);
    expect(pricing!.jsonLd()[0]).toMatchObject({
      offers: [
        { priceSpecification: { maxPrice: 199.5, priceCurrency: 'USD' } },
        { priceSpecification: { maxPrice: 70 } },
      ],
    });
    expect(JSON.stringify(doubts!.jsonLd()[0])).toMatch(
      /up to \$199\.50 per user.*\$175 to \$450.*up to \$70 per device/,
    );
    for (const page of [home!, pricing!, doubts!]) expect(page.source).not.toMatch(/\$(?:150|65)\b/);
    // Another page grows by the names of those that changed.
    expect(about!.source).toContain('"edits":{"edited":["home","pricing","notSure"]}');
    expect(about!.source.length - asTheyCame[sitePaths.about]!.length).toBeLessThan(60);
    expect(await bodyOf(paths.sitemap)).toMatch(/\/pricing<\/loc>\s*<lastmod>2026-11-24T07:30:00\.000Z/);
  });

  it('make the list of posts as new as they are, or as its newest post', async () => {
    const listed = async () => /\/blogs<\/loc>(?:<lastmod>([^<]*))?/.exec(await bodyOf(paths.sitemap))?.[1];
    await publish({});
    expect(await listed()).toBeUndefined();
    await publish({ 'blogs.lede': 'Ours', changed: { blogs: '2026-11-24T07:30:00.000Z' } });
    expect(await listed()).toBe('2026-11-24T07:30:00.000Z');
    await createPosts(app, [{ slug: 'newest' }]);
    const { body } = await app.inject(paths.sitemap);
    const [, post = ''] = /\/blogs\/newest<\/loc><lastmod>([^<]*)/.exec(body) ?? [];
    await publish({ 'blogs.lede': 'Ours', changed: { blogs: '2020-01-01T00:00:00.000Z' } });
    expect(await listed()).toBe(post);
    await app.get(EntityManager).fork().execute(`delete from blog_posts where slug = 'newest'`);
    await publish({});
  });

  it('say in the privacy policy what is kept that nobody may expect', async () => {
    await publish({});
    const policy = new HtmlPage(await bodyOf(paths.privacy)).visibleText();
    for (const kept of [
      /how many searches come from an internet address/,
      /internet address and the kind of browser that it was last used from/,
      /server logs note when somebody signs in, with the number of the account/,
      /your number there and, where it says so, your name, user name, picture, and email address/,
      /a list of what was changed.* with the email addresses/,
      /address still stays in our database until we remove it/,
      /stays in older copies for 30 days and more/,
    ])
      expect(policy).toMatch(kept);
  });

  it('say on legal pages when they were changed, and follow what the site does', async () => {
    await publish({
      'privacy.sections': [{ title: 'Ours', body: 'Kept for {enquiry_days}. Write to {email}.\n\n{reads}' }],
      'privacy.reads_counted': 'We count for {read_days} days.',
      changed: { privacy: '2026-11-25T03:00:00.000Z' },
    });
    const page = new HtmlPage(await bodyOf(paths.privacy));
    expect(page.visibleText()).toMatch(
      /Last updated November 24, 2026[\s\S]*Kept for 30 days\.[\s\S]*We count for 90 days\./,
    );
    expect(page.all('a').map(({ attribs }) => attribs['href'])).toContain('mailto:hello@example.com');
    const { now } = app.get(SiteService);
    const silent = { ...now, site: { ...now.site, readCountsDays: null } };
    const stop = jest.spyOn(app.get(SiteService), 'now', 'get').mockReturnValue(silent);
    const whole = await app.get(PageRenderer).renderOnce(paths.privacy, 200, {});
    stop.mockRestore();
    const uncounted = new HtmlPage(whole.bodyIn('identity').toString()).visibleText();
    expect(uncounted).toContain('No counting.');
    expect(uncounted).not.toContain('We count');
    expect(await bodyOf(paths.terms)).toContain('November 28, 2026');
  });

  it('have the day of the release where it changed rules on a legal page after the company changed something else', async () => {
    const dayOn = async (path: string) => {
      const text = new HtmlPage(await bodyOf(path)).visibleText();
      return /Last updated (\w+ \d+, \d{4})/.exec(text)?.[1];
    };
    await publish({});
    const released = await dayOn(paths.terms);
    expect(released).toMatch(/ \d{4}$/);
    const [before, after] = ['2026-11-20T12:00:00.000Z', '2031-01-02T12:00:00.000Z'];
    await publish({ 'terms.summary': 'In short', changed: { terms: before } });
    expect(await dayOn(paths.terms)).toBe(released);
    await publish({ 'terms.summary': 'In short', changed: { terms: after } });
    expect(await dayOn(paths.terms)).toBe('January 2, 2031');
    await publish({ 'terms.sections': [{ title: 'Ours', body: 'Our rules' }], changed: { terms: before } });
    expect(await dayOn(paths.terms)).toBe('November 20, 2026');
    // What is said of reads is still the release's.
    const sections = [{ title: 'Ours', body: 'Kept for {enquiry_days}.\n\n{reads}' }];
    await publish({ 'privacy.sections': sections, changed: { privacy: before } });
    expect(await dayOn(paths.privacy)).toBe(released);
    await publish({});
  });

  it('have lists that may be empty or long, and then no heading stands alone', async () => {
    const lists = [...textFields].filter(([, { kind }]) => kind === 'list' || kind === 'lines');
    const optional = lists.filter(([, field]) => !('min' in field) || field.min === undefined);
    await publish(Object.fromEntries(optional.map(([name]) => [name, []])));
    for (const page of editedPages) {
      const html = new HtmlPage(await bodyOf(pathOf(page)));
      expect(
        ['ul', 'ol', 'dl'].flatMap((name) => html.all(name)).filter(({ children }) => children.length === 0),
      ).toEqual([]);
      expect(html.text('h1')).not.toBe('');
    }
    expect(await bodyOf(sitePaths.home)).not.toContain('Our Services');
    await publish({});
  });

  it('are kept in a file, which names every fault by its path and is taken in as a whole or not at all', async () => {
    const file = join(temporaryFolder(), 'site.yaml');
    const run = async (text: string, ...flags: string[]) => {
      writeFileSync(file, text);
      return await runCommand(app, ['site', 'import', file, ...flags]);
    };
    const [main, device] = textsOf('pricing').defaults['plans'] as readonly Record<string, unknown>[];
    const toFile = (pages: object, company: object = {}) => stringify({ company, pages });
    const dearer = toFile({ pricing: { plans: [{ ...main, price: 160 }, device] }, home: { lede: 'Ours' } });
    const before = await bodyOf(sitePaths.pricing);

    const wrong = {
      pricing: { plans: [main, { ...device, price: 'ten' }], ledes: 'x' },
      pricin: { a: 1 },
      home: { lede: '' },
    };
    const refused = await run(toFile(wrong, { phone: 'none' }));
    expect(refused.code).toBe(2);
    for (const fault of [
      'pages.pricing.plans[1].price: The most it costs must be a number',
      'pages.pricing.ledes: there is no such text; did you mean pricing.lede?',
      'pages.pricin.a: there is no such page; did you mean pricing?',
      'pages.home.lede: Introduction is required',
      'company.phone: Phone must have at least 5 digits',
    ])
      expect(refused.stderr).toContain(fault);
    const alone = await run(toFile({ pricing: { plans: [main] } }));
    expect(alone.stderr).toContain('pages.notSure.doubts: names {plan_2}, and there is no second plan');
    const tried = await run(dearer, '--dry-run');
    expect(tried.stdout).toContain('pages.pricing.plans[0].price: 150 -> 160\n');
    expect(tried.stdout).toContain('2 settings changed (dry run: nothing was written)');
    expect(await bodyOf(sitePaths.pricing)).toBe(before);

    expect((await run(dearer)).code).toBe(0);
    expect(await bodyOf(sitePaths.home)).toMatch(/Up to \$160/);
    expect(await bodyOf(paths.sitemap)).toMatch(/\/pricing<\/loc>\s*<lastmod>/);
    const { stdout: exported } = await runCommand(app, ['site', 'export']);
    expect(Object.keys((parse(exported) as { pages: object }).pages)).toEqual(['home', 'pricing']);
    expect((await run(exported)).stdout).toContain('0 settings changed');
    // Also where the database does not take the second part.
    const em = app.get(EntityManager).fork();
    await em.execute(
      `create function refuse_texts() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`,
    );
    await em.execute(`create trigger refuse_texts before insert on settings_versions for each row
      when (new.document = 'pages') execute function refuse_texts()`);
    const halved = await run(toFile({ home: { lede: 'Halved' } }, { area_remote: 'Halved' }));
    await em.execute('drop function refuse_texts cascade');
    expect(halved.code).not.toBe(0);
    const { content: company } = await app.get(SettingsStoreService).read('company');
    expect(company['area_remote']).not.toBe('Halved');
    // As it came again: nothing of it is stored any more.
    await run(toFile({ pricing: { plans: null }, home: { lede: null } }));
    const { content } = await app.get(SettingsStoreService).read('pages');
    expect(Object.keys(content)).toEqual(['changed']);
    expect(await bodyOf(sitePaths.home)).toMatch(/Up to \$150/);
    await publish({});
  });

  itSlow(
    'stand beside facts of the company that do no harm in mails, share images, files and feeds either',
    async () => {
      const name = `=1+1\r\nBcc: eve@evil.test {{company}} "><img src=x onerror=alert(1)> \u202eabc`;
      const facts = { name, legal_name: `@SUM(1)<script>`, hours: `{company}\r\n${HOSTILE}`, contact_person: HOSTILE };
      await app.get(CompanyService).publish(OPERATOR, facts);
      const said = (await app.get(CompanyService).find(OPERATOR, 'name')).value as string;
      expect(said).toMatch(/^=1\+1 Bcc: eve@evil\.test \{\{company\}\}/);
      const home = new HtmlPage(await bodyOf(sitePaths.home));
      expect(home.all('img').filter(({ attribs }) => attribs['src'] === 'x')).toEqual([]);
      expect(home.jsonLd()[0]).toMatchObject({ name: said });
      expect(await bodyOf(paths.rss)).not.toMatch(/<(?:img|script)/);

      const enquiry = { name: 'Pat', email: 'pat@desk.company', message: 'Hello' };
      expect((await app.inject({ method: 'POST', url: '/api/contact', payload: enquiry })).statusCode).toBeLessThan(
        300,
      );
      await app.get(PeopleService).invite(OPERATOR, { email: 'cleo@desk.company', role: 'author' });
      await new Mailbox(app).read('cleo@desk.company');
      const mails = await new Mailbox(app).unread();
      expect(mails.map(({ to }) => to)).toContain('cleo@desk.company');
      for (const mail of mails) {
        expect(mail.subject).not.toMatch(/[\r\n]/);
        expect(JSON.stringify(mail)).not.toContain('"to":"eve@evil.test"');
        expect((mail as unknown as { html?: string }).html ?? '').not.toMatch(/<(?:img|script)/);
      }
      const invitation = mails.find(({ to }) => to === 'cleo@desk.company');
      expect(invitation?.text).toContain('=1+1 Bcc: eve@evil.test {{company}}');

      const { stdout: file } = await runCommand(app, ['site', 'export']);
      expect(parse(file)).toMatchObject({ company: { name: said, legal_name: '@SUM(1)<script>' } });
      const copy = join(temporaryFolder(), 'site.yaml');
      writeFileSync(copy, file);
      expect((await runCommand(app, ['site', 'import', copy, '--dry-run'])).stdout).toMatch(/^(?:0|Nothing|No)/m);
      const image = new URL(new HtmlPage(await bodyOf(paths.home)).meta('og:image')!).pathname;
      await until(async () => {
        await app.get(ShareImagesService).drawSome();
        return (await app.inject(image)).headers['content-type'] === 'image/png';
      });
    },
  );
});
