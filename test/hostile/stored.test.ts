import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { PreviewLink } from '../../src/shared/contracts/admin-posts.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { escapeAttribute, escapeText } from '../../src/posts/content/markup-tree.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { listedKinds, pathOfName } from '../../src/shared/term-addresses.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { callAs, createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { closedVectors, openVectors, textVectors, type Vector } from '../support/attack-vectors.js';
import { openPage, visit } from '../support/browser.js';
import { runCli } from '../support/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { scaled } from '../support/fault-scale.js';
import { report } from '../support/figures.js';
import { openOracle, provoke } from '../support/script-oracle.js';
import { scriptSamples } from '../support/script-samples.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

/** Wide enough to be opened large. */
const PICTURE = { create: { width: 400, height: 200, channels: 3, background: '#369' } } as const;
const COMPANY = 'desk@example.com';
/** What runs where nothing holds it. */
const AS_SENT = 'as sent';

interface AttackedPost {
  readonly id: string;
  readonly slug: string;
}

let app: TestApp;
let base: string;
let session: MemberSession;
let posts: AttackedPost[];
const figures: (readonly [string, ...(number | string)[]])[] = [];

/** Uses what helps to read a post, and does everything to what that adds to the page. */
async function provokeReadingAids(page: Page): Promise<void> {
  const press = (selector: string) =>
    page.locator(selector).evaluateAll((controls: HTMLElement[]) => controls.forEach((control) => control.click()));
  const count = textVectors.length;
  // Loaded once the page is there, and complete with the last of them, which waits for a click.
  await page
    .locator('.code-head button')
    .nth(count - 1)
    .waitFor();
  for (const each of ['.contents a', '.heading-link', '.code-head button', '.post-share a']) await press(each);
  await until(async () => (await page.locator(':is(.code-head, .post-share) [role=status]:empty').count()) === 0);
  for (let index = 0; index < count; index += 1) {
    await page
      .locator('.post-note > a')
      .nth(index)
      .evaluate((link: HTMLElement) => link.click());
    expect(await page.locator('.note-box').count()).toBe(1);
    await provoke(page);
  }
  await page
    .locator('.picture-link')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  const viewer = page.getByRole('dialog', { name: 'Picture' });
  for (let index = 1; index <= count; index += 1) {
    await viewer.getByText(`Picture ${index} of ${count}`).waitFor();
    await provoke(page);
    await viewer.getByRole('button', { name: 'Next' }).click();
  }
}

const groupsOf = (vectors: readonly Vector[], size: number): Vector[][] =>
  Array.from({ length: Math.ceil(vectors.length / size) }, (_, at) => vectors.slice(at * size, (at + 1) * size));

beforeAll(async () => {
  app = await createTestApp({
    CONTACT_TO: COMPANY,
    CONTACT_RATE_LIMIT_ADDRESS: '0',
    CONTACT_RATE_LIMIT_OVERALL: '0',
    AUTH_RATE_LIMIT_MAIL: '0',
    AUTH_RATE_LIMIT_SIGNUP: '0',
    AUTH_RATE_LIMIT_RECOVER: '0',
  });
  base = await app.listen();
  session = await startSession(base, await createMember(app, 'ada@example.com'));
  const groups = groupsOf(closedVectors, scaled(12, 1));
  // One that swallows what follows stands at the end, and some post ends with each.
  const contents = Array.from({ length: Math.max(groups.length, openVectors.length) }, (_, at) => {
    const closed = groups[at] ?? [];
    return [...closed, ...openVectors.slice(at, at + 1)].map(({ html }) => html).join('\n<p>between</p>\n');
  });
  const picture = await app.get(UploadsService).storeImage(await sharp(PICTURE).png().toBuffer());
  // Words that look like markup, wherever the page repeats them.
  const aids = textVectors.map(({ id, html }) => {
    const [text, value] = [escapeText(html), escapeAttribute(html)];
    return (
      `<h2>${text}</h2><pre><code class="language-js">${text}</code></pre>` +
      `<p>Said<span class="ql-footnote">${text}<img src=x onerror=hit(${id})></span></p>` +
      `<figure><img src="${picture.url}" alt="${value}"><figcaption>${text}</figcaption></figure>`
    );
  });
  posts = [];
  for (const [index, content] of [...contents, aids.join('\n')].entries()) {
    const text = textVectors[index % textVectors.length]?.html ?? '';
    const fields = {
      ...{
        title: `${text} ${index}`,
        slug: `vector-${index}`,
        excerpt: text,
        author: text,
        category: text.slice(0, 50),
      },
      ...{
        tags: textVectors.map(({ html }) => html),
        image_url: '/media/none.png',
        image_alt: text,
        image_caption: text,
        seo_title: text,
      },
      ...{ seo_description: text, content: `<p>begin</p>${content}`, is_published: true },
    };
    posts.push(await callAs<AttackedPost>(base, session, 'POST', adminPaths.posts, fields));
  }
});

