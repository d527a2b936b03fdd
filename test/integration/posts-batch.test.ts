import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchService } from '../../src/posts/batch.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { buildForm, createAdministrator, holdClock } from '../support/admin-posts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

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
    const at = ['--at', '2026-12-01 09:00'];
    const run = await posts('schedule', 'c-draft', 'a-news', ...at);
    expect(run).toMatchObject({ code: 1, stderr: 'a-news is published already\n' });
    expect(run.stdout).toBe('scheduled  c-draft\n1 scheduled for 2026-12-01 09:00 (America/New_York)\n');
    expect(await json('schedule', '--status', 'planned', ...at)).toMatchObject({ changed: [], unchanged: ['c-draft'] });
    const [job] = await app
      .get(EntityManager)
      .fork()
      .execute<{ start_after: Date }[]>(`select start_after from pgboss.job where name = 'publish-posts'`);
    expect(new Date(job!.start_after).toISOString()).toBe('2026-12-01T14:00:00.000Z');
    expect((await posts('unpublish', 'c-draft', '--dry-run')).stdout).toContain(
      'planned for 2026-12-01 09:00 (America/New_York) -> draft',
    );
    clock.set('2026-12-01T14:00:00Z');
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
    expect((await posts('schedule', 'half', '--at', '2027-01-01', '--dry-run')).stdout).toMatch(
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
});

