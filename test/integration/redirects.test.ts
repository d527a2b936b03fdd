import { once } from 'node:events';
import { lstatSync, readFileSync, writeFileSync, symlinkSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { AuditLogService } from '../../src/audit/audit-log.service.js';
import { LinksService } from '../../src/links/links.service.js';
import { PostListService } from '../../src/posts/post-list.service.js';
import { EditingService } from '../../src/posts/editing.service.js';
import { WorkingCopiesService } from '../../src/posts/working-copies.service.js';
import { TrashService } from '../../src/posts/trash.service.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PostListQuery } from '../../src/shared/contracts/admin-post-inputs.js';
import type { RedirectImportReport, RedirectInput } from '../../src/shared/contracts/redirects.js';
import { paths } from '../../src/shared/paths.js';
import { runCommand } from '../support/command.js';
import { hearChanges } from '../support/content-ear.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { buildPost, changePosts, createPosts } from '../support/factories.js';
import { askWhere, keepRedirects, outcomes } from '../support/redirects.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const ASKED_EACH_TIME = 'public, max-age=0, s-maxage=5, must-revalidate';

let app: TestApp;
let redirects: RedirectsService;
const folder = temporaryFolder();

beforeAll(async () => {
  app = await createTestApp();
  redirects = app.get(RedirectsService);
});

const keep = (items: readonly RedirectInput[]) => keepRedirects(app, items);
const get = (url: string) => askWhere(app, url);
const cli = (...args: string[]) => runCommand(app, args);

describe('redirects of imports', () => {
  const old = { path: '/2019/05/Backups.html', target: '/blogs/backups' };

  it('are written with their posts or not at all, and once', async () => {
    const failing = app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        await redirects.keep(em, [old]);
        throw new Error('The post could not be written');
      });
    await expect(failing).rejects.toThrow('The post could not be written');
    expect(await redirects.list(OPERATOR)).toEqual([]);
    expect(outcomes(await redirects.predict([old]))).toEqual(['created']);
    expect(outcomes(await keep([old]))).toEqual(['created']);
    expect(outcomes(await keep([old]))).toEqual(['unchanged']);
    expect(outcomes(await keep([{ ...old, target: '/blogs/copies/' }]))).toEqual(['changed']);
    expect(await redirects.list(OPERATOR)).toMatchObject([{ ...old, target: '/blogs/copies', origin: 'import' }]);
  });

  it('leave out what leads nowhere new, and what an operator recorded', async () => {
    await redirects.save(OPERATOR, [{ path: '/mine', target: '/pricing' }]);
    const items = [
      { path: '/mine/', target: '/blogs/theirs' },
      { path: '/blogs/same/', target: '/blogs/same' },
      { path: '/about', target: '/blogs/x' },
      { path: '/?cat=12', target: '/blogs/x' },
    ];
    expect(outcomes(await keep(items))).toEqual([
      'needless: an operator lets it lead to /pricing',
      'needless: the path is its own target',
      'refused: it is a page of this site',
      'refused: the path must end before a ? or #',
    ]);
  });

  it('never lead in a circle, whoever records them', async () => {
    const links = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({
        path: `/chain/${from + index}`,
        target: `/chain/${from + index + 1}#x`,
      }));
    expect(
      outcomes(
        await keep([
          { path: '/one', target: '/two' },
          { path: '/two', target: '/one?x' },
        ]),
      ),
    ).toEqual(['created', 'refused: it would lead in a circle']);
    expect(await redirects.predict([{ path: '/two', target: '/one' }])).toEqual([
      { path: '/two', target: '/one', outcome: 'refused', reason: 'it would lead in a circle' },
    ]);
    expect(outcomes(await redirects.save(OPERATOR, [{ path: '/two', target: `${app.config.site.url}/one` }]))).toEqual([
      'refused: it would lead in a circle',
    ]);
    await redirects.save(OPERATOR, links(1, 12));
    const lengthen = async (target: string) => outcomes(await redirects.save(OPERATOR, [{ path: '/chain/0', target }]));
    expect(await lengthen('/chain/1')).toEqual(['refused: it would lead on more than 10 times']);
    expect(await lengthen('/chain/2')).toEqual(['refused: it would lead on more than 10 times']);
    expect(await lengthen('/chain/3')).toEqual(['created']);
    expect(await get('/chain/0')).toBe('301 /chain/12#x');
    expect(await get('/chain/2')).toBe('301 /chain/12#x');
  });

  it('are decided as if those before them were recorded, but not those that are left out', async () => {
    await redirects.save(OPERATOR, [{ path: '/held', target: '/pricing' }]);
    const results = await keep([
      { path: '/held', target: '/loose' },
      { path: '/loose', target: '/held' },
      { path: '/held', target: '/loose/' },
      { path: '/loose', target: '/loose/2' },
      { path: '/loose/1', target: '/loose/1#top' },
      { path: '/loose/1', target: '/loose' },
    ]);
    expect(results).toEqual([
      {
        path: '/held',
        target: '/loose',
        outcome: 'needless',
        reason: 'an operator lets it lead to /pricing',
        kept: null,
      },
      {
        path: '/loose',
        target: '/held',
        outcome: 'created',
        reason: null,
        kept: { path: '/loose', target: '/held', former: null },
      },
      {
        path: '/held',
        target: '/loose',
        outcome: 'needless',
        reason: 'an operator lets it lead to /pricing',
        kept: null,
      },
      {
        path: '/loose',
        target: '/loose/2',
        outcome: 'refused',
        reason: 'it was said before to lead to /held',
        kept: null,
      },
      {
        path: '/loose/1',
        target: '/loose/1#top',
        outcome: 'needless',
        reason: 'the path is its own target',
        kept: null,
      },
      {
        path: '/loose/1',
        target: '/loose',
        outcome: 'refused',
        reason: 'it was said before to lead to /loose/1#top',
        kept: null,
      },
    ]);
  });

  it('never lead in a circle of two that are recorded at the same time', async () => {
    const em = app.get(EntityManager).fork();
    await em.begin();
    await redirects.keep(em, [{ path: '/here', target: '/there' }]);
    let isSettled = false;
    const second = redirects.save(OPERATOR, [{ path: '/there', target: '/here' }]).finally(() => (isSettled = true));
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => isSettled || (await app.get(EntityManager).fork().execute(waiting)).length > 0);
    await em.commit();
    expect(outcomes(await second)).toEqual(['refused: it would lead in a circle']);
  });

  it('of a renamed term hold no row while they wait for others that may change it', async () => {
    const em = app.get(EntityManager).fork({ disableTransactions: true });
    const follow = (from: string, to: string) =>
      app
        .get(EntityManager)
        .fork()
        .transactional((own) => redirects.follow(own, { path: `/blogs/tag/${from}`, target: `/blogs/tag/${to}` }));
    await follow('first', 'second');
    const isWaiting = async () =>
      (
        await em.execute<object[]>(
          `select pid from pg_locks join pg_database on pg_database.oid = database
           where datname = current_database() and locktype = 'advisory' and objid = ? and not granted`,
          [ADVISORY_LOCKS.redirects],
        )
      ).length > 0;
    let following: Promise<void> | undefined;
    await app
      .get(EntityManager)
      .fork()
      .transactional(async (own) => {
        await own.execute('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS.redirects]);
        // It removes what leads away from the new name.
        following = follow('second', 'first');
        await until(isWaiting);
        await own.execute("select from redirects where path = '/blogs/tag/first' for update nowait");
      });
    await following;
    expect(await em.execute("delete from redirects where origin = 'rename' returning path")).toEqual([
      { path: '/blogs/tag/second' },
    ]);
  });

  it('are replaced by those of an operator, which keep the day of the first', async () => {
    await keep([{ path: '/taken', target: '/blogs/a' }]);
    const recorded = async () => (await redirects.list(OPERATOR)).find(({ path }) => path === '/taken');
    const first = await recorded();
    await redirects.save(OPERATOR, [{ path: '/taken', target: '/pricing' }]);
    expect(first).toMatchObject({ origin: 'import', created_at: expect.stringMatching(/^20\d\d-.*Z$/) });
    expect(await recorded()).toEqual({ ...first, target: '/pricing', origin: 'operator' });
  });

  it('are told of to every process that keeps pages', async () => {
    const countChanges = await hearChanges(app.config.database.url);
    await keep([{ path: '/told', target: '/blogs/a' }]);
    expect(await countChanges()).toBe(1);
    await redirects.remove(OPERATOR, ['/told']);
    expect(await countChanges()).toBe(2);
  });
});