afterAll(() => {
  const lines = [['', 'documents', 'vectors', 'executions'] as const, ...figures].map(
    ([name, ...counts]) => name.padEnd(34) + counts.map((count) => `${count}`.padStart(11)).join(''),
  );
  process.stdout.write(`Stored attacks, the policy off\n${lines.join('\n')}\n`);
  report(
    figures
      .filter(([name]) => name !== AS_SENT)
      .map(([name, documents, vectors, executions]) => ({
        ...{ suite: `stored: ${name}`, places: Number(documents), sent: Number(vectors) },
        faults: { execution: Number(executions) },
      })),
  );
});

describe('what is stored', () => {
  itSlow('runs as it was sent, or this would prove nothing', async () => {
    const { page, fired } = await openOracle(openPage);
    await page.goto(`${base}/robots.txt`);
    const vectors = [...closedVectors, ...openVectors];
    const silent: string[] = [];
    for (const { id, html } of vectors) {
      await page.setContent(`<!doctype html><body>${html}\n<p title="x">next</p>`, { waitUntil: 'domcontentloaded' });
      // What leads elsewhere ends the page.
      await provoke(page).catch(() => undefined);
      await until(() => fired.has(id)).catch(() => silent.push(html));
    }
    figures.push([AS_SENT, vectors.length, vectors.length, fired.size]);
    expect(silent).toEqual([]);
  });

  const look = async (name: string, oracle: Awaited<ReturnType<typeof openOracle>>, addresses: readonly string[]) => {
    for (const address of addresses) {
      await visit(oracle.page, base + address);
      // The text is there when the editor is.
      if (address.includes('/edit/')) await oracle.page.locator('.ql-editor').getByText('begin').waitFor();
      await provoke(oracle.page);
    }
    const vectors = closedVectors.length + openVectors.length + textVectors.length;
    figures.push([name, addresses.length, vectors, oracle.fired.size]);
    expect([...oracle.fired]).toEqual([]);
  };

  it('does not run on public pages', async () => {
    const terms = textVectors.map(({ html }, index) => {
      const kind = index < posts.length - 1 ? listedKinds[index % listedKinds.length] : undefined;
      return pathOfName(kind ?? 'tag', kind === 'category' ? html.slice(0, 50) : html) ?? '';
    });
    const statuses = terms.map(async (path) => (await fetch(base + path)).status);
    expect(await Promise.all(statuses)).toEqual(terms.map(() => 200));
    const addresses = [...posts.map(({ slug }) => paths.blog(slug)), paths.blogs, paths.home, ...terms];
    await look('pages', await openOracle(openPage), addresses);
  });

  itSlow('does not run where readers use what helps to read', async () => {
    const { page, fired } = await openOracle(openPage);
    await visit(page, base + paths.blog(posts.at(-1)?.slug ?? ''));
    await provokeReadingAids(page);
    expect([...fired]).toEqual([]);
  });

  itSlow('does not run in previews', async () => {
    const links: string[] = [];
    for (const { id } of posts) {
      const { url } = await callAs<PreviewLink>(base, session, 'POST', adminPaths.previewLinks(id), {});
      links.push(new URL(url).pathname);
    }
    await look('previews', await openOracle(openPage), links);
  });

  itSlow('does not run in the area of administrators', async () => {
    const editors = posts.flatMap(({ id }) => [paths.admin.blog(id), paths.admin.revisions(id)]);
    const lists = [
      '/admin',
      paths.admin.blogs,
      paths.admin.media,
      paths.admin.terms,
      paths.admin.links,
      paths.admin.audit,
    ];
    await look('area of administrators', await openOracle((options) => openSignedIn(session, options)), [
      ...lists,
      ...editors,
    ]);
  });

  it('does not run in readers of the feed', async () => {
    const { page, fired } = await openOracle(openPage);
    await page.goto(`${base}/robots.txt`);
    const texts = await page.evaluate(async (feed) => {
      const xml = new DOMParser().parseFromString(await (await fetch(feed)).text(), 'application/xml');
      return [...xml.querySelectorAll('channel *')]
        .filter(({ localName }) => /^(?:title|description|encoded)$/.test(localName))
        .map(({ textContent }) => textContent);
    }, paths.rss);
    expect(texts.length).toBeGreaterThan(posts.length);
    // Readers take these for HTML, or may.
    for (const text of scaled([texts.join('\n')], texts)) {
      await page.setContent(`<!doctype html><body>${text}`, { waitUntil: 'domcontentloaded' });
      await provoke(page);
    }
    figures.push(['feed', texts.length, closedVectors.length + openVectors.length + textVectors.length, fired.size]);
    expect([...fired]).toEqual([]);
  });
});

