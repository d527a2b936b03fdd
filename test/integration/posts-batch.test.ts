import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BatchService } from '../../src/posts/batch.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { buildForm, createAdministrator, holdClock } from '../support/admin-posts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';

let app: TestApp;
let clock: ReturnType<typeof holdClock>;

interface Outcome {
  readonly changed: string[];
  readonly unchanged: string[];
  readonly refused: { slug: string; reason: string }[];
  readonly unknown: string[];
}

beforeAll(async () => {
  app = await createTestApp({ SITE_TIME_ZONE: 'America/New_York' });
  clock = holdClock(app, '2026-03-01T10:00:00Z');
  await createPosts(app, [
    { slug: 'a-news', tags: ['News', 'Old'], category: 'Security', published_date: '2020-01-01T04:59:00Z' },
    { slug: 'b-news', tags: ['News'], category: 'Backup', published_date: '2020-01-01T05:00:00Z' },
    {
      slug: 'c-draft',
      tags: ['News'],
      category: 'Security',
      published_date: '2021-06-01T12:00:00Z',
      is_published: false,
    },
    {
      slug: 'd-plain',
      tags: null,
      category: null,
      published_date: '2022-01-01T12:00:00Z',
      title: `\u001b[2J${'long '.repeat(20)}`,
    },
  ]);
});

const posts = (...args: string[]) => runCommand(app, ['posts', ...args]);
const json = async (...args: string[]) => {
  const { stdout } = await posts(...args, '--json');
  return JSON.parse(stdout) as Outcome;
};
const chosen = async (...filters: string[]) => {
  const { changed, unchanged } = await json('delete', '--dry-run', ...filters);
  return [...changed, ...unchanged];
};
const published = async () => (await app.get(PostsService).listPublished()).map(({ slug }) => slug).sort();

describe('posts that are chosen', () => {
  it.each([
    [['--all'], ['a-news', 'b-news', 'c-draft', 'd-plain']],
    [
      ['--tag', 'News'],
      ['a-news', 'b-news', 'c-draft'],
    ],
    [['--tag', 'news'], []],
    [
      ['--category', 'Security'],
      ['a-news', 'c-draft'],
    ],
    [
      ['--after', '2020-01-01'],
      ['b-news', 'c-draft', 'd-plain'],
    ],
    [['--before', '2020-01-01'], ['a-news']],
    [
      ['--after', '2020-01-01T00:00-05:00', '--before', '2021-06-01 08:00:01'],
      ['b-news', 'c-draft'],
    ],
    [['--status', 'draft'], ['c-draft']],
    [['--status', 'published', '--tag', 'News', '--category', 'Backup'], ['b-news']],
    [['a-news', 'c-draft', '--status', 'draft'], ['c-draft']],
    [['--all', '--forever'], []],
  ])('are those to which all of it applies: %j', async (filters, slugs) => {
    expect(await chosen(...filters)).toEqual(slugs);
  });

  it.each([
    [['publish'], /name the posts by slug, or give --all or what they have in common/],
    [['publish', 'a-news', '--all'], /name the posts by slug, or give --all/],
    [['delete', '--forever', '--status', 'draft'], /--forever is about posts in the trash/],
    [['delete', '--before', 'yesterday'], /Write it like 2026-01-31/],
    [['delete', '--status', 'gone'], /Allowed choices are draft, published, planned/],
    [['schedule', 'c-draft'], /required option '--at <time>'/],
    [['schedule', 'c-draft', '--at', 'soon'], /Write it like/],
    [['schedule', 'c-draft', '--at', '2026-03-01 04:59'], /The time must be in the future/],
  ])('cannot be chosen like this: %j', async (args, message) => {
    const run = await posts(...args);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
  });
});