describe('numbers of old posts', () => {
  it('lead to the post that had them while readers can see it; others are not there, and no kept page says otherwise', async () => {
    await createPosts(app, [
      { slug: 'numbered', is_published: true },
      { slug: 'hidden', is_published: false },
    ]);
    await keep([
      { path: '/?p=12', target: '/blogs/numbered' },
      { path: '/?page_id=13', target: '/blogs/hidden' },
    ]);
    for (let times = 0; times < 2; times += 1) {
      expect(await get('/')).toBe(200);
      expect(await get('/?utm=x&p=12')).toBe('301 /blogs/numbered');
      for (const url of ['/?page_id=13', '/?page_id=12', '/?p=13', '/?p=12x', '/?cat=12'])
        expect(await get(url)).toBe(200);
      expect(await get('/pricing?p=12')).toBe(200);
    }
    const { headers } = await app.inject({ url: '/?p=12' });
    expect(headers['cache-control']).toBe(ASKED_EACH_TIME);
    await redirects.remove(OPERATOR, ['/?p=12']);
    expect(await get('/?p=12')).toBe(200);
  });
});

describe('redirects by hand', () => {
  it('are removed by any spelling of their path; what has none is named as it was written', async () => {
    await redirects.save(OPERATOR, [
      { path: '/gone/1', target: '/pricing' },
      { path: '/gone/2', target: 'https://other.example.com/' },
    ]);
    expect(await redirects.find('/gone/2/')).toMatchObject({ target: 'https://other.example.com/', path: null });
    const named = ['/gone/1/', 'no path', '//gone//2', '/gone/3/'];
    expect(await redirects.remove(OPERATOR, named)).toEqual({
      removed: ['/gone/1', '/gone/2'],
      unknown: ['no path', '/gone/3/'],
    });
    expect(await redirects.find('/gone/1')).toBeNull();
    expect(await redirects.find('no path')).toBeNull();
  });

  it('lead by their target to the paths of a post', async () => {
    await redirects.save(OPERATOR, [
      { path: '/way/b', target: '/blogs/way' },
      { path: '/way/a', target: '/blogs/way' },
      { path: '/way/c', target: '/blogs/way-2' },
      // Pages spell it in another way.
      { path: '/way/d', target: paths.blog('way & means') },
    ]);
    const sources = await app
      .get(EntityManager)
      .fork()
      .transactional((em) => redirects.findSources(em, ['/blogs/way', '/blogs/none', paths.blog('way & means')]));
    expect(sources).toEqual(
      new Map([
        ['/blogs/way', ['/way/a', '/way/b']],
        ['/blogs/way%20%26%20means', ['/way/d']],
      ]),
    );
  });

  it('change nothing, and tell nobody, when there is nothing to record', async () => {
    await redirects.save(OPERATOR, [{ path: '/still', target: '/pricing' }]);
    const countChanges = await hearChanges(app.config.database.url);
    expect(await redirects.save(OPERATOR, [])).toEqual([]);
    expect(outcomes(await redirects.save(OPERATOR, [{ path: '/still', target: '/pricing' }]))).toEqual(['unchanged']);
    expect((await redirects.remove(OPERATOR, ['/never-there'])).removed).toEqual([]);
    expect(await countChanges()).toBe(0);
  });
});

