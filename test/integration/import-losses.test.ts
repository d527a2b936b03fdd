import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeEach, expect, it } from '@jest/globals';
import type { ImportItem } from '../../src/shared/contracts/import-report.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;
let base: string;

beforeEach(async () => {
  app = await createTestApp();
  base = temporaryFolder();
});

const SPACES = 'xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
const item = (id: number, more: string, status = 'publish', type = 'post') =>
  `<item><title>p${id}</title><link>https://a.example/p${id}/</link><wp:post_id>${id}</wp:post_id>` +
  `<wp:post_type>${type}</wp:post_type><wp:status>${status}</wp:status>${more}</item>`;
const content = (html: string) => `<content:encoded><![CDATA[${html}]]></content:encoded>`;
const category = (slug: string, parent: string) =>
  `<wp:category><wp:category_nicename>${slug}</wp:category_nicename><wp:category_parent>${parent}</wp:category_parent></wp:category>`;
const writeBlog = (...items: string[]) => {
  const head = `<rss version="2.0" ${SPACES}><channel><link>https://a.example</link>${category('top', '')}${category('sub', 'top')}`;
  writeFileSync(join(base, 'blog.xml'), `${head}${items.join('')}</channel></rss>`);
};
const run = async (path = 'blog.xml') =>
  (await importPosts(app, join(base, path), { isFetching: false, isPublishing: true, source: 'test' })).items;
const runJson = async () => {
  const file = join(base, 'blog.xml');
  const { stdout } = await runCommand(app, ['posts', 'import', file, '--no-fetch', '--json']);
  return JSON.parse(stdout) as { items: ImportItem[]; notes: { note: string; count: number }[] };
};

