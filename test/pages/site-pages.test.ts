import { beforeAll, describe, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { SettingsStoreService } from '../../src/settings/settings-store.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { textFields } from '../../src/shared/contracts/page-texts/page-texts.js';
import { filePaths, paths } from '../../src/shared/paths.js';
import { pagePlaces } from '../../src/links/page-places.js';
import { sitePages, sitePaths, type SitePageName } from '../../src/shared/site-pages.js';
import { SiteService } from '../../src/site/site.service.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { pageRoutes } from '../support/routes.js';
import { fewOf, itSlow } from '../support/slow-tests.js';

const pages = Object.values(sitePaths);
/** One page of each kind. */
const kinds: readonly string[] = [
  paths.home,
  paths.pricing,
  paths.contact,
  paths.blogs,
  '/blogs/whole',
  paths.auth,
  '/nothing-here',
];
/** Ids on every page that are no places: of scripts and closed menus. */
const NO_PLACES = ['first-script', 'page-state', 'side-menu', 'why-menu'];
/** All that settings can add to pages. */
const EVERYTHING = {
  READ_COUNTS: 'true',
  SITE_LEGAL_NAME: 'Your IT Team, LLC',
  SITE_CONTACT_PERSON: 'Ada, who answers',
  SITE_PHONE_EMERGENCY: '(555) 010-0101',
  SITE_PHONE_SUPPORT: '(555) 010-0102',
  SITE_PHONE_ACCOUNTS: '(555) 010-0103',
  SITE_PARTNER_NAME: 'A vendor',
  SITE_PARTNER_URL: 'https://vendor.example',
  SITE_PRICE_FACTORS: 'How many devices you have.',
  SITE_FIRST_30_DAYS: 'We look at everything.',
  SITE_GUARANTEE_TERMS: 'Within 30 days.',
  SITE_CLAIM_FOUNDED: 'true',
  SITE_CLAIM_CLIENTS: 'true',
  SITE_CLAIM_AROUND_THE_CLOCK: 'true',
};
const NO_CLAIMS = {
  SITE_CLAIM_FOUNDED: 'false',
  SITE_CLAIM_CLIENTS: 'false',
  SITE_CLAIM_AROUND_THE_CLOCK: 'false',
};

describe('the pages of the site', () => {
  let app: TestApp;
  const load = async (path: string) => {
    const answer = await app.inject({ url: path, headers: { accept: 'text/html' } });
    return { answer, page: new HtmlPage(answer.body) };
  };

  beforeAll(async () => {
    app = await createTestApp();
  });

  it.each(pages)('%s reads fully without JavaScript', async (path) => {
    const { answer, page } = await load(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.all('h1')).toHaveLength(1);
    expect(page.all('main')).toHaveLength(1);
    expect(page.all('header').length).toBeGreaterThan(0);
    expect(page.all('footer').length).toBeGreaterThan(0);
    expect(page.all('html')[0]?.attribs['lang']).toBe('en-US');
    expect(page.visibleText().length).toBeGreaterThan(300);
    expect(page.visibleText()).not.toMatch(/undefined|\[object|NaN|Loading/);
  });

  it.each(pages)('%s says what it is in its head', async (path) => {
    const { page } = await load(path);
    expect(page.text('title')).toContain('Your IT Team');
    expect(page.meta('description')?.length).toBeGreaterThan(40);
    expect(page.link('canonical')).toBe(`http://site.test${path}`);
    for (const name of ['og:title', 'og:description', 'og:url', 'og:type', 'twitter:card', 'twitter:title']) {
      expect(page.meta(name)).toBeTruthy();
    }
    const types = page.jsonLd().map((data) => data['@type']);
    expect(types).toContain(path === '/' ? 'ProfessionalService' : 'BreadcrumbList');
  });

  it.each([
    { settings: 'with all that settings add', variables: EVERYTHING, isBare: false },
    { settings: 'with all that settings take away', variables: NO_CLAIMS, isBare: true },
  ])('have the places that are stated and no others, $settings', async ({ variables, isBare }) => {
    const own = await createTestApp(variables);
    if (isBare) {
      const lists = [...textFields].filter(([, { kind }]) => kind === 'list' || kind === 'lines');
      const content = Object.fromEntries(lists.map(([name]) => [name, []]));
      await own.get(SettingsStoreService).change(OPERATOR, 'pages', async () => ({ content, draft: null }));
      await own.get(SiteService).refresh();
    }
    const judged = (Object.keys(sitePages) as SitePageName[]).flatMap((name) => {
      const { [name]: places = [] } = pagePlaces;
      return places === null ? [] : [{ path: sitePages[name].path, places }];
    });
    expect(judged.length).toBeGreaterThan(10);
    const stated = judged.map(({ path, places }) => [path, [...NO_PLACES, 'main', ...places].sort()]);
    const found = judged.map(async ({ path }) => {
      const page = new HtmlPage((await own.inject(path)).body);
      const ids = page.all(() => true).flatMap(({ attribs }) => attribs['id'] ?? []);
      // Those of React change with the page, and are no places that last.
      return [path, ids.filter((id) => !id.startsWith('_R_')).sort()];
    });
    expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(stated));
  });

  it('say what search engines want to know: hours, prices, questions and who writes', async () => {
    const data = async (path: string, type: string) =>
      (await load(path)).page.jsonLd().find((item) => item['@type'] === type);
    const logo = expect.stringMatching(/^http:\/\/site\.test\/assets\/icon-512-[\w-]+\.png$/);
    expect(await data(paths.home, 'ProfessionalService')).toMatchObject({
      logo,
      areaServed: ['Southern California'],
      openingHoursSpecification: {
        dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((day) => `https://schema.org/${day}`),
        opens: '08:00',
        closes: '18:00',
      },
    });
    expect(await data(paths.pricing, 'Service')).toMatchObject({
      offers: [
        { name: 'Managed IT Service', priceSpecification: { maxPrice: 150, priceCurrency: 'USD' } },
        { name: 'Device Support', priceSpecification: { maxPrice: 65, priceCurrency: 'USD' } },
      ],
    });
    const questions = await data(paths.notSure, 'FAQPage');
    expect(questions?.['mainEntity']).toHaveLength(4);
  });

  it('have icons, a manifest and a color for the frame of the browser', async () => {
    const { page } = await load(paths.home);
    const links = page.all('link').map(({ attribs }) => attribs);
    const hrefs = links.filter(({ rel = '' }) => /icon|manifest/.test(rel)).map(({ href = '' }) => href);
    const answers = await Promise.all(
      [...hrefs, ...Object.values(filePaths)].map(async (url) => {
        const { statusCode, headers, rawPayload } = await app.inject({ url });
        return { url, statusCode, type: headers['content-type'], isEmpty: rawPayload.length < 100 };
      }),
    );
    expect(answers).toHaveLength(8);
    expect(answers.filter(({ statusCode, isEmpty, type }) => statusCode !== 200 || isEmpty || !type)).toEqual([]);
    expect(answers.find(({ url }) => url === filePaths.favicon)?.type).toMatch(/^image\//);
    expect(page.all('meta').filter(({ attribs }) => attribs['name'] === 'theme-color')).toHaveLength(2);

    const manifest = JSON.parse((await app.inject(filePaths.manifest)).body) as {
      readonly name: string;
      readonly icons: readonly { readonly src: string }[];
    };
    expect(manifest.name).toBe('Your IT Team');
    const icons = await Promise.all(manifest.icons.map(async ({ src }) => (await app.inject(src)).statusCode));
    expect(icons).toEqual([200, 200]);
  });

  it('tell whom to write to about a hole, in a file that never expires', async () => {
    const { body } = await app.inject(filePaths.security);
    const fields = new Map(
      body
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/) as [string, string]),
    );
    expect(fields.get('Contact')).toBe('mailto:hello@example.com');
    expect(fields.get('Canonical')).toBe('http://site.test/.well-known/security.txt');
    const daysLeft = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(140);
    expect(daysLeft).toBeLessThan(365);
  });

  it('are all in the sitemap, and no page that search engines should leave alone', async () => {
    const { body } = await app.inject(paths.sitemap);
    const listed = [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
    const answers = await Promise.all(
      pageRoutes.map(async (path) => ({ path, robots: (await load(path)).page.meta('robots') })),
    );
    const open = answers.filter(({ robots }) => robots === undefined).map(({ path }) => path);
    expect(listed.sort()).toEqual(open.sort());
  });

  it('says something else on every page', async () => {
    const heads = await Promise.all(pages.map(async (path) => (await load(path)).page));
    expect(new Set(heads.map((page) => page.text('title'))).size).toBe(pages.length);
    expect(new Set(heads.map((page) => page.meta('description'))).size).toBe(pages.length);
  });

  it.each([...pages, '/nothing-here'])('%s has one script in its text', async (path) => {
    const { answer, page } = await load(path);
    const inline = page.all('script').filter(({ attribs }) => !attribs['src'] && !/json$/.test(attribs['type'] ?? ''));
    expect(inline.map(({ attribs }) => attribs['id'] ?? '')).toEqual(['first-script']);
    expect(answer.body).not.toMatch(/<[^>]+\son[a-z]+=/i);
  });

  it.each(['/', '/nothing-here', '/api/posts', '/api/nothing', '/media/none', '/robots.txt', '/assets/none.js'])(
    '%s comes with the content security policy',
    async (path) => {
      const { answer } = await load(path);
      expect(answer.headers['content-security-policy']).toMatch(/(^|; )script-src 'self'( 'sha256-[\w+/]{43}=')*(;|$)/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('answers an unknown path with a real 404 and a way on', async () => {
    const { answer, page } = await load('/nothing-here');
    expect(answer.statusCode).toBe(404);
    expect(page.text('h1')).toBe('Oops! Page not found');
    expect(page.visibleText()).toContain('Return to Home');
    expect(page.meta('robots')).toBe('noindex');
  });

  it.each([
    ['/about/', '/about'],
    ['/blogs///', '/blogs'],
  ])('leads %s to %s', async (path, target) => {
    const { answer } = await load(path);
    expect(answer.statusCode).toBe(301);
    expect(answer.headers.location).toBe(target);
  });

  it.each(['//evil.example/', '/%2e%2e/', '/\\evil.example/', '/%', '/%E0%A4%A'])(
    'sends nobody elsewhere from %s',
    async (path) => {
      const { answer } = await load(path);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.headers.location ?? '/').toMatch(/^\/(?![/\\])/);
    },
  );

  it('answers 304 when the visitor has the page already', async () => {
    const { answer } = await load('/pricing');
    const { etag } = answer.headers;
    const again = await app.inject({ url: '/pricing', headers: { 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect(again.headers.etag).toBe(etag);
  });

  it('gives everyone the same bytes', async () => {
    const headers = { cookie: 'session=1', authorization: 'Bearer x' };
    const [one, two] = [await load('/'), await app.inject({ url: '/', headers })];
    expect(two.body).toBe(one.answer.body);
    expect(two.headers['set-cookie']).toBeUndefined();
  });

  it('is HTML as the standard has it', async () => {
    const content = '<h2>Part</h2><p>A <em>word</em></p><table><tbody><tr><td>A cell</td></tr></tbody></table>';
    await createPosts(app, [{ slug: 'whole', excerpt: 'All there is.', category: 'Security', tags: ['One'], content }]);
    const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
    const routes = [...pageRoutes, '/blogs/whole', '/blogs/none', '/nothing-here'];
    for (const path of fewOf(routes, (route) => kinds.includes(route))) {
      const { results } = await validator.validateString((await load(path)).answer.body);
      const faults = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, selector }) => `${ruleId}: ${selector}`),
      );
      expect({ path, faults }).toEqual({ path, faults: [] });
    }
  });

  it('says of the company what the configuration does, and on its own site nothing in the place of what is not set', async () => {
    const terms = {
      SITE_CONTACT_PERSON: 'Ada Harbor, founder',
      SITE_PRICE_FACTORS: 'The number of desks decides.',
      SITE_FIRST_30_DAYS: 'Every device is on the list by day ten.',
      SITE_GUARANTEE_TERMS: 'Tell us within a week, and the month is free.',
    };
    const other = await createTestApp({
      NODE_ENV: 'production',
      SMTP_URL: 'smtp://127.0.0.1',
      SITE_NAME: 'Harbor & Sons',
      SITE_PHONE: '(555) 010-0199',
      SITE_PHONE_SUPPORT: '(555) 010-0177',
      SITE_SOCIAL_X: 'https://x.example/harbor',
      ...terms,
    });
    const read = async (path: string) => new HtmlPage((await other.inject(path)).body);
    const page = await read('/');
    expect(page.text('title')).toContain('Harbor & Sons');
    expect(page.visibleText()).toContain('(555) 010-0199');
    expect(page.source).toContain('href="tel:+15550100199"');
    expect(page.visibleText()).not.toContain('Your IT Team');
    expect(page.visibleText()).not.toContain('Security partner');
    expect(page.all('a').flatMap(({ attribs }) => attribs['aria-label'] ?? [])).toEqual(['X']);
    const client = (await read('/client')).visibleText();
    expect(client).toContain('(555) 010-0177');
    expect(client).not.toMatch(/placeholders|Emergency support|Account manager/);
    const texts = (await Promise.all(['/contact', '/pricing', '/why-choose-us/our-promise'].map(read))).map((one) =>
      one.visibleText(),
    );
    expect(Object.values(terms).filter((term) => !texts.join(' ').includes(term))).toEqual([]);
    expect((await load('/client')).page.visibleText()).toMatch(/placeholders.*|Security partner/);
  });

  itSlow('makes no claim that the configuration switches off', async () => {
    const other = await createTestApp({
      SITE_CLAIM_FOUNDED: 'false',
      SITE_CLAIM_CLIENTS: 'false',
      SITE_CLAIM_AROUND_THE_CLOCK: 'false',
    });
    for (const path of pages) {
      const text = new HtmlPage((await other.inject(path)).body).visibleText();
      expect({ path, claims: text.match(/August 2025|100 businesses|24\/7/g) }).toEqual({ path, claims: null });
    }
  });
});