describe('old addresses', () => {
  it('lead on with 301 however they are written; what the visitor asked besides is left out', async () => {
    await redirects.save(OPERATOR, [
      { path: '/old/page.html', target: '/pricing' },
      { path: '/index.php/über uns', target: '/contact?topic=x#form' },
      { path: '/elsewhere', target: 'https://other.example.com/a?b' },
    ]);
    for (const [address, answer] of [
      ['/old/page.html', '301 /pricing'],
      ['/old/page.html/', '301 /pricing'],
      ['/old//page.html?utm=1', '301 /pricing'],
      ['/index.php/%C3%BCber%20uns', '301 /contact?topic=x#form'],
      ['/index.php/%c3%bcber%20uns/', '301 /contact?topic=x#form'],
      // Else browsers carry on the place of the address that was asked for, and with it what a sign-in left there.
      ['/elsewhere?x=1', '301 https://other.example.com/a?b#'],
      ['/Old/page.html', 404],
      ['/never/', '301 /never'],
      ['/never', 404],
      ['/about/', '301 /about'],
      ['/%00', 404],
      ['/caf%E9', 404],
    ] as const) {
      expect([address, await get(address)]).toEqual([address, answer]);
    }
    // Browsers keep what does not say for how long, for ever.
    for (const url of ['/old/page.html', '/old/page.html/', '/index.php/%C3%BCber%20uns/', '/about/', '/PRICING']) {
      const { statusCode, headers } = await app.inject({ url });
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 301, ASKED_EACH_TIME]);
    }
    const head = await app.inject({ method: 'HEAD', url: '/old/page.html' });
    expect([head.statusCode, head.headers.location]).toEqual([301, '/pricing']);
    expect((await app.inject({ method: 'POST', url: '/old/page.html' })).statusCode).toBe(404);
  });

  it('that led to another site lead to pages here once that is the address of this one, and never to themselves', async () => {
    const DATABASE_URL = await cloneDatabase();
    const former = await createTestApp({ DATABASE_URL, PUBLIC_URL: 'http://former.test' });
    const recorded = [
      { path: '/team', target: 'http://site.test/team' },
      { path: '/people', target: 'http://site.test/team' },
      { path: '/prices', target: 'http://site.test/pricing#plans' },
      { path: '/costs', target: 'http://site.test/prices' },
      { path: '/two', target: 'http://site.test/one' },
      { path: '/*', target: 'http://site.test/:splat' },
    ];
    expect(new Set(outcomes(await former.get(RedirectsService).save(OPERATOR, recorded)))).toEqual(
      new Set(['created']),
    );
    expect(await askWhere(former, '/team')).toBe('301 http://site.test/team#');
    expect(await askWhere(former, '/any/thing')).toBe('301 http://site.test/any/thing#');
    await former.close();

    const present = await createTestApp({ DATABASE_URL, PUBLIC_URL: 'http://site.test' });
    for (const [address, answer] of [
      ['/team', 404],
      ['/any/thing', 404],
      ['/people', '301 /team'],
      ['/costs', '301 /pricing#plans'],
    ] as const) {
      expect([address, await askWhere(present, address)]).toEqual([address, answer]);
    }
    const { links } = await present.get(LinksService).check(OPERATOR, ['/people', '/costs']);
    expect(links.map(({ state }) => state)).toEqual(['missing', 'found']);
    const added = [
      { path: '/staff', target: '/team' },
      { path: '/one', target: '/two' },
    ];
    expect(outcomes(await present.get(RedirectsService).save(OPERATOR, added))).toEqual([
      'created',
      'refused: it would lead in a circle',
    ]);
  });

  it('of feeds that other systems have lead to ours, unless a redirect is recorded', async () => {
    for (const path of ['/feed', '/feed/', '/rss', '/feed.xml', '/atom.xml', '/index.xml', '/feed/?x=1']) {
      expect([path, await get(path)]).toEqual([path, '301 /rss.xml']);
    }
    expect(await get('/feed/other')).toBe(404);
    await redirects.save(OPERATOR, [{ path: '/atom.xml', target: '/feed.json' }]);
    expect(await get('/atom.xml')).toBe('301 /feed.json');
    await redirects.remove(OPERATOR, ['/atom.xml']);
    expect(await get('/atom.xml')).toBe('301 /rss.xml');
  });

  it('lead to the newest address of a post, and only while readers can see it', async () => {
    const post = buildPost({ slug: 'moving' });
    await createPosts(app, [post]);
    await redirects.save(OPERATOR, [
      { path: '/feed/moving.html', target: '/moved#part' },
      { path: '/moved', target: '/blogs/moving#whole' },
      { path: '/blogs/moving', target: '/pricing' },
    ]);
    expect(await get('/blogs/moving')).toBe(200);
    expect(await get('/feed/moving.html')).toBe('301 /blogs/moving#whole');

    const find = async () => {
      const { items } = await app
        .get(PostListService)
        .list(OPERATOR, Object.assign(new PostListQuery(), { q: post.title }));
      return items[0]!;
    };
    const { id, version } = await find();
    await app.get(EditingService).save(OPERATOR, id, { ...post, slug: 'has-moved', version });
    expect(await get('/feed/moving.html')).toBe('301 /blogs/has-moved#whole');
    expect(await get('/blogs/moving')).toBe('301 /blogs/has-moved');

    await redirects.remove(OPERATOR, ['/blogs/moving']);
    await changePosts(app, 'unpublish', ['has-moved']);
    expect(await get('/feed/moving.html')).toBe(404);
    await app.get(TrashService).trash(OPERATOR, id, (await find()).version);
    expect(await get('/moved')).toBe(404);
    expect(await get('/blogs/moving')).toBe(404);
  });

  it.each(['saved', 'kept'])(
    'lead to a draft that an import brought also if it was %s at another address before anybody saw it',
    async (how) => {
      const drafts = [
        buildPost({ slug: `drafted & ${how}`, is_published: false }),
        buildPost({ slug: `drafted & ${how}-alone`, is_published: false }),
      ];
      await createPosts(app, drafts);
      await keep([{ path: `/2018/${how}.html`, target: paths.blog(`drafted & ${how}`) }]);
      for (const post of drafts) {
        const query = Object.assign(new PostListQuery(), { q: post.title });
        const { items } = await app.get(PostListService).list(OPERATOR, query);
        const { id, version } = items.find(({ slug }) => slug === post.slug)!;
        const slug = `${post.slug}-anew`;
        if (how === 'saved') await app.get(EditingService).save(OPERATOR, id, { ...post, slug, version });
        else await app.get(WorkingCopiesService).keep(OPERATOR, id, { fields: { slug }, version });
      }
      expect(await get(`/2018/${how}.html`)).toBe(404);
      await changePosts(app, 'publish', [`drafted & ${how}-anew`, `drafted & ${how}-alone-anew`]);
      expect(await get(`/2018/${how}.html`)).toBe(`301 ${paths.blog(`drafted & ${how}-anew`)}`);
      expect(await get(paths.blog(`drafted & ${how}`))).toBe(`301 ${paths.blog(`drafted & ${how}-anew`)}`);
      // Nothing ever led to that one: others can have its address.
      await createPosts(app, [{ slug: `drafted & ${how}-alone` }]);
      expect(await get(paths.blog(`drafted & ${how}-alone`))).toBe(200);
    },
  );
});