const sentMails = async () => {
  const folder = join(app.config.dataDir, 'mail');
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json'));
  return Promise.all(
    files.map(
      async (file) =>
        JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<'to' | 'subject' | 'text' | 'html', string>,
    ),
  );
};

describe('people', () => {
  const scripts = scriptSamples.filter((_name, index) => index % scaled(3, 1) === 0);
  const names = [...scripts, ...textVectors.map(({ html }) => html)];
  /** What the form of an address leaves of quotes, tags of templates and syntax of other languages. */
  const accountAddresses = [
    "'onfocus='hit`500`'autofocus='@example.org",
    '{{hit`501`}}${hit`502`}@example.org',
    "javascript&colon/*'/*`/*--@example.org".replace('&colon', '&'),
    '=cmd|/c@example.org',
    '%0d%0abcc&lt&#60@example.org'.replace('&lt', ''),
    '-oproxycommand=x@example.org',
  ];
  const addresses = ["o'hare&<b>@example.org".replace('<b>', '{b}'), '`x`=$y|z@example.org', '!#%*+/?^_~-@example.org'];

  itSlow('have names in every script and with markup, in lists and mails, and none runs', async () => {
    for (const [index, name] of names.entries()) {
      const message = `${name}\n${closedVectors[index % closedVectors.length]?.html}`;
      const email = addresses[index] ?? `person-${index}@example.org`;
      expect(await sendEnquiry(app, buildEnquiry({ name, email, message }))).toMatchObject({ statusCode: 200 });
    }
    for (const [index, name] of scripts.entries()) {
      const fields = { title: name, slug: name.replaceAll(' ', '-'), author: name, category: name, tags: [name] };
      const post = { ...fields, content: `<p>${index}</p>`, is_published: true };
      const saved = await callAs<Record<string, string>>(base, session, 'POST', adminPaths.posts, post);
      expect(saved).toMatchObject({ title: name.normalize('NFC'), author: name.normalize('NFC') });
      const page = await fetch(base + paths.blog(saved['slug'] ?? ''));
      expect({ name, status: page.status }).toEqual({ name, status: 200 });
    }
    const list = await callAs<{ items: { name: string }[] }>(base, session, 'GET', `${adminPaths.enquiries}?limit=100`);
    const listed = new Set(list.items.map(({ name }) => name));
    expect(names.filter((name) => !listed.has(name.normalize('NFC')))).toEqual([]);

    await until(async () => (await sentMails()).filter(({ to }) => to === COMPANY).length === names.length);
    const mails = await sentMails();
    const told = mails.map(({ subject, text }) => `${subject}\n${text}`).join('\n');
    expect(names.filter((name) => !told.includes(name.normalize('NFC')))).toEqual([]);
    expect(mails.filter(({ subject, to }) => /[\r\n]/.test(subject + to))).toEqual([]);

    const reader = await openOracle(openPage);
    await reader.page.goto(`${base}/robots.txt`);
    for (const { html, subject } of mails) {
      await reader.page.setContent(html, { waitUntil: 'domcontentloaded' });
      expect({ subject, begins: html.trimStart().slice(0, 9).toLowerCase() }).toEqual({ subject, begins: '<!doctype' });
    }
    await provoke(reader.page);
    const admin = await openOracle((options) => openSignedIn(session, options));
    await admin.page.goto(base + paths.admin.enquiries);
    await provoke(admin.page);
    await admin.page
      .getByText(scripts.at(-1) ?? '')
      .first()
      .waitFor();
    await admin.page.goto(base + paths.admin.blogs);
    await admin.page.getByRole('article').first().waitFor();
    await provoke(admin.page);
    figures.push(['mails, as HTML', mails.length, names.length, reader.fired.size]);
    figures.push(['lists of names', 2, names.length * 2, admin.fired.size]);
    expect([...reader.fired, ...admin.fired]).toEqual([]);
  });

  itSlow('have accounts whose addresses and names run nothing in mails, lists and commands', async () => {
    const people = names.map((name, index) => ({
      name,
      email: accountAddresses[index] ?? `account-${index}@example.org`,
    }));
    const headers = { 'content-type': 'application/json' };
    const call = async (path: string, body: object) => {
      const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect({ path, body, status: answer.status }).toEqual({ path, body, status: 200 });
    };
    for (const { name, email } of people) {
      await call('/auth/v1/signup', { email, password: 'correct horse 7', data: { full_name: name, [name]: name } });
    }
    const addressed = new Set(people.map(({ email }) => email));
    const mailsToPeople = async () => (await sentMails()).filter(({ to }) => addressed.has(to));
    await until(async () => (await mailsToPeople()).length === people.length);
    const users = app.get(UsersService);
    for (const { id, email } of await users.listUsers(OPERATOR)) {
      if (email === null || !addressed.has(email)) continue;
      await users.confirmUser(OPERATOR, id);
      await app.get(RolesService).grantAdmin(OPERATOR, id);
      await call('/auth/v1/recover', { email });
    }
    await until(async () => (await mailsToPeople()).length === 2 * people.length);
    const mails = await mailsToPeople();
    expect(mails.filter(({ subject, to }) => /[\r\n]/.test(subject + to))).toEqual([]);

    const reader = await openOracle(openPage);
    await reader.page.goto(`${base}/robots.txt`);
    for (const html of scaled(
      [mails.map((mail) => mail.html).join('\n')],
      mails.map((mail) => mail.html),
    )) {
      await reader.page.setContent(html, { waitUntil: 'domcontentloaded' });
      await provoke(reader.page);
    }
    const admin = await openOracle((options) => openSignedIn(session, options));
    await admin.page.goto(base + paths.admin.audit);
    await admin.page
      .getByText(accountAddresses[0] ?? '')
      .first()
      .waitFor();
    await provoke(admin.page);
    figures.push(['mails of accounts, as HTML', mails.length, mails.length, reader.fired.size]);
    figures.push(['list of who did what', 1, people.length, admin.fired.size]);
    expect([...reader.fired, ...admin.fired]).toEqual([]);

    for (const command of ['users list', 'roles list', 'audit list --limit 10000', 'posts list', 'enquiries list']) {
      const { code, stdout, stderr } = await runCli(command.split(' '), app.environment);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      // Nothing that controls a terminal, turns the direction of its text, or looks like a line of its own.
      expect({ command, found: stdout.match(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu) }).toEqual({
        command,
        found: null,
      });
      if (!/^(?:users|roles)/.test(command)) continue;
      const words = new Set(stdout.split(/\s+/));
      expect({ command, missing: people.filter(({ email }) => !words.has(email)) }).toEqual({ command, missing: [] });
    }
  });
});
