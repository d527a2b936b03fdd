import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { adminPaths } from '../../src/shared/admin-paths.js';
import type { SettingsView } from '../../src/shared/contracts/settings.js';
import { filePaths, paths } from '../../src/shared/paths.js';
import { callAs, startSession, type MemberSession } from '../support/admin-area.js';
import { runCli } from '../support/cli.js';
import { createInstallation, type Installation } from '../support/installation.js';
import { HtmlPage } from '../support/html.js';
import { startServer } from '../support/process.js';
import { readEach } from '../support/read-each.js';
import { pageRoutes } from '../support/routes.js';
import { until } from '../support/until.js';

const PASSWORD = 'a lamp on the left';
const SLUG = 'a-post';
/** Words that nothing else on the site has. */
const MARKS = {
  company: 'Zephyrine & Sons',
  phone: '(555) 010-0321',
  service: 'Zephyr watching',
  answer: 'Zephyrs answer, plainly.',
  list: 'Zephyr letters',
} as const;
/** Traces that nothing shows before it is published. Not looked for in addresses, which pages repeat. */
const TRACES = /zephyr|010-0321|187\.50|07:15|7:15/i;
const TEXTS = [
  ...pageRoutes,
  paths.blog(SLUG),
  '/search?q=lamp',
  ...[paths.rss, paths.jsonFeed, paths.sitemap, '/robots.txt', '/nothing-here'],
  ...[filePaths.manifest, filePaths.security],
  ...[paths.api.posts, paths.api.post(SLUG), paths.api.blog, paths.api.search('lamp')],
];
/** Pages that a text of these is on. */
const PRICED = [paths.home, paths.pricing, paths.notSure];

type Server = Awaited<ReturnType<typeof startServer>>;
type Texts = Readonly<Record<string, string>>;

let site: Installation;
let first: Server;
let second: Server;
let ada: MemberSession;
const figures: string[] = [];

const fetchText = async ({ url }: Server, path: string) => await (await fetch(url + path)).text();
/** Everything that strangers get, by address. */
const textsOf = (server: Server): Promise<Texts> => readEach(TEXTS, (path) => fetchText(server, path));
const open = (document: string) => callAs<SettingsView>(first.url, ada, 'GET', adminPaths.settings(document));
const stamps = () => site.query<{ stamp: string }>('select distinct stamp from share_images order by 1');

/** The pictures that links to the home page and to the post are shared with; null while one of them is another one's, or missing. */
async function imagesOf(server: Server): Promise<Record<string, string> | null> {
  const found: Record<string, string> = {};
  for (const path of [paths.home, paths.pricing, paths.blog(SLUG)]) {
    const address = new URL(new HtmlPage(await fetchText(server, path)).meta('og:image') ?? '').pathname;
    const answer = await fetch(server.url + address, { redirect: 'manual' });
    if (answer.status !== 200) return null;
    found[address] = Buffer.from(await answer.arrayBuffer()).toString('base64');
  }
  return found;
}

/** Waits for it at each of the servers, and notes for how long. */
async function untilAll(what: string, servers: readonly Server[], holds: (server: Server) => Promise<boolean>) {
  const begunAt = performance.now();
  await Promise.all(servers.map((server) => until(() => holds(server))));
  figures.push(`${what.padEnd(60)} ${Math.round(performance.now() - begunAt)} ms`);
}

beforeAll(async () => {
  site = await createInstallation({ SHARE_IMAGES: 'true' });
  await runCli(['users', 'create', 'ada@it.company', '--admin'], site.environment, `${PASSWORD}\n`);
  [first, second] = [await startServer(site.environment), await startServer(site.environment)];
  ada = await startSession(first.url, { id: '', email: 'ada@it.company', password: PASSWORD });
  const post = { title: 'A lamp', slug: SLUG, author: 'Ada', content: '<p>lamp</p>', is_published: true };
  await callAs(first.url, ada, 'POST', adminPaths.posts, post);
});

afterAll(() => void process.stdout.write(`What is published, in two processes\n${figures.join('\n')}\n`));

