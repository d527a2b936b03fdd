import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildForm, createAdministrator, holdClock } from '../support/admin-posts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ SITE_TIME_ZONE: 'America/New_York' });
  holdClock(app, '2026-03-01T10:00:00Z');
});

const posts = (...args: string[]) => runCommand(app, ['posts', ...args]);

describe('words that are replaced in posts', () => {
  interface Found {
    readonly posts: {
      slug: string;
      refusal: string | null;
      places: { part: string; isUnsaved: boolean }[];
      notes: string[];
    }[];
    readonly counts: { posts: number; places: number; refused: number };
    readonly unknown: string[];
  }
  const replace = async (...args: string[]) => {
    const run = await posts('search-replace', ...args, '--json');
    return { ...run, found: JSON.parse(run.stdout) as Found };
  };
  const rowOf = async (slug: string) => {
    const [row] = await app
      .get(EntityManager)
      .fork()
      .execute<Record<string, unknown>[]>('select * from blog_posts where slug = ?', [slug]);
    return row!;
  };
  const versionsOf = async (slug: string) =>
    (
      await app
        .get(EntityManager)
        .fork()
        .execute<{ content: string; title: string }[]>(
          `select fields ->> 'content' as content, fields ->> 'title' as title from post_revisions
           where post_id = (select id from blog_posts where slug = ?) order by id desc`,
          [slug],
        )
    ).map(({ title, content }) => [title, content]);

  beforeAll(async () => {
    await createPosts(app, [
      {
        slug: 'w-public',
        title: 'Zebra 7',
        content: '<p>Zebra <em>Zebra</em></p><pre><code>Zebra</code></pre>',
        excerpt: 'A Zebra',
      },
      { slug: 'w-draft', title: 'D', content: '<p><a href="http://zebra.example/">Zebra</a></p>', is_published: false },
      { slug: 'w-planned', title: 'P', content: '<p>Zebra</p>', is_published: false },
      { slug: 'w-only', title: 'O', content: '<p>Zebra</p>' },
      { slug: 'w-trash', title: 'T', content: '<p>Zebra</p>' },
    ]);
    await posts('schedule', 'w-planned', '--at', '2027-01-01');
    await posts('delete', 'w-trash');
  });

  it('are shown first and written when that is wanted, each changed post with its former text as a version', async () => {
    const before = await rowOf('w-public');
    const shown = await posts('search-replace', 'Zebra', 'Okapi', 'w-public', 'w-draft', 'no-such');
    expect(shown).toMatchObject({ code: 1, stderr: 'no post has the slug no-such\n' });
    expect(shown.stdout.split('\n').toSorted()).toEqual(
      [
        'w-public (published)',
        '  text: [Zebra] -> [Okapi] ',
        '  text: [Zebra] -> [Okapi]',
        '  note: 1 place in code left as they are (--code)',
        'w-draft (not published)',
        '  text: [Zebra] -> [Okapi]',
        '3 places in 2 posts (nothing was written: --yes writes it)',
        '',
      ].toSorted(),
    );
    expect(await rowOf('w-public')).toEqual(before);
    const { found } = await replace('Zebra', 'Okapi', 'w-draft', 'no-such', 'no-such');
    expect(found).toMatchObject({ counts: { posts: 1, places: 1 }, unknown: ['no-such'] });
    expect((await posts('search-replace', 'Zebra', 'Okapi', 'no-such', 'no-such')).code).toBe(2);

    const run = await replace('Zebra', 'Okapi', '--in', 'text,title,excerpt', '--category', 'Security', '--yes');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.found.counts).toEqual({ posts: 4, places: 7, refused: 0 });
    expect(await rowOf('w-public')).toMatchObject({
      title: 'Okapi 7',
      excerpt: 'A Okapi',
      content: '<p>Okapi <em>Okapi</em></p><pre><code>Zebra</code></pre>',
      slug: 'w-public',
      is_published: true,
    });
    expect(await versionsOf('w-public')).toEqual([
      ['Okapi 7', '<p>Okapi <em>Okapi</em></p><pre><code>Zebra</code></pre>'],
      ['Zebra 7', '<p>Zebra <em>Zebra</em></p><pre><code>Zebra</code></pre>'],
    ]);
    expect(await rowOf('w-planned')).toMatchObject({
      is_published: false,
      scheduled_at: expect.anything(),
      content: '<p>Okapi</p>',
    });
    expect(await rowOf('w-draft')).toMatchObject({ content: '<p><a href="http://zebra.example/">Okapi</a></p>' });
    expect(await rowOf('w-trash')).toMatchObject({ content: '<p>Zebra</p>' });
    expect((await replace('Zebra', 'Okapi', '--yes')).found.counts).toEqual({ posts: 0, places: 0, refused: 0 });
  });

  it('are replaced in edits that nobody saved as well, which stay those of their author, the former ones as a version', async () => {
    const ada = await createAdministrator(app, 'edits@example.com');
    const { id, version } = await rowOf('w-only');
    const copy = {
      version,
      fields: { ...buildForm(), slug: 'w-only', title: 'Okapi?', content: '<p>Okapi, okapi</p>' },
    };
    expect((await ada.call('PUT', `/posts/${String(id)}/working-copy`, copy)).status).toBe(200);
    const { found } = await replace('okapi', 'Gnu', 'w-only', '--ignore-case', '--in', 'title,text', '--yes');
    expect(found.posts[0]?.places.map(({ part, isUnsaved }) => [part, isUnsaved])).toEqual([
      ['text', false],
      ['title', true],
      ['text', true],
      ['text', true],
    ]);
    expect(await rowOf('w-only')).toMatchObject({
      content: '<p>Gnu</p>',
      working_title: 'Gnu?',
      working_copy: { fields: { title: 'Gnu?', content: '<p>Gnu, Gnu</p>' } },
      kept_by: ada.user.id,
    });
    expect((await versionsOf('w-only')).map(([, content]) => content)).toEqual([
      '<p>Gnu</p>',
      '<p>Okapi, okapi</p>',
      '<p>Okapi</p>',
      '<p>Zebra</p>',
    ]);
  });

  it('refuses what would be no post any more, and links that would be none', async () => {
    const run = await replace('http://zebra.example/', 'javascript:alert(1)', 'w-draft', '--in', 'links', '--yes');
    expect(run.code).toBe(2);
    expect(run.found.posts[0]?.refusal).toMatch(/would not be stored as it is/);
    const empty = await replace('Gnu', '', 'w-only', '--yes');
    expect(empty.found.posts[0]?.refusal).toBe('Content: Content is required');
    expect(await rowOf('w-only')).toMatchObject({ content: '<p>Gnu</p>' });
  });

  it.each([
    [['', 'x'], /there is nothing to look for/],
    [['(', 'x', '--regex'], /Invalid regular expression/],
    [['x*', 'y', '--regex'], /x\* finds nothing at all/],
    [['a', 'b', '--in', 'slug'], /There is no slug: it is one of text, links, title, excerpt,/],
    [['a', 'b', 'w-draft', '--all'], /name posts by slug, or give --all/],
  ])('cannot be looked for like this: %j', async (args, message) => {
    const run = await posts('search-replace', ...args);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
  });
});