describe('a post that is shown, edited and created as Markdown', () => {
  const { VISUAL, EDITOR } = process.env;
  afterEach(() => {
    process.env = {
      ...process.env,
      ...(VISUAL === undefined ? {} : { VISUAL }),
      ...(EDITOR === undefined ? {} : { EDITOR }),
    };
  });

  /** Edits with a script in which `$1` is the file. */
  const editing = async (script: string, args: readonly string[], input = '') => {
    const file = join(temporaryFolder(), 'an editor.sh');
    writeFileSync(file, `set -e\n${script}\n`);
    process.env = { ...process.env, VISUAL: '', EDITOR: `sh '${file}'` };
    return await runCommand(app, ['posts', ...args], input, { isTerminal: input !== '' });
  };
  const kept = (stderr: string) => / kept in (\/\S+)/.exec(stderr)?.[1] ?? '';
  const textOf = async (slug: string) => (await posts('show', slug)).stdout;
  const versionOf = async (slug: string) =>
    (JSON.parse((await posts('show', slug, '--json')).stdout) as { version: number }).version;

  beforeAll(async () => {
    await createPosts(app, [
      { slug: 'e-edited', title: 'Edited', content: '<p>One</p><p>Two</p>', excerpt: null, tags: ['1.0'] },
      { slug: 'f-taken' },
    ]);
  });

  it('is saved as in the editor of the browser, and only if it says something else', async () => {
    const before = await versionOf('e-edited');
    expect(await editing(':', ['edit', 'e-edited'])).toMatchObject({ code: 0, stdout: 'unchanged  e-edited\n' });
    const blanks = await editing('printf "\\n\\n" >> "$1"', ['edit', 'e-edited']);
    expect(blanks).toMatchObject({ code: 0, stdout: 'unchanged  e-edited\n', stderr: '' });
    expect(await versionOf('e-edited')).toBe(before);

    const script = `sed -i 's/^Two$/**Three** <blink>x<\\/blink>/; s/^title: .*/title: Other/; s/^slug: .*/slug: e-moved/' "$1"`;
    const run = await editing(script, ['edit', 'e-edited']);
    expect(run).toMatchObject({ code: 0, stdout: 'saved  e-moved (published)\n' });
    expect(run.stderr).toBe('note: markup was taken off, its text stays: 1 x <blink>\n');
    expect(await textOf('e-moved')).toMatch(
      /^---\ntitle: Other\nslug: e-moved\ndate: 2025-01-05T20:00:00\.000Z\ndraft: false\n[^]*tags:\n {2}- "1\.0"\naliases:\n {2}- \/blogs\/e-edited\n[^]*\n---\n\nOne\n\n\*\*Three\*\* x\n$/,
    );
    const [entry] = await app
      .get(EntityManager)
      .fork()
      .execute<{ action: string; actor_kind: string }[]>(
        `select * from audit_log where subject = 'Other' order by id desc`,
      );
    expect(entry).toMatchObject({ action: 'post.saved' });
  });

  it('is dated by its line of the date alone', async () => {
    await editing(`sed -i 's/^date: .*/date: 2024-05-06 07:08/' "$1"`, ['edit', 'f-taken']);
    expect(await textOf('f-taken')).toContain('\ndate: 2024-05-06T11:08:00.000Z\n');
    const wrong = await editing(`sed -i 's/^date: .*/date: 2024-02-30/' "$1"`, ['edit', 'f-taken']);
    expect(wrong.stderr).toMatch(/^Error: line 4: date is none like 2026-01-31/);
    rmSync(dirname(kept(wrong.stderr)), { recursive: true });
  });

  it.each([
    [
      's/^title: .*/title: 2024/',
      /^Error: line 2: title is not a text: put it in quotation marks\nWhat you wrote is kept in /,
    ],
    ['s/^title: .*/title: ""/', /^Error: line 2: Title is required\n/],
    ['s/^title: .*/title: "a/', /^Error: the front matter is broken in line 2: a quotation mark is opened/],
    ['s/^author: /autor: /', /^Error: line 6: autor is no field of a post; there are title, slug, excerpt, author,/],
    ['s/^draft: .*/draft: true/', /^Error: line 5: draft is not changed here: posts publish, posts unpublish\n/],
    [
      's/^slug: .*/slug: f-taken/',
      /^Error: line 3: Another post has, or had, this address: f-taken; f-taken-2 is free\n/,
    ],
    [
      's/^One$/![](https:\\/\\/elsewhere.example\\/x.png)/',
      /^Error: Pictures of other sites are not shown. Upload them/,
    ],
    ['$ a x\n1 d', /^Error: the file has no front matter/],
  ])('is not lost when it cannot be saved: %j', async (script, message) => {
    const before = await textOf('e-moved');
    const run = await editing(`sed -i '${script}' "$1"`, ['edit', 'e-moved']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
    const file = kept(run.stderr);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(dirname(file)).mode & 0o077).toBe(0);
    expect(await textOf('e-moved')).toBe(before);
    rmSync(dirname(file), { recursive: true });
  });

  it('can be repaired at a terminal, and stays in its file when somebody else was faster or the editor fails', async () => {
    const twice = `if grep -q '^title: 1$' "$1"; then sed -i 's/^title: 1$/title: Repaired/' "$1"; else sed -i 's/^title: .*/title: 1/' "$1"; fi`;
    const repaired = await editing(twice, ['edit', 'e-moved'], 'yes\n');
    expect(repaired).toMatchObject({ code: 0, stdout: 'saved  e-moved (published)\n' });
    expect(repaired.stderr).toContain('line 2: title is not a text');
    const left = await editing(`sed -i 's/^title: .*/title: 1/' "$1"`, ['edit', 'e-moved'], 'no\n');
    expect(left.code).toBe(2);
    expect(readFileSync(kept(left.stderr), 'utf8')).toContain('title: 1\n');
    rmSync(dirname(kept(left.stderr)), { recursive: true });

    const ada = await createAdministrator(app, 'faster@example.com');
    const { id, version } = JSON.parse((await posts('show', 'e-moved', '--json')).stdout) as {
      id: string;
      version: number;
    };
    const gate = join(temporaryFolder(), 'go');
    const opened = `${gate}-opened`;
    const slow = editing(
      `: > '${opened}'; while [ ! -e '${gate}' ]; do sleep 0.02; done; sed -i 's/^One$/Late/' "$1"`,
      ['edit', 'e-moved'],
    );
    await until(() => existsSync(opened));
    const faster = { ...buildForm({ slug: 'e-moved', title: 'Faster' }), version };
    expect((await ada.call('PUT', `/posts/${id}`, faster)).status).toBe(200);
    writeFileSync(gate, '');
    const late = await slow;
    expect(late.code).toBe(2);
    expect(late.stderr).toMatch(
      /^Error: somebody changed or removed the post in the meantime, and nothing was saved\n/,
    );
    expect(readFileSync(kept(late.stderr), 'utf8')).toContain('\nLate\n');
    rmSync(dirname(kept(late.stderr)), { recursive: true });
    expect(await textOf('e-moved')).toContain('\ntitle: Faster\n');

    const failed = await editing(`echo "$1" > '${gate}'; exit 3`, ['edit', 'e-moved']);
    expect(failed).toMatchObject({ code: 2, stderr: 'Error: the editor ended with code 3\nNothing was changed.\n' });
    expect(existsSync(readFileSync(gate, 'utf8').trim())).toBe(false);
  });

  it('is not saved from an editor that writes another encoding, or leaves its text under another name or nowhere', async () => {
    const before = await textOf('e-moved');
    const latin = await editing(`printf 'caf\\351\\n' >> "$1"`, ['edit', 'e-moved']);
    expect(latin).toMatchObject({ code: 2, stdout: '' });
    expect(latin.stderr).toMatch(/^Error: the file is not in UTF-8\nWhat you wrote is kept in /);
    expect(readFileSync(kept(latin.stderr)).at(-2)).toBe(0xe9);
    rmSync(dirname(kept(latin.stderr)), { recursive: true });

    const gone = await editing('rm "$1"', ['edit', 'e-moved']);
    expect(gone).toMatchObject({ code: 2, stderr: 'Error: the editor left no file\nNothing was changed.\n' });
    const moved = await editing('mv "$1" "$1~"', ['edit', 'e-moved']);
    const backup = /^Error: the editor left no file\nThe editor left (\/.*~)\n$/.exec(moved.stderr)?.[1] ?? '';
    expect(readFileSync(backup, 'utf8')).toBe(before);
    rmSync(dirname(backup), { recursive: true });
    expect(await textOf('e-moved')).toBe(before);
  });

  it('is not saved over edits that nobody saved, unless that is wanted: then they are kept', async () => {
    const ada = await createAdministrator(app, 'typing@example.com');
    const { id, version } = JSON.parse((await posts('show', 'e-moved', '--json')).stdout) as {
      id: string;
      version: number;
    };
    const copy = { version, fields: { ...buildForm(), slug: 'e-moved', title: 'Half typed' } };
    expect((await ada.call('PUT', `/posts/${id}/working-copy`, copy)).status).toBe(200);
    const shown = await posts('show', 'e-moved');
    expect(shown.stdout).toContain('title: Faster');
    expect(shown.stderr).toMatch(/^note: it has edits of typing@example\.com that nobody saved/);
    const script = `sed -i 's/^title: .*/title: Corrected/' "$1"`;
    const refused = await editing(script, ['edit', 'e-moved']);
    expect(refused.stderr).toMatch(/save or discard them in the admin area, or give --replace-edits/);
    expect((await editing(script, ['edit', 'e-moved', '--replace-edits'])).code).toBe(0);
    const { body } = await ada.call<{ items: { title: string }[] }>('GET', `/posts/${id}/revisions`);
    expect(body.items.slice(0, 2).map(({ title }) => title)).toEqual(['Corrected', 'Half typed']);
  });

  it('is made of a file, of the standard input or in an editor, as a draft', async () => {
    const file = join(temporaryFolder(), 'notice.md');
    writeFileSync(file, '---\ntitle: In the file\ndraft: false\nid: 1\ntags: a, b\n---\n\nWe are ==closed==.\n');
    const made = await posts('create', file, '--title', 'Closed on Friday');
    expect(made).toMatchObject({ code: 0, stdout: 'created  closed-on-friday (not published)\n' });
    expect(made.stderr).toBe(
      'note: --title took the place of the title in the text: In the file\n' +
        'note: not taken from the text, as it is a new post: draft, id\n',
    );
    expect(await textOf('closed-on-friday')).toMatch(
      /draft: true\n[^]*tags:\n {2}- a\n {2}- b\n[^]*<mark>closed<\/mark>/,
    );
    expect((await posts('create', file, '--title', 'Closed on Friday')).stderr).toMatch(
      /^Error: Another post has, or had, this address: closed-on-friday; closed-on-friday-2 is free\n$/,
    );
    const piped = await runCommand(app, ['posts', 'create', '-', '--title', 'Piped', '--publish'], 'Text\n');
    expect(piped).toMatchObject({ code: 0, stdout: 'created  piped (published)\n', stderr: '' });
    const nameless = await runCommand(app, ['posts', 'create', '-'], 'Text\n');
    expect(nameless.stderr).toMatch(/^Error: Title is required\nThe text is kept in /);
    expect(readFileSync(kept(nameless.stderr), 'utf8')).toBe('Text\n');
    rmSync(dirname(kept(nameless.stderr)), { recursive: true });
    const written = await editing(`sed -i 's/^title:/title: Written/' "$1"; echo Hello >> "$1"`, ['create']);
    expect(written).toMatchObject({ code: 0, stdout: 'created  written (not published)\n', stderr: '' });
    expect((await editing(':', ['create'])).stdout).toBe('Nothing was written, and nothing created.\n');
    expect((await posts('show', 'nothing')).stderr).toBe('Error: no post has the slug nothing\n');
    expect((await posts('show', 'https://a.example/blogs/written/?x#y')).stderr).toBe(
      'Error: no post has the slug https://a.example/blogs/written/?x#y: the slug in it would be written\n',
    );
    expect((await posts('show', 'written ')).stderr).toMatch(/ the slug in it would be written\n$/);
    const folder = temporaryFolder();
    expect(await posts('create', folder)).toMatchObject({ code: 2, stderr: `Error: ${folder} is a folder\n` });
  });
});

describe('words that are replaced in posts', () => {
  interface Found {
    readonly posts: {
      slug: string;
      refusal: string | null;
      places: { part: string; isUnsaved: boolean }[];
      notes: string[];
    }[];
    readonly counts: { posts: number; places: number; refused: number };
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