it('a price, an hour, a service and an answer are nowhere before they are published, and everywhere in both processes afterwards', async () => {
  const servers = [first, second];
  await untilAll('share images after the start', servers, async (server) => (await imagesOf(server)) !== null);
  // Pages name what was drawn meanwhile.
  const before = { texts: await textsOf(first), images: await imagesOf(first) };
  for (const [path, text] of Object.entries(before.texts))
    expect([path, TRACES.exec(text)?.[0]]).toEqual([path, undefined]);
  expect(await textsOf(second)).toEqual(before.texts);
  const [kept] = [await stamps()];

  const [company, pages] = [await open('company'), await open('pages')];
  const replaceFirst = (name: string, values: object) =>
    (pages.values[name] as readonly object[]).map((entry, index) => (index === 0 ? { ...entry, ...values } : entry));
  const texts = {
    'pricing.plans': replaceFirst('pricing.plans', { price: 187.5 }),
    'home.services': replaceFirst('home.services', { title: MARKS.service }),
    'notSure.doubts': replaceFirst('notSure.doubts', { answer: MARKS.answer }),
    'blogs.title': MARKS.list,
  };
  const facts = { name: MARKS.company, phone: MARKS.phone, open_monday: '07:15-17:30' };
  // Each at another process, which look at the drafts as they will be.
  const save = ({ url }: Server, document: string, revision: number, values: object) =>
    callAs<SettingsView>(url, ada, 'PUT', adminPaths.settingsDraft(document), { revision, values });
  const drafts = {
    company: await save(first, 'company', company.revision, facts),
    pages: await save(second, 'pages', pages.revision, texts),
  };
  for (const [server, document, trace] of [
    [second, 'company', MARKS.phone],
    [first, 'pages', MARKS.service],
  ] as const) {
    const headers = { authorization: `Bearer ${ada.access_token}` };
    const begun = await fetch(server.url + adminPaths.settingsPreview(document), { method: 'POST', headers });
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { path } = (await begun.json()) as { path: string };
    for (const { url } of servers)
      expect(await (await fetch(url + path, { headers: { cookie } })).text()).toContain(trace);
  }
  for (const server of servers) {
    expect(await textsOf(server)).toEqual(before.texts);
    expect(await imagesOf(server)).toEqual(before.images);
    for (const word of [MARKS.service, MARKS.company]) {
      expect(JSON.parse(await fetchText(server, paths.api.search(word)))).toMatchObject({ results: [] });
    }
  }
  expect(await stamps()).toEqual(kept);

  const publish = ({ url }: Server, document: string, { revision }: SettingsView) =>
    callAs<SettingsView>(url, ada, 'POST', adminPaths.settingsPublication(document), { revision });
  await publish(first, 'pages', drafts.pages);
  await publish(second, 'company', drafts.company);
  const isEverywhere = (now: Texts) => {
    const has = (path: string, text: string | RegExp) =>
      typeof text === 'string' ? now[path]!.includes(text) : text.test(now[path]!);
    return [
      ...pageRoutes.map((path) => has(path, /Zephyrine (?:&amp;|&) Sons/)),
      ...[paths.home, paths.contact].map((path) => has(path, MARKS.phone)),
      ...PRICED.map((path) => has(path, '187.50')),
      ...[paths.blog(SLUG), paths.rss, paths.jsonFeed, filePaths.manifest, '/nothing-here'].map((path) =>
        has(path, 'Zephyrine'),
      ),
      ...[paths.rss, paths.jsonFeed, paths.blogs].map((path) => has(path, MARKS.list)),
      has(paths.home, MARKS.service),
      has(paths.notSure, MARKS.answer),
    ].every(Boolean);
  };
  await untilAll('every page, JSON-LD and feed', servers, async (server) => isEverywhere(await textsOf(server)));
  const published = await textsOf(first);
  for (const server of servers) {
    const now = await textsOf(server);
    const jsonLd = (path: string) => JSON.stringify(new HtmlPage(now[path] ?? '').jsonLd());
    expect(jsonLd(paths.home)).toMatch(/"name":"Zephyrine & Sons"/);
    expect(jsonLd(paths.home)).toMatch(/"priceRange":"Up to \$187\.50/);
    expect(jsonLd(paths.home)).toContain('"opens":"07:15","closes":"17:30"');
    expect(jsonLd(paths.pricing)).toContain('"maxPrice":187.5');
    expect(jsonLd(paths.notSure)).toContain(MARKS.answer);
    expect(jsonLd(paths.blog(SLUG))).toContain('Zephyrine');
    for (const name of ['pricing', 'why-choose-us/not-sure-about-it-service', 'blogs', '']) {
      expect(now[paths.sitemap]).toMatch(new RegExp(`<loc>[^<]*[^/]/${name}</loc><lastmod>`));
    }
    // Nothing of what was before is left in a cache of either.
    expect(now).toEqual(published);
  }

  const isNew = (images: Record<string, string> | null) => {
    const [old, next] = [before.images ?? {}, images ?? {}];
    const known = new Set([...Object.keys(old), ...Object.values(old)]);
    return (
      images !== null &&
      Object.entries(next)
        .flat()
        .every((each) => !known.has(each))
    );
  };
  await untilAll('share images', servers, async (server) => isNew(await imagesOf(server)));
  expect(await imagesOf(second)).toEqual(await imagesOf(first));
});

it('are drawn and shown by the other process when the one that published is gone', async () => {
  const { revision } = await callAs<SettingsView>(first.url, ada, 'PUT', adminPaths.settingsDraft('company'), {
    revision: (await open('company')).revision,
    values: { name: 'Boreas Ltd' },
  });
  const before = await imagesOf(second);
  await callAs(first.url, ada, 'POST', adminPaths.settingsPublication('company'), { revision });
  await first.stop('SIGKILL');
  await untilAll('pages of the other process, the publisher killed', [second], async (server) =>
    Object.entries(await textsOf(server)).every(
      ([path, text]) => !pageRoutes.includes(path) || text.includes('Boreas Ltd'),
    ),
  );
  await untilAll('share images of the other process, the publisher killed', [second], async (server) => {
    const images = await imagesOf(server);
    return images !== null && Object.keys(images).every((address) => !Object.hasOwn(before ?? {}, address));
  });
});
