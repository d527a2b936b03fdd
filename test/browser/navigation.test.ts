import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createMember, openSignedIn, startSession } from '../support/admin-area.js';
import { drawn, goBack, hydrated, openPage, visit } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

describe('finding one’s way', () => {
  let app: TestApp;
  let base: string;

  beforeAll(async () => {
    app = await createTestApp({ READ_COUNTS: 'true' });
    await createPosts(app, [
      { slug: 'first', title: 'First post' },
      { slug: 'second', title: 'Second post' },
      ...Array.from({ length: 40 }, (_, index) => ({ slug: `more-${index}`, title: `One more, ${index}` })),
    ]);
    base = await app.listen();
  });

  const hydrate = (page: Page, path: string) => visit(page, base + path);

  /** Opens the side menu of the home page before scripts run, which do so then. */
  async function openMenuEarly(page: Page): Promise<Locator> {
    const menu = page.getByRole('dialog', { name: 'Menu' });
    const release = await holdAnswers(page, '**/assets/app-*.js');
    await page.goto(base, { waitUntil: 'domcontentloaded' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.waitFor();
    release();
    await hydrated(page);
    return menu;
  }

  /** Lets the test look at what is shown while an answer is on its way. */
  async function holdAnswers(page: Page, pattern: string): Promise<() => void> {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(pattern, async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  itSlow(
    'tells of each post that it is read, once it is seen, and by whom only if a browser shows it to a person',
    async () => {
      const page = await openPage({ width: 1440 });
      const told: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/api/reads')) told.push(request.postDataJSON());
      });
      // Programs are left out, and a test is one.
      await hydrate(page, '/blogs/first');
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'webdriver', { value: false });
        Object.defineProperty(document, 'referrer', { value: 'https://news.example.org/a?b=c' });
        let state = 'hidden';
        Object.defineProperty(document, 'visibilityState', { get: () => state });
        addEventListener('seen', () => {
          state = 'visible';
          document.dispatchEvent(new Event('visibilitychange'));
        });
      });
      await hydrate(page, '/blogs/first');
      expect(told).toEqual([]);
      await untilEqual(async () => {
        await page.evaluate(() => dispatchEvent(new Event('seen')));
        return told;
      }, [{ slug: 'first', from: 'news.example.org' }]);
      await page.getByRole('link', { name: 'Blogs' }).first().click();
      await page.getByRole('link', { name: 'Second post' }).first().click();
      await untilEqual(async () => told.slice(1), [{ slug: 'second', from: '' }]);
    },
  );

  it('opens the drop-down by keyboard, closes it with Escape and gives the focus back', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/');
    const button = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /Why Choose Us/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Our Promise' });
    await link.waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await button.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await link.click();
    await page.waitForURL(`${base}/why-choose-us/our-promise`);
    await link.waitFor({ state: 'hidden' });
  });

  it('keeps the focus inside the side menu, closes it on Escape and on choosing a link', async () => {
    const page = await openPage({ width: 360 });
    await hydrate(page, '/');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    for (let press = 0; press < 25; press += 1) {
      await page.keyboard.press('Tab');
      // The browser's own controls may have their turn, the page behind may not.
      const isOutside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
      );
      expect(isOutside).toBe(false);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.getByText('Why Choose Us?').first().click();
    await menu.getByRole('link', { name: 'Devices we Support' }).click();
    await page.waitForURL(`${base}/why-choose-us/devices-we-support`);
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1, name: 'Devices we Support' }).waitFor();
  });

  itSlow('keeps a side menu that is open when a tablet is turned, as nothing behind it can be reached', async () => {
    const page = await openPage({ width: 800 });
    await hydrate(page, '/');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    await page.setViewportSize({ width: 1180, height: 800 });
    await page.locator('.main-nav').waitFor();
    await menu.getByRole('button', { name: 'Close menu' }).click();
    await menu.waitFor({ state: 'hidden' });
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'About Us' }).click();
    await page.waitForURL(`${base}/about`);
    // What is left of the closed menu takes no room beside the navigation.
    const endOf = async (selector: string) => {
      const { x = 0, width = 0 } = (await page.locator(selector).boundingBox()) ?? {};
      return x + width;
    };
    expect(await endOf('.main-nav')).toBeCloseTo(await endOf('.site-header > .wrap'), 0);
  });

  itSlow('leaves no side menu over the page to which one goes back', async () => {
    const page = await openPage({ width: 360 });
    await hydrate(page, '/');
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'About Us' }).click();
    await page.waitForURL(`${base}/about`);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    await goBack(page);
    await page.waitForURL(`${base}/`);
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
  });

  itSlow('closes a menu that was opened before scripts ran, by its button and on choosing a link', async () => {
    const page = await openPage({ width: 360 });
    const menu = await openMenuEarly(page);
    await menu.getByRole('button', { name: 'Close menu' }).click();
    await menu.waitFor({ state: 'hidden' });
    await openMenuEarly(page);
    await menu.getByRole('link', { name: 'Pricing' }).click();
    await page.waitForURL(`${base}/pricing`);
    await menu.waitFor({ state: 'hidden' });
  });

  itSlow('closes a menu that was opened before scripts ran when somebody signs out there', async () => {
    const cy = await createMember(app, 'cy@example.com', { isAdmin: false });
    const page = await openSignedIn(await startSession(base, cy), { width: 360 });
    const menu = await openMenuEarly(page);
    await menu.getByRole('button', { name: 'Sign out', exact: true }).click();
    await menu.waitFor({ state: 'hidden' });
  });

  itSlow('says of a drop-down that was opened before scripts ran that it is open', async () => {
    const page = await openPage({ width: 1440 });
    const button = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /Why Choose Us/ });
    const release = await holdAnswers(page, '**/assets/app-*.js');
    await page.goto(base, { waitUntil: 'domcontentloaded' });
    await button.press('Enter');
    await page.locator('#why-menu:popover-open').waitFor();
    release();
    await hydrated(page);
    await untilEqual(() => button.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('Escape');
    await untilEqual(() => button.getAttribute('aria-expanded'), 'false');
  });

  it('opens the ticket portal in a new tab that cannot reach back', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/');
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Submit a Ticket/ });
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toContain('noopener');
  });

  itSlow('asks for scripts when it is painted; at once where nothing works without them', async () => {
    const page = await openPage();
    const isOfApplication = (request: Request) => /\/assets\/(?:app|react)-/.test(request.url());
    const asked: Request[] = [];
    page.on('request', (request) => asked.push(request));
    // A page that waits for a style sheet is not painted.
    const release = await holdAnswers(page, '**/*.css');
    await page.route(`${base}/about`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('</head>', '<link rel="stylesheet" href="/assets/held.css"></head>');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${base}/about`, { waitUntil: 'domcontentloaded' });
    expect(asked.filter(isOfApplication)).toEqual([]);
    const askedAtOnce = page.waitForRequest(isOfApplication);
    await page.goto(`${base}/auth`, { waitUntil: 'commit' });
    await askedAtOnce;
    release();
    const askedWhenPainted = page.waitForRequest(isOfApplication);
    await page.goto(base);
    await askedWhenPainted;
  });

  it.each(fewOf([1024, 1280, 1281], (width) => width === 1024))(
    'has room for the whole navigation where it shows it (else change its widths in shell.css), at %i px',
    async (width) => {
      const page = await openPage({ width });
      await hydrate(page, '/');
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      // The site's name gives way first. It has its own font.
      await page.evaluate(() => document.fonts.ready);
      const brand = await page.locator('.site-header .wrap > .brand span').boundingBox();
      expect(brand?.height).toBeLessThan(40);
    },
  );

  itSlow('has the style sheet once, wherever one goes, and asks for no other', async () => {
    const page = await openPage({ width: 1440 });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await hydrate(page, '/');
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Blogs' }).click();
    await page.getByRole('link', { name: 'First post' }).click();
    await page.getByRole('heading', { level: 1, name: 'First post' }).waitFor();
    await main.getByRole('link', { name: 'Pricing' }).click();
    await page.waitForURL(`${base}/pricing`);
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${base}/auth`);
    const count = () =>
      page.evaluate(() => [
        document.querySelectorAll('style').length,
        document.querySelectorAll('link[rel=stylesheet]').length,
        // The router went from page to page, not the browser.
        performance.getEntriesByType('navigation').filter(({ name }) => new URL(name).pathname === '/').length,
      ]);
    await untilEqual(count, [1, 0, 1]);
    expect(asked.filter((path) => path.endsWith('.css'))).toEqual([]);
  });

  itSlow('says that posts are loading, then shows them, and updates the head', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/about');
    const release = await holdAnswers(page, '**/api/blog');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click();
    await page.getByText('Loading blog posts...').waitFor();
    release();
    await page.getByRole('link', { name: 'First post' }).waitFor();
    expect(await page.title()).toContain('IT & Tech Blog');
    await untilEqual(() => page.locator('link[rel=canonical]').getAttribute('href'), 'http://site.test/blogs');

    const releasePost = await holdAnswers(page, '**/api/posts/first');
    await page.getByRole('link', { name: 'First post' }).click();
    await page.getByText('Loading...').waitFor();
    releasePost();
    await page.getByRole('heading', { level: 1, name: 'First post' }).waitFor();
    expect(await page.title()).toContain('First post');
    await untilEqual(() => page.getByText('January 5, 2025').count(), 1);
  });

  itSlow(
    'fetches a post ahead while the pointer rests on its link, and no second time when it is followed',
    async () => {
      const page = await openPage({ width: 1440 });
      await hydrate(page, '/blogs');
      // What was fetched ahead is fresh for ten seconds, which never pass here.
      await page.evaluate((now) => Object.assign(Date, { now: () => now }).now(), Date.now());
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const link = page.getByRole('link', { name: 'First post' });
      const ahead = page.waitForResponse('**/api/posts/first');
      await link.hover();
      await (await ahead).finished();
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'First post' }).waitFor();
      expect(asked.filter((path) => path === '/api/posts/first')).toHaveLength(1);
      // The page was not loaded anew, and its address can be opened in a new tab like any other.
      expect(asked).not.toContain('/blogs/first');
      await untilEqual(() => page.evaluate(() => location.pathname), '/blogs/first');
    },
  );

  itSlow('fetches ahead for keyboards and fingers, but not while scrolling or for who saves data', async () => {
    const page = await openPage({ width: 360 });
    const saveData = (saveData: boolean) =>
      page.evaluate(
        (value) => {
          Object.defineProperty(navigator, 'connection', { value, configurable: true });
        },
        { saveData },
      );
    await hydrate(page, '/blogs');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const linkTo = (slug: string) => page.locator(`a[href="/blogs/${slug}"]`);
    const answerAbout = (slug: string) => page.waitForResponse(`**/api/posts/${slug}`);
    // Timers ring when the test says so.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
    const rest = () => page.clock.runFor(100);

    await linkTo('more-1').dispatchEvent('touchstart');
    await linkTo('more-1').dispatchEvent('touchmove');
    await rest();
    await saveData(true);
    await linkTo('more-2').focus();
    await rest();
    await saveData(false);
    for (const [slug, touch] of [
      ['more-3', () => linkTo('more-3').focus()],
      ['more-4', () => linkTo('more-4').dispatchEvent('touchstart')],
    ] as const) {
      const answer = answerAbout(slug);
      await touch();
      await rest();
      await answer;
    }
    expect(asked.filter((path) => path.startsWith('/api/posts'))).toEqual(['/api/posts/more-3', '/api/posts/more-4']);
  });

  itSlow('comes back to the link that was followed, however long the list', async () => {
    const page = await openPage({ width: 360, reducedMotion: 'reduce' });
    await hydrate(page, '/blogs');
    const link = page.locator('.post-card a[href^="/blogs/more-"]').nth(35);
    // Cards far down are not laid out yet, and have no inner text then.
    await link.scrollIntoViewIfNeeded();
    const [title = '', href = ''] = [await link.textContent(), await link.getAttribute('href')].map(String);
    const topOf = () => link.evaluate((element) => element.getBoundingClientRect().top);
    await link.evaluate((element) => {
      element.addEventListener('click', () => {
        document.body.dataset['top'] = `${element.getBoundingClientRect().top}`;
      });
    });
    await link.click();
    await page.waitForURL(base + href);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const before = await page.evaluate(() => Number(document.body.dataset['top']));
    await goBack(page);
    // Heights of cards are known when they are drawn.
    await until(async () => Math.abs((await topOf()) - before) <= 1);
    // The ring around the link of a card far down is not cut off.
    await link.focus();
    const room = await link.evaluate((element) =>
      parseFloat(getComputedStyle(element.closest('li') ?? element).padding),
    );
    expect(room).toBeGreaterThanOrEqual(9);
  });

  itSlow('follows links in a text to where the server leads on', async () => {
    const ways = [
      ['a redirect', '/blogs/was-here', '/blogs/second#part'],
      ['a number', '/?p=12', '/blogs/second'],
      ['a spelling', '/blogs/tag/Passwords', '/blogs/tag/passwords'],
      ['a page', '/blogs/category/Offers', '/pricing'],
    ] as const;
    const links = ways.map(([name, href]) => `<p><a href="${href}">By ${name}</a></p>`).join('');
    await createPosts(app, [{ slug: 'leads', title: 'Leads', content: links }]);
    await app.get(RedirectsService).save(
      OPERATOR,
      ways.filter(([name]) => name !== 'a spelling').map(([, path, target]) => ({ path, target })),
    );
    // The API has nothing there.
    const page = await openPage({ width: 1440, expectedComplaints: [/404/] });
    for (const [name, , target] of ways) {
      await hydrate(page, '/blogs/leads');
      await page.getByRole('link', { name: `By ${name}` }).click();
      await page.waitForURL(base + target);
      await page.getByRole('heading', { level: 1, name: /Second post|Passwords|Pricing/ }).waitFor();
    }
  });

  itSlow('opens the feeds that a text leads to, which lie below pages of the site', async () => {
    const feeds = ['/rss.xml', '/blogs/tag/passwords/rss.xml', '/blogs/tag/passwords/feed.json'];
    const links = feeds.map((path) => `<p><a href="${path}">${path}</a></p>`).join('');
    await createPosts(app, [{ slug: 'feeds', title: 'Feeds', content: links }]);
    const page = await openPage({ width: 1440 });
    // What a browser makes of a feed is its own affair: here it stays where it is.
    await page.route(/\/(?:rss\.xml|feed\.json)$/, (route) => route.fulfill({ status: 204 }));
    const opened: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) opened.push(new URL(request.url()).pathname);
    });
    await hydrate(page, '/blogs/feeds');
    for (const [index, path] of feeds.entries()) {
      await page.getByRole('link', { name: path, exact: true }).click();
      await untilEqual(async () => opened, ['/blogs/feeds', ...feeds.slice(0, index + 1)]);
    }
    await hydrate(page, '/blogs/tag/passwords');
    await page.getByRole('link', { name: 'RSS feed of these posts' }).click();
    await untilEqual(async () => opened.at(-1), '/blogs/tag/passwords/rss.xml');
  });

  itSlow.each(['c++', '%63%2b%2B'])(
    'names a page once, under its own address, that was asked for as %s',
    async (asked) => {
      await createPosts(app, [{ title: 'Loops', tags: ['C++'] }]);
      const page = await openPage({ width: 1440 });
      await hydrate(page, `/blogs/tag/${asked}`);
      const named = () =>
        page.evaluate(() => [
          ...Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=canonical]'), ({ href }) => href),
          ...Array.from(
            document.querySelectorAll<HTMLMetaElement>('meta[property="og:url"]'),
            ({ content }) => content,
          ),
        ]);
      const own = 'http://site.test/blogs/tag/c%2B%2B';
      expect(await named()).toEqual([own, own]);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About Us' }).click();
      await untilEqual(named, ['http://site.test/about', 'http://site.test/about']);
    },
  );

  itSlow('goes to the place of another post, and back to where the link was', async () => {
    const text = '<p>Words.</p>'.repeat(60);
    await createPosts(app, [
      { slug: 'place', title: 'Place', content: `${text}<h2>Über uns</h2>${text}` },
      { slug: 'way', title: 'Way', content: `${text}<p><a href="/blogs/place#über-uns">To the place</a></p>${text}` },
    ]);
    const page = await openPage({ width: 1440, height: 600, reducedMotion: 'reduce' });
    await hydrate(page, '/blogs/way');
    const link = page.getByRole('link', { name: 'To the place' });
    // No sooner than the page that loads it: what was fetched ahead may be there at once.
    const release = await holdAnswers(page, '**/api/posts/*');
    await link.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const before = await page.evaluate(() => scrollY);
    await link.click();
    await page.getByText('Loading...').waitFor();
    release();
    const heading = page.getByRole('heading', { name: 'Über uns' });
    await untilEqual(async () => {
      const { y = -1 } = (await heading.boundingBox()) ?? {};
      return y > 0 && y < 600;
    }, true);
    await goBack(page);
    await link.waitFor();
    await page.waitForFunction((position) => Math.abs(scrollY - position) <= 1, before);
  });

  itSlow('shows the missing screen when a post went away meanwhile, and logs a failed list', async () => {
    const page = await openPage({ width: 1440, expectedComplaints: [/404/, /500/, /could not be fetched/] });
    await hydrate(page, '/blogs');
    await page.route('**/api/posts/first', (route) => route.fulfill({ status: 404, json: { code: 'post_not_found' } }));
    await page.getByRole('link', { name: 'First post' }).click();
    await page.getByRole('heading', { name: 'Blog Post Not Found' }).waitFor();
    await page.route('**/api/blog', (route) => route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }));
    const logged = page.waitForEvent('console', (message) => message.text().includes('could not be fetched'));
    await page.getByRole('link', { name: 'Back to Blogs' }).click();
    await page.getByText('No blog posts available yet. Check back soon!').waitFor();
    await logged;
  });

  itSlow('logs an unknown path and leads home', async () => {
    const page = await openPage({ expectedComplaints: [/404/, /nothing-here/] });
    const logged = page.waitForEvent('console', (message) => message.text().includes('/nothing-here'));
    await page.goto(`${base}/nothing-here`);
    await logged;
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await page.waitForURL(`${base}/`);
  });

  it('remembers the chosen colors and shows them before the first paint', async () => {
    // Or a color might be looked at on its way to another one.
    const page = await openPage({ width: 1440, colorScheme: 'light', reducedMotion: 'reduce' });
    await hydrate(page, '/');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.goto(`${base}/pricing`, { waitUntil: 'commit' });
    await page.waitForFunction(
      () => document.querySelector('body') !== null && document.documentElement.dataset['theme'] === 'dark',
    );
    await hydrated(page);
    expect(await background()).toBe(dark);
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor({ state: 'attached' });
  });

  itSlow('shows the colors that were chosen in another tab, or on a page from which one comes back', async () => {
    const page = await openPage({ width: 1440, colorScheme: 'light' });
    await hydrate(page, '/');
    const shown = () =>
      page.evaluate(() => [
        document.documentElement.dataset['theme'],
        document.querySelector<HTMLInputElement>('[name=theme]:checked')?.value,
      ]);
    const other = await page.context().newPage();
    await visit(other, `${base}/pricing`);
    await other.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await untilEqual(shown, ['dark', 'dark']);
    // A page that the browser has put aside hears of nothing meanwhile. Browsers of tests put none aside.
    await page.evaluate(() => {
      localStorage.setItem('theme', 'light');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await untilEqual(shown, ['light', 'light']);
  });

  itSlow('keeps colors that could not be remembered, whatever else other tabs remember', async () => {
    const page = await openPage({ width: 1440, colorScheme: 'light' });
    await hydrate(page, '/');
    await page.evaluate(() => {
      const keep: Storage['setItem'] = Reflect.get(Storage.prototype, 'setItem');
      Storage.prototype.setItem = function (key, value) {
        // As in a browser that has no room left for the site.
        if (key === 'theme') throw new DOMException('No room', 'QuotaExceededError');
        keep.call(this, key, value);
      };
    });
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    const theme = await page.evaluate(() => {
      dispatchEvent(new StorageEvent('storage', { key: 'something', newValue: 'else' }));
      return document.documentElement.dataset['theme'];
    });
    expect(theme).toBe('dark');
  });

  it('shows nothing of whoever has signed out on another page, when one comes back', async () => {
    const ann = await createMember(app, 'ann@example.com', { isAdmin: false });
    const page = await openSignedIn(await startSession(base, ann));
    await hydrate(page, '/');
    const account = page.getByRole('button', { name: 'Account', exact: true });
    await account.waitFor();
    // A page that the browser has put aside hears of nothing meanwhile. Browsers of tests put none aside.
    await page.evaluate(() => {
      localStorage.removeItem('supabase.auth.token');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await account.waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.locator('html').textContent()).not.toContain('ann@example.com');
  });

  itSlow('shows whoever has signed in on another page, when one comes back', async () => {
    const dee = await createMember(app, 'dee@example.com', { isAdmin: false });
    const session = JSON.stringify(await startSession(base, dee));
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/');
    // A page that the browser has put aside hears of nothing meanwhile. Browsers of tests put none aside.
    await page.evaluate((value) => {
      localStorage.setItem('supabase.auth.token', value);
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    }, session);
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
  });

  itSlow('shows whoever is signed in also when the accounts do not answer as one comes back', async () => {
    const bea = await createMember(app, 'bea@example.com', { isAdmin: false });
    const page = await openSignedIn(await startSession(base, bea), { hasOwnClock: true, expectedComplaints: [/503/] });
    await hydrate(page, '/');
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await page.clock.install();
    let asked = 0;
    let isAnswering = false;
    await page.route('**/auth/v1/token?*', async (route) => {
      asked += 1;
      if (isAnswering) await route.fallback();
      else await route.fulfill({ status: 503 });
    });
    const comeBack = () =>
      page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    const seen = await page.evaluateHandle(() => {
      const key = 'supabase.auth.token';
      const session = JSON.parse(localStorage.getItem(key) ?? '') as object;
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
      const result = { isGone: false };
      const look = () => (result.isGone ||= document.getElementById('account-menu') === null);
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
      return result;
    });
    await comeBack();
    await until(() => asked > 0);
    // The client of the accounts tries for half a minute, and for a minute no more after that.
    await page.clock.fastForward('00:31');
    await drawn(page);
    isAnswering = true;
    await until(async () => {
      await page.clock.fastForward('00:31');
      await comeBack();
      return await page.evaluate(() => {
        const session = JSON.parse(localStorage.getItem('supabase.auth.token') ?? '{}') as { expires_at?: number };
        return (session.expires_at ?? 0) > 1;
      });
    });
    expect(await seen.jsonValue()).toEqual({ isGone: false });
  });

  it('shows what a search finds until it is left, and gives the focus back to its field', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/blogs');
    const field = page.getByRole('searchbox', { name: 'Search the blog' });
    const find = page.locator('.search-live').getByRole('link', { name: 'First post' });
    await field.fill('first');
    await find.waitFor();
    // An Escape that gives up the letters of a word gives up nothing else.
    await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true, keyCode: 229 });
    // Nothing there takes the focus, as no link does in Safari.
    await page.locator('.search-live').getByRole('status').click();
    await drawn(page);
    expect(await find.count()).toBe(1);
    await find.focus();
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe('first');
    await field.fill('second');
    await page.locator('.search-live').getByRole('link', { name: 'Second post' }).click();
    await page.waitForURL(`${base}/blogs/second`);
  });

  itSlow('keeps the words of a search that is not answered when one comes back to it', async () => {
    const page = await openPage({ width: 1440, expectedComplaints: [/503/, /did not answer/] });
    await hydrate(page, '/search?q=first');
    await page.locator('.search-results').getByRole('link', { name: 'First post' }).click();
    await page.getByRole('heading', { level: 1, name: 'First post' }).waitFor();
    await page.route('**/api/search**', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
    await goBack(page);
    await page.getByText('The search did not answer. Please try again in a moment.').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search the blog' }).inputValue()).toBe('first');
  });

  itSlow('has a place for what a search says before it says so, as screen readers tell what changes', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/blogs');
    const release = await holdAnswers(page, '**/api/search**');
    await page.getByRole('searchbox', { name: 'Search the blog' }).fill('first');
    const told = page.getByRole('search').getByRole('status');
    await told.waitFor({ state: 'attached' });
    expect(await told.textContent()).toBe('');
    const place = await told.elementHandle();
    release();
    await page.locator('.search-live').getByRole('link', { name: 'First post' }).waitFor();
    expect(await place.textContent()).toMatch(/\bpost/);
  });

  it('brings the keyboard to the heading of the next page', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About Us' }).click();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await page.keyboard.press('Tab');
    await untilEqual(() => page.evaluate(() => document.activeElement?.closest('main, footer') !== null), true);
  });

  itSlow.each([
    ['comes with its posts', 'Posts tagged “Passwords”', (route: Route) => route.continue()],
    ['has none', 'No Posts Found', (route: Route) => route.fulfill({ status: 404, json: { code: 'not_found' } })],
  ])('brings the keyboard to the heading of a page of posts that %s', async (_what, name, answer) => {
    const page = await openPage({ width: 1440, expectedComplaints: [/404/] });
    await hydrate(page, '/blogs');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/blog/tag/**', async (route) => {
      await held;
      await answer(route);
    });
    await page.locator('.post-card').getByRole('link', { name: 'Passwords' }).first().click();
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    release();
    await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();
  });

  itSlow('stays at the place of the page that a link leads to, and goes back to where the link was', async () => {
    const page = await openPage({ width: 1440, height: 600, reducedMotion: 'reduce' });
    await hydrate(page, '/pricing');
    const link = page.locator('main a[href="#footnote-1"]').first();
    const note = page.locator('#footnote-1');
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    await link.click();
    await page.waitForURL('**/pricing#footnote-1');
    // What would scroll back does so when the page is drawn again.
    await drawn(page);
    const { top } = await note.evaluate((element) => element.getBoundingClientRect());
    expect(top).toBeLessThan(600);
    await goBack(page);
    await page.waitForFunction((position) => scrollY === position, before);
  });

  it('skips to the content', async () => {
    const page = await openPage({ width: 1440 });
    await hydrate(page, '/');
    await page.keyboard.press('Tab');
    await untilEqual(() => page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'main');
  });

  it('reads and can be navigated without JavaScript', async () => {
    const page = await openPage({ width: 360, javaScriptEnabled: false });
    await page.goto(base);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.locator('dialog').getByRole('link', { name: 'Blogs' }).click();
    await page.waitForURL(`${base}/blogs`);
    await page.getByRole('link', { name: 'First post' }).click();
    await page.getByRole('heading', { level: 1, name: 'First post' }).waitFor();
  });
});
