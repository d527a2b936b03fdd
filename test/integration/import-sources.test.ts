import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BatchService } from '../../src/posts/batch.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { ImportItem, ImportOptions } from '../../src/shared/contracts/import-report.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;
let base: string;

beforeAll(async () => {
  app = await createTestApp();
});

beforeEach(async () => {
  await sql('truncate blog_posts, redirects cascade');
  base = temporaryFolder();
});

const english = 'The cable is in the box, and the box is under the table where nobody looks for it.';
const german = 'Das Kabel liegt in der Kiste, und die Kiste steht unter dem Tisch, wo niemand sucht.';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
const writePost = (path: string, text: string, more = '', title = 'Cables') =>
  write(path, `---\ntitle: ${title}\ndate: 2024-01-05\n${more}\n---\n${text}\n`);
const run = async (path: string, options: ImportOptions = {}) =>
  (await importPosts(app, join(base, path), { isFetching: false, ...options })).items;
const outcomes = (items: readonly ImportItem[]) => items.map(({ outcome }) => outcome);
type Row = Record<string, unknown>;
const sql = async (text: string): Promise<Row[]> => await app.get(EntityManager).fork().execute<Row[]>(text);
const readPosts = () => sql('select slug, content, source_key, is_published from blog_posts order by slug');
const readKeys = async () => (await readPosts()).map((row) => row['source_key']);
const changePost = async (slug: string, kind: 'publish' | 'unpublish') => {
  const batch = app.get(BatchService);
  const plan = await batch.plan(OPERATOR, { kind }, { slugs: [slug] });
  await batch.apply(OPERATOR, { kind }, plan.posts);
};