it('leads absolute links of Ghost on, and makes links of frames', async () => {
  const row = (id: number, slug: string, html: string) => ({ id, title: slug, slug, html, status: 'published' });
  const html =
    '<p><a href="https://g.example/two/">two</a></p><iframe src="https://maps.example/x" title="The way"></iframe><p>((note))</p>';
  const posts = [row(1, 'one', html), row(2, 'two', '<p>x</p>')];
  writeFileSync(join(base, 'ghost.json'), JSON.stringify({ data: { posts } }));
  const options = { isFetching: false, isPublishing: true, source: 'https://g.example/' };
  const { items } = await importPosts(app, join(base, 'ghost.json'), options);
  const sql = "select content from blog_posts where slug = 'one'";
  const [post] = await app.get(EntityManager).fork().execute<{ content: string }[]>(sql);
  expect(post?.content.replace(/\n/g, '')).toBe(
    '<p><a href="/blogs/two">two</a></p><p><a href="https://maps.example/x">The way</a></p><p>((note))</p>',
  );
  expect(items[0]?.warnings).toContain('what other sites showed in frames are links here: maps.example');
  const again = await importPosts(app, join(base, 'ghost.json'), options);
  expect(again.items.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
});

it('names parents of categories, custom fields and markup in code once each, with a count', async () => {
  const filed = '<category domain="category" nicename="sub"><![CDATA[Sub]]></category>';
  const fields = meta('price', '12') + meta('_edit_last', '1') + meta('empty', '') + meta('views', '9');
  const code = content('<p>x</p><pre>a <b>b</b> <i>c</i> <span class="k">d</span></pre>');
  writeBlog(item(1, filed + fields + code), item(2, filed + meta('price', '13') + meta('Mood', 'good') + code));
  const { items, notes } = await runJson();
  expect(items[0]?.warnings).toEqual([
    'the categories above its own were not taken: top > sub',
    'no date in the export: dated today',
    'a custom field was not taken: price',
    'markup in code was taken off, its text stays: 1 x <b>, 1 x <i>',
  ]);
  expect(notes).toEqual([
    { note: 'a custom field was not taken: price', count: 2 },
    { note: expect.stringContaining('markup in code was taken off'), count: 2 },
    { note: 'no date in the export: dated today', count: 2 },
    { note: 'the categories above its own were not taken: top > sub', count: 2 },
    { note: 'a custom field was not taken: Mood', count: 1 },
  ]);
});

it('says of posts when readers saw their last change, but for a time that is to come or before the post', async () => {
  const time = (name: string, value: string) => `<wp:${name}>${value}</wp:${name}>`;
  const post = (id: number, changed: string) =>
    item(id, time('post_date_gmt', '2024-02-03 04:05:06') + time('post_modified_gmt', changed) + content('x'));
  const writeAll = (first: string) =>
    writeBlog(post(1, first), post(2, '2999-01-01 00:00:00'), post(3, '2023-01-01 00:00:00'));
  writeAll('2024-05-06 07:08:09');
  const toDay = (moment: Date) => moment.toISOString().slice(0, 10);
  const begun = toDay(new Date());
  await run();
  const changes = async () => {
    const posts = await Promise.all(['p1', 'p2', 'p3'].map((slug) => app.inject(`/api/posts/${slug}`)));
    return posts.map((response) => response.json<{ updated_at: string }>().updated_at.slice(0, 10));
  };
  const [first, now, third] = await changes();
  expect([first, third]).toEqual(['2024-05-06', '2024-02-03']);
  // Midnight may have passed meanwhile.
  expect([begun, toDay(new Date())]).toContain(now);
  // It was saved without a change.
  writeAll('2024-07-08 09:10:11');
  expect((await run()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect((await changes())[0]).toBe('2024-05-06');
});

it('names files of the library by their number, and each of them where a program reads', async () => {
  const file = (id: number) =>
    item(id, `<wp:attachment_url>https://a.example/${id}.jpg</wp:attachment_url>`, 'inherit', 'attachment');
  writeBlog(item(1, content('x')), file(2), file(3), item(4, '', 'publish', 'nav_menu_item'));
  const page = join(base, 'report.html');
  const options = ['--no-fetch', '--dry-run', '--report', page];
  const { stdout } = await runCommand(app, ['posts', 'import', join(base, 'blog.xml'), ...options]);
  const words = '2 files of the media library, 1 entry of a menu: no posts';
  expect(stdout).toContain(`\n${words} (--json names them)\n`);
  expect(stdout).not.toContain('p2');
  expect(stdout).toContain('3 skipped');
  expect(readFileSync(page, 'utf8')).toContain(`<summary>${words}</summary>\n<ul>\n<li>blog.xml: p2 (2)</li>`);
  expect((await runJson()).items.map(({ outcome }) => outcome)).toEqual(['created', 'skipped', 'skipped', 'skipped']);
});

it('creates posts that are planned on the day on which they were written, or now', async () => {
  const gmt = (name: string, value: string) => `<wp:${name}>${value}</wp:${name}>`;
  const planned = gmt('post_date_gmt', '2999-01-02 03:04:05') + content('x');
  writeBlog(
    item(1, planned + gmt('post_modified_gmt', '2024-02-03 04:05:06'), 'future'),
    item(2, planned, 'future'),
    item(3, gmt('post_date_gmt', '2020-01-02 03:04:05') + content('x')),
  );
  const toDay = (moment: Date) => moment.toISOString().slice(0, 10);
  const begun = toDay(new Date());
  await run();
  const rows = await app
    .get(EntityManager)
    .fork()
    .execute<{ created: Date; scheduled: Date | null }[]>(
      'select created_at as created, scheduled_at as scheduled from blog_posts order by slug',
    );
  const [modified, now, published] = rows.map(({ created }) => toDay(new Date(created)));
  expect([modified, published]).toEqual(['2024-02-03', '2020-01-02']);
  // Midnight may have passed meanwhile.
  expect([begun, toDay(new Date())]).toContain(now);
  expect(rows.map(({ scheduled }) => scheduled !== null)).toEqual([true, true, false]);
});

itSlow('takes posts without a word, of which the text shows the picture or the title', async () => {
  const bad = (name: string) => fileURLToPath(new URL(`../fixtures/markdown/bad/${name}`, import.meta.url));
  cpSync(bad('fine.png'), join(base, 'a.png'));
  cpSync(bad('corrupt.png'), join(base, 'corrupt.png'));
  const post = (more: string) => `---\ntitle: A photo\ndate: 2024-01-02\n${more}\n---\n`;
  writeFileSync(join(base, 'photo.md'), post('image: /a.png\nimage_alt: A "lamp"'));
  writeFileSync(join(base, 'nothing.md'), post('slug: nothing'));
  writeFileSync(join(base, 'spoiled.md'), `${post('slug: spoiled')}![](corrupt.png)`);
  const items = await run('.');
  expect(items.map(({ slug, outcome, warnings }) => [slug, outcome, ...warnings])).toEqual([
    ['nothing', 'created', 'has no text there: its title stands in its place'],
    ['photo', 'created', 'has no text there: its picture stands in the text as well'],
    [
      'spoiled',
      'created',
      expect.stringMatching(/^the image corrupt.png: .* left out$/),
      'nothing is left of its text without images that are not accepted: its title stands in its place',
    ],
  ]);
  const { body } = await app.inject('/blogs/photo');
  expect(body.match(/alt="A &quot;lamp&quot;"/g)?.length).toBe(2);
  for (const slug of ['nothing', 'spoiled']) {
    expect((await app.inject(`/api/posts/${slug}`)).json()).toMatchObject({ content: '<p>A photo</p>' });
  }
  expect((await run('.')).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
});

it('says of a post that was refused why, and nothing of what would have been left out', async () => {
  const write = (text: string) =>
    writeFileSync(
      join(base, 'a.md'),
      `---\ntitle: A\ndate: 2024-01-02\n---\n${text}<script>x</script>\n\n![](gone.png)\n`,
    );
  write('One');
  const [created] = await run('.');
  expect(created).toMatchObject({ outcome: 'created', warnings: [expect.any(String), expect.any(String)] });
  await app.get(EntityManager).fork().execute(`update blog_posts set title = 'Edited here'`);
  write('Two');
  for (const isDryRun of [true, false]) {
    const [refused] = (await importPosts(app, base, { source: 'test', isFetching: false, isDryRun })).items;
    expect(refused).toMatchObject({
      outcome: 'refused',
      reasons: [expect.stringContaining('was edited here')],
      warnings: [],
    });
  }
});

it('calls posts of WordPress that have neither title nor text by their addresses', async () => {
  const untitled = (id: number, name: string, html: string) =>
    item(id, `<wp:post_name>${name}</wp:post_name>${content(html)}`).replace(/<title>.*<\/title>/, '<title></title>');
  writeBlog(
    untitled(1, 'a-walk-in-m%C3%BCnster', '<img src="walk.jpg" alt="">'),
    untitled(2, '2', ''),
    untitled(3, 'said', '<p>Said.</p>'),
  );
  expect((await run()).map(({ slug, outcome, warnings }) => [slug, outcome, warnings.at(-1)])).toEqual([
    ['a-walk-in-munster', 'created', expect.stringContaining('walk.jpg: was not fetched; left out')],
    ['2', 'created', 'has no text there: its title stands in its place'],
    ['said', 'created', "has no title there: it is called 'Said.' here, as its text begins"],
  ]);
  const titleOf = async (slug: string) => (await app.inject(`/api/posts/${slug}`)).json<{ title: string }>().title;
  expect([await titleOf('a-walk-in-munster'), await titleOf('2')]).toEqual(['A walk in münster', 'Post 2']);
});

it('takes an export of ours to the letter, and without an image that is gone only when told to', async () => {
  const post = {
    ...{ id: randomUUID(), title: 'Gone', slug: 'gone', author: 'Ann', tags: null, is_published: true },
    ...{ excerpt: null, category: null, image_url: null, image_alt: null, published_date: null },
    ...{ created_at: '2024-01-02T00:00:00Z', updated_at: '2024-01-02T00:00:00Z', scheduled_at: null, old_paths: [] },
    content: '<p>Text.<img src="posts-images/gone.png" alt=""></p>',
  };
  const file = join(base, 'export.json');
  writeFileSync(file, JSON.stringify({ format: 'posts-export', version: 1, posts: [post] }));
  const [refused] = (await importPosts(app, file)).items;
  expect([refused?.outcome, ...(refused?.reasons ?? [])]).toEqual([
    'refused',
    'the image posts-images/gone.png: was not found (--assets names a folder to look in, --skip-missing-images leaves it out)',
  ]);
  const [taken] = (await importPosts(app, file, { isLeavingOutMissingImages: true })).items;
  expect([taken?.outcome, taken?.warnings]).toEqual([
    'created',
    ['the image posts-images/gone.png: was not found; left out'],
  ]);
});