describe('a change of posts', () => {
  it('is shown before it is made, and asked about unless each post was named', async () => {
    const preview = [
      'a-news   Post 1  published -> draft',
      'b-news   Post 2  published -> draft',
      `d-plain  [2J${'long '.repeat(8)}long...  published -> draft`,
      '3 to be unpublished, 1 a draft already',
    ].join('\n');
    const trimmed = (text: string) =>
      text.replace(/ {2,}(?=published -> )/g, '  ').replace(/^(\S+ +\S+ \d) +/gm, '$1  ');
    const dry = await posts('unpublish', '--all', '--dry-run');
    expect(trimmed(dry.stdout)).toBe(`${preview} (dry run: nothing was written)\n`);
    expect(dry).toMatchObject({ code: 0, stderr: '' });

    const unasked = await posts('unpublish', '--all');
    expect(unasked).toMatchObject({ code: 2 });
    expect(unasked.stderr).toContain('Unpublish these 3 posts?\nNobody can be asked here: give --yes');
    expect(trimmed(unasked.stdout)).toBe(`${preview}\n`);
    const declined = await runCommand(app, ['posts', 'unpublish', '--all'], 'no\n', { isTerminal: true });
    expect(declined.code).toBe(2);
    expect(declined.stderr).toContain('Nothing was changed.');
    expect(await published()).toEqual(['a-news', 'b-news', 'd-plain']);

    expect(await posts('unpublish', '--tag', 'news')).toMatchObject({
      code: 0,
      stdout: '0 unpublished\nNo post is so. Tags and categories are written with their capitals.\n',
    });
    const agreed = await runCommand(app, ['posts', 'unpublish', '--tag', 'News'], 'yes\n', { isTerminal: true });
    expect(agreed.code).toBe(0);
    expect(agreed.stdout).toMatch(
      /unpublished {2}a-news\nunpublished {2}b-news\na draft already {2}c-draft\n2 unpublished\n$/,
    );
    expect(await published()).toEqual(['d-plain']);
    expect(await posts('publish', 'a-news', 'b-news')).toMatchObject({ code: 0, stderr: '' });
    expect(await published()).toEqual(['a-news', 'b-news', 'd-plain']);
  });

  it('plans posts for a time of the site, until which they can be chosen as planned', async () => {
    // Far ahead: the queue goes by the clock of the database, and would be at it too.
    const at = ['--at', '2096-12-01 09:00'];
    const run = await posts('schedule', 'c-draft', 'a-news', ...at);
    expect(run).toMatchObject({ code: 1, stderr: 'a-news is published already\n' });
    expect(run.stdout).toBe('scheduled  c-draft\n1 scheduled for 2096-12-01 09:00 (America/New_York)\n');
    expect(await json('schedule', '--status', 'planned', ...at)).toMatchObject({ changed: [], unchanged: ['c-draft'] });
    const [job] = await app
      .get(EntityManager)
      .fork()
      .execute<{ start_after: Date }[]>(`select start_after from pgboss.job where name = 'publish-posts'`);
    expect(new Date(job!.start_after).toISOString()).toBe('2096-12-01T14:00:00.000Z');
    expect((await posts('unpublish', 'c-draft', '--dry-run')).stdout).toContain(
      'planned for 2096-12-01 09:00 (America/New_York) -> draft',
    );
    clock.set('2096-12-01T14:00:00Z');
    expect(await app.get(SchedulingService).publishDue()).toBe(1);
    expect(await published()).toContain('c-draft');
  });

  it('leaves posts alone that cannot be published, and says why', async () => {
    const ada = await createAdministrator(app, 'ada@example.com');
    const { body: saved } = await ada.call('POST', '/posts', { ...buildForm(), slug: 'half', is_published: true });
    const copy = { version: saved.version, fields: { ...saved.saved, title: 'Half' } };
    await ada.call('PUT', `/posts/${saved.id}/working-copy`, copy);
    await posts('unpublish', 'half');
    const id = '7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e01';
    const empty = { version: 0, fields: { ...saved.saved, title: 'Never', content: '' } };
    expect((await ada.call('PUT', `/posts/${id}/working-copy`, empty)).status).toBe(200);
    const run = await posts('publish', '--status', 'draft', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(
      /^half has changes that nobody saved or discarded\nuntitled-\w+ was never saved: it lacks/,
    );
    const bulk = await ada.call('POST', '/posts/bulk', { action: 'publish', posts: [{ id, version: 1 }] });
    expect(bulk.body).toMatchObject({ results: [{ outcome: 'invalid' }] });
    expect((await posts('schedule', 'half', '--at', '2097-01-01', '--dry-run')).stdout).toMatch(
      /stays draft: it has changes/,
    );
  });

  it('puts posts into the trash, and removes them for good only from there', async () => {
    expect(await json('delete', 'a-news', 'd-plain')).toMatchObject({ changed: ['a-news', 'd-plain'] });
    expect(await published()).not.toContain('a-news');
    expect((await posts('delete', 'b-news', '--forever', '--yes')).code).toBe(2);
    expect((await posts('delete', 'a-news', '--forever')).stderr).toContain('Delete for good this post?');
    const run = await posts('delete', 'a-news', '--forever', '--yes');
    expect(run).toMatchObject({ code: 0, stdout: 'deleted for good  a-news\n1 deleted for good\n' });
    expect(await json('delete', '--all', '--forever', '--yes')).toMatchObject({ changed: ['d-plain'] });
  });

  it('takes many posts in parts, each as it was when it was planned', async () => {
    await createPosts(
      app,
      Array.from({ length: 250 }, () => ({ category: 'Many', is_published: false })),
    );
    const dry = await posts('publish', '--category', 'Many', '--dry-run');
    expect(dry.stdout).toContain('\n... and 230 more\n250 to be published');
    const batch = app.get(BatchService);
    const { posts: planned } = await batch.plan(OPERATOR, { kind: 'publish' }, { category: 'Many' });
    const { changed } = await json('publish', '--category', 'Many', '--yes');
    expect(changed).toHaveLength(250);
    const [late] = await batch.apply(OPERATOR, { kind: 'unpublish' }, planned.slice(0, 1));
    expect(late?.outcome).toBe('changed-meanwhile');
  });

  it('says what it has changed until it broke off, and why, as text and as JSON', async () => {
    await createPosts(
      app,
      Array.from({ length: 201 }, () => ({ category: 'Cut' })),
    );
    const batch = app.get(BatchService);
    const apply = batch.apply.bind(batch);
    const outage = jest.spyOn(batch, 'apply');
    try {
      for (const verb of ['unpublish', 'publish']) {
        outage.mockImplementationOnce(apply).mockRejectedValueOnce(new Error('gone away'));
        const run = await posts(verb, '--category', 'Cut', '--yes', ...(verb === 'publish' ? ['--json'] : []));
        expect(run).toMatchObject({ code: 2, stderr: 'Error: gone away\n' });
        if (verb === 'unpublish') {
          expect(run.stdout).toMatch(/\n200 unpublished, then it broke off\n$/);
          expect(run.stdout.split('\n')).toHaveLength(202);
          // Nothing to tell of.
          outage.mockRejectedValueOnce(new Error('gone away'));
          expect(await posts(verb, '--category', 'Cut', '--yes')).toMatchObject({ code: 2, stdout: '' });
          expect((await json(verb, '--category', 'Cut', '--yes')).changed).toHaveLength(1);
        } else {
          const told = JSON.parse(run.stdout) as Outcome;
          expect(told).toMatchObject({ changed: { length: 200 }, error: 'gone away' });
          expect(await published()).toEqual(expect.arrayContaining(told.changed));
        }
      }
    } finally {
      outage.mockRestore();
    }
  });

  it('writes slugs of strangers on lines of their own, without what controls a terminal', async () => {
    const slug = 'turned-\u202e-slug\npublished  everything';
    await createPosts(app, [{ slug, category: 'Strange', content: '<p>Zebra</p>' }]);
    const shown = 'turned--slug published  everything';
    expect((await posts('unpublish', '--category', 'Strange', '--yes')).stdout).toBe(
      `unpublished  ${shown}\n1 unpublished\n`,
    );
    expect((await posts('unpublish', '--category', 'Strange', '--yes')).stdout).toBe(
      `a draft already  ${shown}\n0 unpublished\n`,
    );
    const [first] = (await posts('search-replace', 'Zebra', 'Okapi', '--category', 'Strange')).stdout.split('\n');
    expect(first).toBe(`${shown} (not published)`);
    // Programs get it as it is.
    expect((await json('publish', '--category', 'Strange', '--yes')).changed).toEqual([slug]);
  });

  it('knows slugs, tags and categories however their letters are composed', async () => {
    await createPosts(app, [{ slug: 'caf\u00e9', tags: ['Men\u00fc'], category: 'B\u00fccher' }]);
    const apart = (text: string) => text.normalize('NFD');
    for (const choice of [[apart('caf\u00e9')], ['--tag', apart('Men\u00fc')], ['--category', apart('B\u00fccher')]]) {
      expect(await json('unpublish', ...choice, '--dry-run')).toMatchObject({ changed: ['caf\u00e9'], unknown: [] });
    }
    const found = await posts('search-replace', 'Post', 'Text', apart('caf\u00e9'), '--in', 'title');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).toContain('1 place in 1 post');
  });

  it('is seen in the list, which tells planned posts from drafts', async () => {
    await createPosts(app, [{ slug: 'planned-one', title: 'Planned', is_published: false }]);
    const listed = async () => {
      const { stdout } = await posts('list', '--json');
      return (JSON.parse(stdout) as { readonly slug: string }[]).find(({ slug }) => slug === 'planned-one');
    };
    expect((await posts('list')).stdout).toMatch(/^draft {6}\w{3} \d+, \d{4} +planned-one +Planned$/m);
    expect(await listed()).toMatchObject({ is_published: false, scheduled_at: null });
    await posts('schedule', 'planned-one', '--at', '2097-12-24 23:30');
    expect((await posts('list')).stdout).toMatch(/^planned {4}Dec 24, 2097 +planned-one +Planned$/m);
    expect(await listed()).toMatchObject({ is_published: false, scheduled_at: '2097-12-25T04:30:00.000Z' });
  });

  it('says of posts that were named and are not chosen where they are, and of none that there is no such post', async () => {
    await createPosts(app, [{ slug: 'f-live' }, { slug: 'g-trashed' }]);
    await posts('delete', 'g-trashed');
    for (const [args, stderr] of [
      [['publish', 'g-trashed'], 'g-trashed is in the trash: restore it first'],
      [['delete', 'g-trashed'], 'g-trashed is in the trash already'],
      [['delete', 'f-live', '--forever', '--yes'], 'f-live is not in the trash'],
      [
        ['unpublish', 'f-live', '--status', 'draft'],
        'f-live is left: what else is said of the posts does not apply to it',
      ],
      [['publish', 'h-nowhere'], 'no post has the slug h-nowhere'],
    ] as const) {
      expect(await posts(...args)).toMatchObject({ code: 2, stderr: `${stderr}\n` });
    }
    expect(await published()).toContain('f-live');
  });
});