describe('a source', () => {
  it('is known by the address of its site, wherever it lies and however it is reached', async () => {
    write('site/_config.yml', 'url: "HTTPS://Blog.Example/"\nbaseurl: /news/\n');
    writePost('site/_posts/2024-01-05-cables.md', english);
    expect(outcomes(await run('site/_posts'))).toEqual(['created']);
    expect(await readKeys()).toEqual(['markdown:blog.example/news#_posts/2024-01-05-cables.md']);
    renameSync(join(base, 'site'), join(base, 'moved'));
    symlinkSync(join(base, 'moved'), join(base, 'link'));
    write('moved/_config.yml', 'url: http://blog.example\nbaseurl: news\n');
    for (const path of ['moved/_posts', 'link/_posts', 'moved/_posts/2024-01-05-cables.md']) {
      expect(outcomes(await run(path))).toEqual(['unchanged']);
    }
    expect(outcomes(await run('moved', { source: 'blog.example/news/' }))).not.toContain('created');
  });

  it.each([
    ['hugo.toml', 'baseURL = "https://blog.example/"'],
    ['config/_default/config.yaml', 'baseurl: https://blog.example'],
    ['config.toml', 'base_url = "https://blog.example"'],
    ['astro.config.mjs', "export default defineConfig({\n  site: 'https://blog.example',\n});"],
    ['src/_data/site.json', '{"url": "https://blog.example/"}'],
    ['docusaurus.config.ts', "export default {\n  url: 'https://blog.example',\n  baseUrl: '/',\n};"],
  ])('is found in %s', async (path, text) => {
    write(path, text);
    writePost('content/en/blog/cables.md', english);
    await run('content/en/blog');
    expect(await readKeys()).toEqual(['markdown:blog.example#content/en/blog/cables.md']);
  });

  it.each([
    ['nothing', 'x.txt', ''],
    ['the address that Hugo gives to every site', 'hugo.toml', 'baseURL = "https://example.org/"'],
    [
      'the address that Docusaurus gives to every site',
      'docusaurus.config.js',
      "export default { url: 'https://your-docusaurus-site.example.com', baseUrl: '/' };",
    ],
    ['the address of a machine', '_config.yml', 'url: http://localhost:4000'],
  ])('that says %s is refused where nobody can be asked', async (_what, path, text) => {
    write(`site/.git/HEAD`, '');
    write(`site/${path}`, text);
    writePost('site/cables.md', english);
    await expect(run('site')).rejects.toThrow('--source');
    const asked = await runCommand(app, ['posts', 'import', join(base, 'site')]);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('--source');
    expect(await readPosts()).toEqual([]);
  });

  it('is asked for at a terminal', async () => {
    writePost('site/cables.md', english);
    const args = ['posts', 'import', join(base, 'site')];
    const { code, stderr } = await runCommand(app, args, 'https://Blog.example/\n', { isTerminal: true });
    expect(stderr).toContain('The address of the site, or a name for it');
    expect(code).toBe(0);
    expect(await readKeys()).toEqual(['markdown:blog.example#cables.md']);
  });

  it('does not replace posts of another, of the same site or of the same name', async () => {
    write('site/_config.yml', 'url: https://blog.example\n');
    writePost('site/en/news/_posts/cables.md', english, 'slug: cables');
    writePost('site/de/news/_posts/cables.md', german, 'slug: kabel');
    expect(outcomes(await run('site/en/news/_posts'))).toEqual(['created']);
    expect(outcomes(await run('site/de/news/_posts'))).toEqual(['created']);
    const posts = await readPosts();
    expect(posts.map(({ slug }) => slug)).toEqual(['cables', 'kabel']);
    // One name for two, which is what a key of folder and file was.
    writePost('en/_posts/cables.md', english, 'slug: wires');
    writePost('de/_posts/cables.md', german, 'slug: wires');
    expect(outcomes(await run('en/_posts', { source: 'wires' }))).toEqual(['created']);
    const [item] = await run('de/_posts', { source: 'wires' });
    expect(item).toMatchObject({ outcome: 'refused', reasons: [expect.stringContaining('--accept-changes')] });
    expect((await readPosts()).at(-1)).toMatchObject({ slug: 'wires', content: `<p>${english}</p>` });
    const [accepted] = await run('de/_posts', { source: 'wires', isAcceptingChanges: true });
    expect(accepted).toMatchObject({ outcome: 'updated' });
  });

  it('asks at a terminal before most of the words of a post go', async () => {
    writePost('site/cables.md', english);
    const args = ['posts', 'import', join(base, 'site'), '--source', 'site', '--accept-changes'];
    await runCommand(app, args.slice(0, -1));
    writePost('site/cables.md', german);
    const no = await runCommand(app, args.slice(0, -1), 'no\n', { isTerminal: true });
    expect(no.stderr).toContain("% of 'Cables'");
    expect(no.stdout).toContain('refused    cables.md');
    expect(await readPosts()).toMatchObject([{ content: `<p>${english}</p>` }]);
    const yes = await runCommand(app, args.slice(0, -1), 'yes\n', { isTerminal: true });
    expect(yes.stdout).toContain('updated    cables.md');
    expect(await readPosts()).toMatchObject([{ content: `<p>${german}</p>` }]);
  });

  it('does not take the old addresses of another', async () => {
    writePost('a/one.md', english, 'slug: one\naliases: [/old/, /old/one]');
    writePost('b/two.md', german, 'slug: two\naliases: [/old/, /old/two]');
    await run('a', { source: 'a' });
    const [item] = await run('b', { source: 'b' });
    expect(item?.redirects).toEqual(['/old/two']);
    expect(item?.warnings).toContainEqual(expect.stringContaining('/old leads to the post'));
    expect(await sql('select path, target from redirects order by path')).toEqual([
      { path: '/old', target: '/blogs/one' },
      { path: '/old/one', target: '/blogs/one' },
      { path: '/old/two', target: '/blogs/two' },
    ]);
  });

  it('is the blog of WordPress with its folder, and asked for where the export has no address', async () => {
    const item = (slug: string, text: string) =>
      `<item><title>${slug}</title><content:encoded><![CDATA[${text}]]></content:encoded><wp:post_id>7</wp:post_id><wp:post_name>${slug}</wp:post_name><wp:status>publish</wp:status></item>`;
    const head = '<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>';
    const site = (address: string) =>
      `<wp:base_site_url>https://all.example</wp:base_site_url><wp:base_blog_url>${address}</wp:base_blog_url>`;
    write('en.xml', `${head}${site('https://all.example/en/')}${item('cables', english)}</channel></rss>`);
    write('de.xml', `${head}${site('http://ALL.example/de')}${item('kabel', german)}</channel></rss>`);
    write('none.xml', `${head}${item('none', german)}</channel></rss>`);
    expect(outcomes([...(await run('en.xml')), ...(await run('de.xml'))])).toEqual(['created', 'created']);
    expect(await readKeys()).toEqual(['wordpress:all.example/en#7', 'wordpress:all.example/de#7']);
    await expect(run('none.xml')).rejects.toThrow('--source');
  });
});