describe('cli redirects', () => {
  it('imports files, says what is wrong by line, and changes nothing the second time', async () => {
    const file = join(folder, '_redirects');
    writeFileSync(file, '/cli/a /pricing 301\n/cli/b /cli/a\n/cli/*/c /x\n/about /x\n/cli/a /contact\n');
    const dry = await cli('redirects', 'import', file, '--dry-run');
    expect(dry.stdout).toContain(
      '2 created, 0 changed, 0 unchanged, 0 needless, 3 refused (dry run: nothing was written)',
    );
    expect((await cli('redirects', 'list')).stdout).not.toContain('/cli/a');
    const run = await cli('redirects', 'import', file);
    expect(run).toMatchObject({ code: 1, stderr: '' });
    expect(run.stdout).toBe(
      [
        'created    line 1: /cli/a -> /pricing',
        'created    line 2: /cli/b -> /cli/a',
        'refused    line 3: /cli/*/c -> /x',
        '           reason: a * stands for the rest of an address, at its end: /blog/*',
        'refused    line 4: /about -> /x',
        '           reason: it is a page of this site',
        'refused    line 5: /cli/a -> /contact',
        '           reason: it was said before to lead to /pricing',
        '',
        '2 created, 0 changed, 0 unchanged, 0 needless, 3 refused',
        '',
      ].join('\n'),
    );
    const again = await cli('redirects', 'import', file, '--json');
    const report = JSON.parse(again.stdout) as RedirectImportReport & { counts: object };
    expect(report.counts).toEqual({ created: 0, changed: 0, unchanged: 2, needless: 0, refused: 3 });
    expect(report.items[1]).toEqual({
      place: 'line 2',
      path: '/cli/b',
      target: '/cli/a',
      outcome: 'unchanged',
      reason: null,
    });
  });

  it.each(['csv', 'json', 'hosts'])('imports what it exported as %s without a change', async (format) => {
    const file = join(folder, `export.${format}`);
    const before = await redirects.list(OPERATOR);
    expect(await cli('redirects', 'export', file, '--format', format)).toMatchObject({ code: 0, stdout: '' });
    expect(await cli('redirects', 'export', file, '--format', format)).toMatchObject({
      code: 2,
      stderr: `Error: ${file} is there already (--force replaces it)\n`,
    });
    const link = join(folder, `${format}.link`);
    symlinkSync(file, link);
    expect(await cli('redirects', 'export', link, '--format', format, '--force')).toMatchObject({ code: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const printed = await cli('redirects', 'export', '--format', format);
    expect(printed.stdout).toBe(readFileSync(file, 'utf8'));
    const run = await cli('redirects', 'import', file);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(`0 created, 0 changed, ${before.length} unchanged, 0 needless, 0 refused\n`);
    expect(await redirects.list(OPERATOR)).toEqual(before);
  });

  it.each(['named.json', 'NAMED.JSON', '_redirects', 'named.csv', 'named'])(
    'exports what the name %s says, so that it can be imported again',
    async (name) => {
      const file = join(temporaryFolder(), name);
      const before = await redirects.list(OPERATOR);
      expect(await cli('redirects', 'export', file)).toMatchObject({ code: 0, stdout: '', stderr: '' });
      const run = await cli('redirects', 'import', file);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toBe(`0 created, 0 changed, ${before.length} unchanged, 0 needless, 0 refused\n`);
      const isCsv = readFileSync(file, 'utf8').startsWith('path,target\n');
      expect(isCsv).toBe(name === 'named.csv' || name === 'named');
    },
  );

  it('adds, replaces and removes, which the audit log tells', async () => {
    expect((await cli('redirects', 'add', '/hand/', '/about')).stdout).toBe('created  /hand -> /about\n');
    expect((await cli('redirects', 'add', '/hand', '/terms')).stdout).toBe('changed  /hand -> /terms\n');
    const removed = await cli('redirects', 'remove', '/hand', '/never-there');
    expect(removed).toMatchObject({
      code: 1,
      stdout: 'removed  /hand\n',
      stderr: '/never-there has no redirect\n',
    });
    const { items } = await app.get(AuditLogService).list(OPERATOR, { subject_type: 'redirect', subject_id: '/hand' });
    expect(items.map(({ action, subject, details }) => [action, subject, details['target']])).toEqual([
      ['redirect.removed', '/hand', '/terms'],
      ['redirect.changed', '/hand', '/terms'],
      ['redirect.created', '/hand', '/about'],
    ]);
  });

  it('answers with 2 when nothing could be done', async () => {
    const broken = join(folder, 'latin-1.csv');
    writeFileSync(broken, Buffer.from('/caf\xe9,/x\n', 'latin1'));
    for (const [args, message] of [
      [['add', '/admin/x', '/about'], '/admin/x: the site answers everything under /admin itself'],
      [['add', '/x', '//evil.example.com'], 'the target must be a path of this site'],
      [['remove', '/never-there'], '/never-there has no redirect'],
      [['import', join(folder, 'none.csv')], 'no such file'],
      [['import', broken], 'is not in UTF-8'],
      [['export', '--format', 'xml'], 'Allowed choices are csv, json, hosts'],
    ] as const) {
      const run = await cli('redirects', ...args);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain(message);
    }
  });
});

describe('a page under another spelling of its address', () => {
  it('leads to the one spelling, in one step, unless a redirect is recorded for the other', async () => {
    await createPosts(app, [{ slug: 'spelled-once' }, { slug: 'c++' }]);
    await redirects.save(OPERATOR, [{ path: '/Blogs/Spelled-Once', target: '/about' }]);
    const url = new URL(await app.listen());
    const answers: Record<string, string | number> = {};
    const asked = [
      '/Pricing',
      '/Pricing/?from=mail',
      '/why-Choose-us/Our-Promise//',
      '/Blogs/spelled-once',
      '/Blogs/Spelled-Once',
      '/blogs/Spelled-Once',
      '/BLOGS/SPELLED-ONCE/',
      '/Auth/Recover',
      '/Admin/Blogs',
      '/about/../pricing',
      '/%70ricing',
      '/blogs/c++',
      '/Never-Written/',
      '/Api/posts',
      '//elsewhere.example/',
      '/\\elsewhere.example/',
    ];
    // Parsing an address would change some of them.
    for (const path of asked) {
      const call = request({ host: url.hostname, port: url.port, path, agent: false }).end();
      const [{ statusCode = 0, headers }] = (await once(call, 'response')) as [IncomingMessage];
      call.destroy();
      answers[path] = headers.location === undefined ? statusCode : `${statusCode} ${headers.location}`;
    }
    expect(answers).toEqual({
      '/Pricing': '301 /pricing',
      '/Pricing/?from=mail': '301 /pricing',
      '/why-Choose-us/Our-Promise//': '301 /why-choose-us/our-promise',
      '/Blogs/spelled-once': '301 /blogs/spelled-once',
      '/Blogs/Spelled-Once': '301 /about',
      '/blogs/Spelled-Once': '301 /blogs/spelled-once',
      '/BLOGS/SPELLED-ONCE/': '301 /blogs/spelled-once',
      '/Auth/Recover': '301 /auth/recover',
      '/Admin/Blogs': '301 /admin/blogs',
      '/about/../pricing': 200,
      // Proxies escape and unescape as they like: to answer with a redirect would lead in a circle.
      '/%70ricing': 200,
      '/blogs/c++': 200,
      '/Never-Written/': '301 /Never-Written',
      '/Api/posts': 404,
      '//elsewhere.example/': '301 /elsewhere.example',
      '/\\elsewhere.example/': '301 /elsewhere.example',
    });
    const { body } = await app.inject({ url: '/%70ricing' });
    expect(/rel="canonical" href="([^"]*)"/.exec(body)?.[1]).toBe(`${app.config.site.url}/pricing`);
  });
});