describe('posts of a release without names for sources', () => {
  /** Gives sources the names of that release; their fingerprints are the same in both. */
  const forgetNames = () =>
    sql(`update blog_posts set source_key = 'markdown:_posts/' || split_part(source_key, '_posts/', 2)`);

  it('are gone on with: nothing comes twice, and what was edited here stays', async () => {
    write('site/_config.yml', 'url: https://blog.example\n');
    for (const name of ['one', 'two', 'three']) {
      writePost(`site/_posts/${name}.md`, `${english} ${name}`, `published: true\nslug: ${name}`, name);
    }
    await run('site/_posts');
    await forgetNames();
    await sql(`update blog_posts set title = 'Edited here', slug = 'edited' where slug = 'two'`);
    const before = await readPosts();
    expect(outcomes(await run('site/_posts', { isDryRun: true }))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await readPosts()).toEqual(before);
    expect(outcomes(await run('site/_posts'))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const after = await readPosts();
    expect(after.map(({ slug, content }) => [slug, content])).toEqual(
      before.map(({ slug, content }) => [slug, content]),
    );
    expect(after.map((row) => row['source_key'])).toEqual([
      'markdown:blog.example#_posts/two.md',
      'markdown:blog.example#_posts/one.md',
      'markdown:blog.example#_posts/three.md',
    ]);
  });

  it('are written anew where they are read in another way, but for edits and for what takes most of their words', async () => {
    write('site/_config.yml', 'url: https://blog.example\n');
    const names = ['plain', 'edited', 'other'] as const;
    for (const name of names) writePost(`site/_posts/${name}.md`, english, `published: true\nslug: ${name}`, name);
    await run('site/_posts');
    await forgetNames();
    await sql(`update blog_posts set content = content || '<p>More</p>' where slug = 'edited'`);
    for (const name of ['plain', 'edited'] as const) {
      writePost(`site/_posts/${name}.md`, `**${english}**`, `published: true\nslug: ${name}`, name);
    }
    writePost('site/_posts/other.md', german, 'published: true\nslug: other', 'other');
    const expected = [
      ['edited', 'refused', expect.stringContaining('was edited here since its import')],
      ['other', 'refused', expect.stringContaining("may be the post 'other' with changes")],
      ['plain', 'updated'],
    ];
    const read = (items: readonly ImportItem[]) =>
      items.map(({ slug, outcome, reasons }) => [slug, outcome, ...reasons]);
    expect(read(await run('site/_posts', { isDryRun: true }))).toEqual(expected);
    expect(read(await run('site/_posts'))).toEqual(expected);
    expect(outcomes(await run('site/_posts'))).toEqual(['refused', 'refused', 'unchanged']);
    expect(await readPosts()).toHaveLength(3);
    const accepted = { isAcceptingChanges: true };
    expect(outcomes(await run('site/_posts', accepted))).toEqual(['refused', 'updated', 'unchanged']);
    expect(outcomes(await run('site/_posts'))).toEqual(['refused', 'unchanged', 'unchanged']);
    expect((await readPosts()).find(({ slug }) => slug === 'plain')).toMatchObject({
      content: `<p><strong>${english}</strong></p>`,
    });
  });

  it('are not those of another source that were called the same', async () => {
    writePost('en/_posts/cables.md', english, 'slug: cables');
    writePost('de/_posts/cables.md', german, 'slug: kabel');
    await run('en/_posts', { source: 'en' });
    await forgetNames();
    await sql(`update blog_posts set source_key = 'markdown:_posts/cables.md'`);
    expect(outcomes(await run('de/_posts', { source: 'de' }))).toEqual(['created']);
    expect(outcomes(await run('en/_posts', { source: 'en' }))).toEqual(['unchanged']);
    expect(await readPosts()).toMatchObject([
      { slug: 'cables', content: `<p>${english}</p>`, source_key: 'markdown:en#cables.md' },
      { slug: 'kabel', content: `<p>${german}</p>`, source_key: 'markdown:de#cables.md' },
    ]);
  });
});

describe('what a source keeps from readers', () => {
  const states = (items: readonly ImportItem[]) => {
    const found: Record<string, unknown> = {};
    for (const { slug, state } of items) found[slug ?? ''] = state;
    return found;
  };

  beforeEach(() => {
    write('_config.yml', 'url: https://blog.example\n');
    const kinds = {
      open: 'published: true',
      unsaid: '',
      draft: "draft: 'True'",
      capital: 'Draft: yes',
      unpublished: 'published: off',
      password: 'password: secret',
      expired: 'expiryDate: 2020-01-01',
      planned: 'publishDate: 2999-01-01T10:00:00Z',
    };
    for (const [name, more] of Object.entries(kinds)) writePost(`posts/${name}.md`, `${english} ${name}`, more, name);
    writePost('posts/_drafts/idea.md', english, '', 'idea');
    writePost('posts/future.md', english, '', 'future');
    write('posts/future.md', `---\ntitle: future\ndate: 2999-02-01T10:00:00Z\n---\n${english}`);
    write('posts/toml.md', `+++\ntitle = "toml"\ndate = 2024-01-05\ndraft = true\n+++\n${english}`);
  });

  const secret = { draft: 'draft', capital: 'draft', unpublished: 'draft', password: 'draft', expired: 'draft' };
  const rest = { ...secret, idea: 'draft', toml: 'draft' };

  it('stays secret with --publish, and plans stay plans', async () => {
    expect(states(await run('posts'))).toEqual({
      ...rest,
      open: 'published',
      unsaid: 'draft',
      planned: 'draft',
      future: 'draft',
    });
    const wanted = { ...rest, open: 'published', unsaid: 'published', planned: 'scheduled', future: 'scheduled' };
    expect(states(await run('posts', { isPublishing: true }))).toEqual(wanted);
    expect(states(await run('posts', { isPublishing: true }))).toEqual(wanted);
    expect(states(await run('posts'))).toEqual(wanted);
    const rows = await sql('select slug from blog_posts where is_published order by slug');
    expect(rows).toEqual([{ slug: 'open' }, { slug: 'unsaid' }]);
  });

  it('is published after a question, or with --yes, and never without', async () => {
    const args = ['posts', 'import', join(base, 'posts'), '--publish-drafts'];
    const alone = await runCommand(app, args);
    expect(alone).toMatchObject({ code: 2, stdout: '' });
    expect(alone.stderr).toContain('give --yes if you are sure');
    const no = await runCommand(app, args, 'no\n', { isTerminal: true });
    expect(no).toMatchObject({ code: 2, stdout: '' });
    expect(no.stderr).toContain('4 of which it is said: is a draft there');
    expect(await readPosts()).toEqual([]);
    const yes = await runCommand(app, [...args, '--yes']);
    expect(yes.stdout).toContain('created    password.md -> password (published)');
    expect(yes.stdout).toContain('note: is protected by a password there; it is published here all the same');
    expect(yes.stdout).toContain('created    planned.md -> planned (scheduled for 2999-01-01T10:00:00.000Z)');
    expect((await readPosts()).filter((row) => row['is_published'] !== true)).toHaveLength(2);
  });

  it('leaves what was unpublished here, and what became private there, as it is here', async () => {
    await run('posts', { isPublishing: true });
    await changePost('open', 'unpublish');
    writePost('posts/unsaid.md', `${english} unsaid`, 'private: true', 'unsaid');
    writePost('posts/open.md', `${english} open again`, 'published: true', 'open');
    const items = await run('posts', { isPublishing: true });
    expect(states(items)).toMatchObject({ open: 'draft', unsaid: 'published' });
    expect(items.find(({ slug }) => slug === 'open')?.warnings).toEqual([
      'is a draft here, as it was unpublished since its import (posts publish shows it)',
    ]);
    expect(items.find(({ slug }) => slug === 'unsaid')?.warnings).toEqual([
      'is private there, but everybody can read it here: an import unpublishes nothing',
    ]);
  });

  it('is not published by a plan of an import when it became private there', async () => {
    await run('posts', { isPublishing: true });
    write('posts/future.md', `---\ntitle: future\ndate: 2999-02-01T10:00:00Z\nprivate: true\n---\n${english}`);
    expect(states(await run('posts'))).toMatchObject({ future: 'draft', planned: 'scheduled' });
    expect(await sql(`select scheduled_at from blog_posts where slug = 'future'`)).toEqual([{ scheduled_at: null }]);
  });
});

it('of several languages gives each its posts, which lead to each other', async () => {
  write('site/_config.yml', 'url: https://blog.example\n');
  for (const language of ['en', 'de']) {
    writePost(`site/${language}/_posts/2024-01-05-cables.md`, language === 'en' ? english : german);
    writePost(
      `site/${language}/_posts/2024-01-06-more.md`,
      `[back]({% link ${language}/_posts/2024-01-05-cables.md %})`,
    );
  }
  const refused = (await run('site')).filter(({ outcome }) => outcome === 'refused');
  expect(refused.flatMap(({ reasons }) => reasons)).toEqual([
    expect.stringMatching(/the slug 'cables' is that of de.* already \(--slug-prefix and --slug-suffix give others\)/),
    expect.stringContaining("the slug 'more'"),
  ]);
  await sql('truncate blog_posts, redirects cascade');
  expect(outcomes(await run('site', { language: 'de' }))).toEqual(['created', 'created', 'skipped', 'skipped']);
  const inEnglish = { language: 'en', slugPrefix: ':language' };
  expect(outcomes(await run('site', inEnglish))).toEqual(['skipped', 'skipped', 'created', 'created']);
  const slugs = ['cables', 'en-cables', 'en-more', 'more'];
  const posts = await readPosts();
  expect(posts.map(({ slug }) => slug)).toEqual(slugs);
  expect(posts[2]?.['content']).toContain('href="/blogs/en-cables"');
  expect(outcomes(await run('site', inEnglish))).toEqual(['skipped', 'skipped', 'unchanged', 'unchanged']);
});

it('of several kinds of files gives posts of those that are read, and names the others', async () => {
  write('site/_config.yml', 'url: https://blog.example\n');
  write('site/_posts/2024-01-05-the-cable_box.md', `---\nlayout: post\n---\n${english}\n`);
  write('site/_posts/2024-01-06-page.html', `---\ntitle: Page\n---\n<p>${german} {{ page.title }}</p>\n`);
  write('site/_posts/2024-01-07-mdx.mdx', `---\ntitle: Modules\n---\nimport A from 'a';\n\n<A>${english}</A>\n`);
  write('site/_posts/2024-01-08-other.textile', '---\ntitle: Other\n---\nh1. Other\n');
  write('site/about.html', '---\ntitle: About\n---\n<p>About</p>');
  for (const name of ['a', 'b']) write(`site/public/${name}.html`, '<p>made</p>');
  const items = await run('site');
  expect(items.map(({ file, outcome, reasons }) => [file, outcome, ...reasons])).toEqual([
    ['_posts/2024-01-05-the-cable_box.md', 'created'],
    ['_posts/2024-01-06-page.html', 'created'],
    ['_posts/2024-01-07-mdx.mdx', 'created'],
    ['about.html', 'skipped', 'a page, not a post'],
    ['_posts/2024-01-08-other.textile', 'skipped', 'a kind of file that is not read'],
    ['*.html', 'skipped', '2 without front matter: pages, not posts'],
  ]);
  expect(items[0]?.warnings).toEqual([
    "no title in the front matter: it is that of the name of the file, 'The Cable Box'",
  ]);
  const contents = (await readPosts()).map(({ slug, content }) => `${String(slug)}: ${String(content)}`);
  expect(contents).toEqual([
    expect.stringContaining('mdx: <p>The cable'),
    `page: <p>${german} Page</p>`,
    `the-cable-box: <p>${english}</p>`,
  ]);
});

it('has its pages taken as posts of a category where that is wanted, and named once where it is not', async () => {
  const page = (id: number, status: string) =>
    `<item><title>Page ${id}</title><link>https://a.example/p${id}/</link><content:encoded><![CDATA[${english}]]></content:encoded>` +
    `<wp:post_id>${id}</wp:post_id><wp:post_type>page</wp:post_type><wp:status>${status}</wp:status></item>`;
  const head = '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://a.example</link>';
  write('pages.xml', `${head}${page(1, 'publish')}${page(2, 'private')}</channel></rss>`);
  const left = await runCommand(app, ['posts', 'import', join(base, 'pages.xml'), '--dry-run']);
  expect(left.stdout).toMatch(/\n2 pages not taken: --pages makes posts of them\n0 created, .*2 skipped/);
  const options = { pages: 'Pages', isPublishing: true };
  expect(outcomes(await run('pages.xml', options))).toEqual(['created', 'created']);
  expect(await sql('select slug, category, is_published from blog_posts order by slug')).toEqual([
    { slug: 'page-1', category: 'Pages', is_published: true },
    { slug: 'page-2', category: 'Pages', is_published: false },
  ]);
  for (const address of ['/p1/', '/?page_id=1', '/?p=1']) {
    expect((await app.inject(address)).headers.location).toBe('/blogs/page-1');
  }
  expect(outcomes(await run('pages.xml', options))).toEqual(['unchanged', 'unchanged']);
  expect(outcomes(await run('pages.xml'))).toEqual(['skipped', 'skipped']);
  writePost('site/_posts/2024-01-05-one.md', english);
  await expect(run('site', { ...options, source: 'x' })).rejects.toThrow(
    '--pages is about the pages of WordPress and Ghost',
  );
});

it('leads links to posts whose address the blog itself has to the one that they get', async () => {
  write('site/_config.yml', 'url: https://blog.example\n');
  writePost('site/_posts/2024-01-05-search.md', english);
  writePost('site/_posts/2024-01-06-more.md', '[a](/2024/01/05/search.html) [b]({% post_url 2024-01-05-search %})');
  expect((await run('site', { isPublishing: true })).map(({ slug }) => slug)).toEqual(['search-post', 'more']);
  expect((await readPosts())[0]?.['content']).toBe(
    '<p><a href="/blogs/search-post">a</a> <a href="/blogs/search-post">b</a></p>',
  );
});

it('is refused with an option that would do nothing for it', async () => {
  write('pages.xml', '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel></channel></rss>');
  write('ghost.json', '{"db":[{"data":{"posts":[]}}]}');
  write('tags.yml', 'note: drop');
  const refusals: [string, ImportOptions, string][] = [
    ['ghost.json', { permalink: '/:year/:slug/' }, '--permalink is about Markdown: redirects import leads'],
    ['pages.xml', { permalink: '/:year/:slug/' }, '--permalink is about Markdown: its export has the addresses'],
    ['pages.xml', { categoryFrom: 'folder' }, '--category-from is about folders of Markdown'],
    ['ghost.json', { shortcodesFile: join(base, 'tags.yml') }, '--shortcodes is about tags in Markdown and WordPress'],
    ['pages.xml', { permalink: '/:yeer/:slug/' }, "':yeer' is no part of an address that is known"],
    [
      'pages.xml',
      { slugPrefix: ':lang' },
      "--slug-prefix :lang: ':lang' is not known; there are :language and :folder",
    ],
    ['pages.xml', { slugSuffix: '-:category' }, "--slug-suffix -:category: ':category' is not known"],
  ];
  for (const [path, options, reason] of refusals) {
    await expect(run(path, { source: 'a', ...options })).rejects.toThrow(reason);
  }
});

it('that holds nothing is an error', async () => {
  const head = '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Empty</title>';
  write('empty.xml', `${head}</channel></rss>`);
  await expect(run('empty.xml', { source: 'a' })).rejects.toThrow('empty.xml: holds nothing to import');
});

it('keeps the addresses of its generator, and its links between posts', async () => {
  const defaults =
    'defaults:\n  - scope: { path: "", type: posts }\n    values: { permalink: "/blog/:year/:month/:title/" }\n';
  write('site/_config.yml', `url: https://blog.example\n${defaults}`);
  writePost('site/_posts/2024-01-05-first.md', english);
  const links = ['/blog/2024/01/first/#part', '../first/', 'https://blog.example/blog/2024/01/first', '/about.html'];
  writePost('site/_posts/2024-01-06-second.md', links.map((address) => `[x](${address})`).join(' '), '', 'Second');
  const items = await run('site', { isPublishing: true });
  expect(items.map(({ redirects }) => redirects)).toEqual([['/blog/2024/01/first'], ['/blog/2024/01/second']]);
  expect(items[1]?.warnings).toEqual(['leads to pages of the old site that are no posts: /about.html']);
  const { headers, statusCode } = await app.inject('/blog/2024/01/first/');
  expect([statusCode, headers.location]).toEqual([301, '/blogs/first']);
  const content = String((await readPosts())[1]?.['content']);
  expect([...content.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    '/blogs/first#part',
    '/blogs/first',
    '/blogs/first',
    '/about.html',
  ]);
  expect(outcomes(await run('site', { isPublishing: true }))).toEqual(['unchanged', 'unchanged']);
  const again = await run('site', { isPublishing: true, permalink: '/:year/:slug/' });
  expect(again.map(({ outcome, redirects }) => [outcome, ...redirects])).toEqual([
    ['updated', '/2024/first'],
    ['updated', '/2024/second'],
  ]);
});

describe('tags of a source', () => {
  it('become what the file says, with the authors of the site, and are imported once', async () => {
    write('site/_config.yml', 'url: https://blog.example\n');
    write('site/_data/authors.yml', 'jd: { name: Jane Doe }\n');
    write('tags.yml', 'note: <blockquote>{1} {inner}</blockquote>\n');
    writePost(
      'site/_posts/2024-01-05-cables.md',
      `{% note "<b>" %}${english}{% endnote %} {% x %} {% x %}`,
      'author: jd',
    );
    const options = ['--shortcodes', join(base, 'tags.yml'), '--no-fetch', '--json'];
    const { stdout } = await runCommand(app, ['posts', 'import', join(base, 'site'), ...options]);
    const report = JSON.parse(stdout) as { items: ImportItem[]; notes: unknown[] };
    expect(report.notes).toContainEqual({ note: 'the tag {% x %} was left in the text (…)', count: 1 });
    expect(report.items[0]?.warnings).toContain('the tag {% x %} was left in the text (2 times)');
    const [post] = await sql('select content, author from blog_posts');
    expect(post).toEqual({
      author: 'Jane Doe',
      content: expect.stringContaining(`<blockquote>&lt;b&gt; ${english}</blockquote>`) as unknown,
    });
    expect(outcomes(await run('site', { shortcodesFile: join(base, 'tags.yml') }))).toEqual(['unchanged']);
    write('tags.yml', 'note: 1\n');
    await expect(run('site', { shortcodesFile: join(base, 'tags.yml') })).rejects.toThrow('"note" has to be');
  });
});
