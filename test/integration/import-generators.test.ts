import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, expect, it } from '@jest/globals';
import type { ImportItem } from '../../src/shared/contracts/import-report.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;
let items: readonly ImportItem[];

const FILES: Readonly<Record<string, string>> = {
  'blog/authors.yml': 'ann:\n  name: Ann Lee\n  title: Writer\n',
  'blog/2024-01-05-welcome/index.mdx':
    '---\ntitle: Welcome\nauthors: [ann, { key: bo }]\n---\n# Welcome\n\n[guide](../../docs/guide.md#own) [file](./none.md)\n',
  'docs/bare.md': '# A heading\n\nNo front matter.\n',
  'docs/html.md': '<h1 align="center">In\n<i>HTML</i></h1>\n\nText.\n',
  'docs/words.md': 'Only words.\n',
  'docs/README.md': '---\nhome: true\n---\nAll of it.\n',
  'docs/intro.md':
    '---\nsidebar_position: 1\n---\n\n# Getting *started* {#start}\n\n[guide](guide.md#own) [again](/docs/guide.html)\n',
  'docs/guide.md':
    '---\n---\nA guide\n=======\n\n## The boxes {#own}\n\n:::note[Mind **this**]\n\nText with `:::` in it.\n\n:::\n\n:::::danger\n:::details More\nIn *it*\n:::\n:::::\n\n' +
    '- item\n\n  ::: tip\n  In a list\n  :::\n\n> [!WARNING]\n> Alert\n\n::: card A title\n<iframe src="https://a.example" width="1"/>\n\n<!-- @include: ./a.md -->\nOf a card\n:::\n\n::: tabs#fruit\n@tab apple\nRed\n:::\n\n```md\n:::note\nshown\n:::\n```\n\n    :::note\n\n:::never closed\n',
};

beforeAll(async () => {
  app = await createTestApp();
  const base = folderOf(FILES);
  ({ items } = await importPosts(app, base, { source: 'test', isFetching: false, isPublishing: true }));
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const base = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  return base;
}

const read = async (slug: string) => {
  const sql = 'select title, author, content from blog_posts where slug = ?';
  const [row] = await app.get(EntityManager).fork().execute<Record<string, string>[]>(sql, [slug]);
  return row ?? {};
};

it('takes the heading with which a text begins for its title, and repeats none', async () => {
  expect(items.map(({ file, slug, outcome }) => [file, slug, outcome])).toEqual([
    ['blog/2024-01-05-welcome/index.mdx', 'welcome', 'created'],
    ['docs/README.md', null, 'skipped'],
    ['docs/bare.md', 'bare', 'created'],
    ['docs/guide.md', 'guide', 'created'],
    ['docs/html.md', 'html', 'created'],
    ['docs/intro.md', 'intro', 'created'],
    ['docs/words.md', null, 'refused'],
  ]);
  expect([items[2]?.state, items[2]?.warnings.at(-1)]).toEqual([
    'draft',
    'has no front matter that says who can read it there: it is a draft here',
  ]);
  expect((await read('intro'))['title']).toBe('Getting started');
  expect((await read('guide'))['title']).toBe('A guide');
  expect(await read('html')).toMatchObject({ title: 'In HTML', content: '<p>Text.</p>' });
  for (const slug of ['intro', 'guide', 'welcome']) {
    expect((await read(slug))['content']).not.toMatch(/<h2>(?:Getting|A guide|Welcome)/);
  }
});

it('names authors as Docusaurus does, and leads links to files on', async () => {
  const post = await read('welcome');
  expect(post['author']).toBe('Ann Lee, bo');
  expect(post['content']).toBe('<p><a href="/blogs/guide#the-boxes">guide</a> <a href="./none.md">file</a></p>');
  expect(items[0]?.warnings).toEqual(['leads to files that are no posts here: ./none.md']);
  expect((await read('intro'))['content']).toBe(
    '<p><a href="/blogs/guide#the-boxes">guide</a> <a href="/blogs/guide">again</a></p>',
  );
});

it('makes quotations of boxes, and leaves code and what is never closed', async () => {
  const content = (await read('guide'))['content']?.replace(/>\s+</g, '><');
  expect(content).toBe(
    '<h2>The boxes</h2><blockquote><p><strong>Mind this</strong></p><p>Text with <code>:::</code> in it.</p></blockquote>' +
      '<blockquote><p><strong>Danger</strong></p><details><summary>More</summary><p>In <em>it</em></p></details></blockquote>' +
      '<ul><li><p>item</p><blockquote><p><strong>Tip</strong></p><p>In a list</p></blockquote></li></ul>' +
      '<blockquote><p><strong>Warning</strong></p><p>Alert</p></blockquote><p><strong>A title</strong></p><p>Of a card</p><p><strong>apple</strong>\nRed</p>' +
      '<pre><code class="language-md">:::note\nshown\n:::</code></pre><pre><code>:::note</code></pre><p>:::never closed</p>',
  );
  expect(items[3]?.warnings).toEqual([
    'containers were taken off, what they enclose stays: :::card, :::tabs',
    'includes other files, whose text was not taken (<!-- @include -->)',
    'headings have other ids here, so links of other sites to them lead to the top of the post: #own is #the-boxes',
    'no date in the front matter or the file name: dated today',
    'removed: 1 x <iframe> (a.example)',
  ]);
});

it('publishes nothing that a folder keeps from readers', async () => {
  const post = (title: string) => `---\ntitle: ${title}\ndate: 2024-01-05\n---\nText\n`;
  const base = folderOf({
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n',
    'content/posts/open.md': post('Open'),
    'content/secret/_index.md': '---\ndraft: true\n---\n',
    'content/secret/plan.md': post('Plan'),
    'content/team/_index.md': '---\ncascade:\n  build:\n    render: never\n---\n',
    'content/team/prices.md': post('Prices'),
  });
  const found = await importPosts(app, base, { isFetching: false, isPublishing: true });
  expect(found.items.flatMap(({ slug, state }) => (slug === null ? [] : [[slug, state]]))).toEqual([
    ['open', 'published'],
    ['plan', 'draft'],
    ['prices', 'draft'],
  ]);
  expect(found.items.find(({ slug }) => slug === 'plan')?.warnings).toEqual([
    'is in a section there that is a draft: it is a draft here',
  ]);
  const answers = ['/blogs/open', '/blogs/plan', '/posts/open', '/secret/plan'].map((path) => app.inject(path));
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 404, 301, 404]);
});

it('takes where posts were published first, but for addresses on the site that they come from', async () => {
  const post = (title: string, address: string) =>
    `---\ntitle: ${title}\ndate: 2024-01-05\ncanonical_url: ${address}\n---\nText\n`;
  const base = folderOf({
    'hugo.toml': 'baseURL = "https://first.example.dev/"\n',
    'content/posts/from-here.md': post('From here', 'https://first.example.dev/posts/from-here/'),
    'content/posts/from-there.md': post('From there', 'https://elsewhere.example.dev/from-there'),
  });
  await importPosts(app, base, { isFetching: false, isPublishing: true });
  const answers = ['from-here', 'from-there'].map((slug) => app.inject(`/api/posts/${slug}`));
  const posts = (await Promise.all(answers)).map((answer) => answer.json<{ canonical_url: string | null }>());
  expect(posts.map(({ canonical_url }) => canonical_url)).toEqual([null, 'https://elsewhere.example.dev/from-there']);
});

it('reads the Markdown of Jekyll as kramdown, and fills in code what Jekyll fills in', async () => {
  const base = folderOf({
    '_config.yml': 'url: https://kramdown.example.dev\nversion: 4.1\n',
    '_posts/2024-01-05-signs.md':
      '---\ntitle: Signs\n---\nSee https://a.example/ or me@a.example: 1.1~2 and 1^2~3 ^4^.\n\n' +
      '```sh\ninstall {{ site.version }} {{ nothing }}\n```\n\n' +
      '<div>\n\n    <p>in `HTML`</p>\n\n    <p markdown="1">in *Markdown*</p>\n\n</div>\nBelow <script> it.\n\n*a* | b\nc | d\n',
  });
  const { items: found } = await importPosts(app, base, { isFetching: false, isPublishing: true });
  expect((await read('signs'))['content']?.replace(/>\s+</g, '><')).toBe(
    '<p>See https://a.example/ or me@a.example: 1.1~2 and 1^2~3 ^4^.</p><pre><code class="language-sh">install 4.1 {{ nothing }}</code></pre>' +
      '<p>in `HTML`</p><p>in <em>Markdown</em></p><p>Below &lt;script&gt; it.</p>' +
      '<table><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><em>a</em></td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>',
  );
  expect(found[0]?.warnings).toEqual([
    'a template expression was left in code: {{ nothing }}',
    'a tag that is never closed is shown as text: <script>',
  ]);
});

it('makes links of the addresses of which the generator makes some', async () => {
  const text =
    '---\ntitle: Links\ndate: 2024-01-05\n---\nhttps://a.example/ "https://b.example/" http://localhost:1/\n';
  const contents = [];
  for (const [name, config] of [
    ['hugo.toml', 'baseURL = "https://linked.example.dev/"'],
    ['zola.toml', 'base_url = "https://linked.example.net/"'],
  ] as const) {
    const base = folderOf({ [name]: `${config}\n`, [`content/${name.slice(0, 4)}-links.md`]: text });
    await importPosts(app, base, { isFetching: false, isPublishing: true });
    contents.push((await read(`${name.slice(0, 4)}-links`))['content']);
  }
  expect(contents).toEqual([
    '<p><a href="https://a.example/">https://a.example/</a> "https://b.example/" http://localhost:1/</p>',
    '<p>https://a.example/ "https://b.example/" http://localhost:1/</p>',
  ]);
});

it('takes posts that Jekyll knows by their names alone, and front matter below empty lines', async () => {
  const jekyll = folderOf({
    '_config.yml': 'url: https://named.example.dev\n',
    '_posts/2024-01-05-by-name.md': 'Only *text*.\n',
    '_posts/2024-01-06-kept-back.md': '\n---\npublished: false\n---\nSecret.\n',
    'notes/2024-01-07-no-post.md': 'Only text.\n',
  });
  const hugo = folderOf({
    'hugo.toml': 'baseURL = "https://below.example.dev/"\n',
    'content/below.md': '\n\n---\ntitle: Below\ndate: 2024-01-05\n---\n||a\n-|-|-\nb|c|d\n',
  });
  const found = [];
  for (const base of [jekyll, hugo]) {
    found.push(...(await importPosts(app, base, { isFetching: false, isPublishing: true })).items);
  }
  expect(found.map(({ file, outcome, state }) => [file, outcome, state])).toEqual([
    ['_posts/2024-01-05-by-name.md', 'created', 'published'],
    ['_posts/2024-01-06-kept-back.md', 'created', 'draft'],
    ['notes/2024-01-07-no-post.md', 'refused', undefined],
    ['content/below.md', 'created', 'published'],
  ]);
  expect((await read('below'))['content']).toMatch(/^<table>[^]*<td>b<\/td>\s*<td>c<\/td>\s*<td>d<\/td>/);
  expect(await read('by-name')).toMatchObject({ title: 'By Name', content: '<p>Only <em>text</em>.</p>' });
});

it('refuses a text that is nested too deep, and no other', async () => {
  const head = (title: string) => `---\ntitle: ${title}\ndate: 2024-01-05\n---\n`;
  const base = folderOf({
    'hugo.toml': 'baseURL = "https://deep.example.dev/"\n',
    'content/deep.md': `${head('Deep')}${'>'.repeat(20_000)} a <b>b</b>\n`,
    'content/leading.md': `${head('Leading')}[to it](/deep/#place)\n`,
  });
  const { items: found } = await importPosts(app, base, { isFetching: false, isPublishing: true });
  expect(found.map(({ file, outcome, reasons }) => [file, outcome, reasons])).toEqual([
    ['content/deep.md', 'refused', ['its quotations or lists stand in each other too deep to be read']],
    ['content/leading.md', 'created', []],
  ]);
});

it('says what looks other than Hugo and Eleventy show it', async () => {
  const hugo = folderOf({
    'hugo.toml': 'baseURL = "https://noted.example.dev/"\n',
    'content/noted.md':
      '---\ntitle: Noted\ndate: 2024-01-05\n---\na <kbd>b</kbd> <me@host>\n\n{{< tweet user="a" id="1" >}}\n\n[^x]: *Not* shown\n',
  });
  const eleventy = folderOf({
    '_data/site.json': '{"url": "https://noted.example.net/"}',
    'eleventy.config.js': 'export default () => ({});\n',
    'posts/lines.md': '---\ntitle: Lines\ndate: 2024-01-05\n---\na\n\n    b *c*\n',
  });
  const old = folderOf({
    '_data/site.json': '{"url": "https://old.example.net/"}',
    '.eleventy.js': 'module.exports = () => ({});\n',
    'package.json': '{"devDependencies": {"@11ty/eleventy": "^1.0.2"}}',
    'posts/old-lines.md': '---\ntitle: Old lines\ndate: 2024-01-05\n---\na\n\n    b *c*\n',
  });
  const { items: found } = await importPosts(app, hugo, { isFetching: false, isPublishing: true });
  for (const base of [eleventy, old]) await importPosts(app, base, { isFetching: false, isPublishing: true });
  expect((await read('noted'))['content']?.replace(/>\n+</g, '><')).toBe(
    '<p>a <kbd>b</kbd> <a href="mailto:me@host">me@host</a></p><p><a href="https://x.com/a/status/1">https://x.com/a/status/1</a></p>',
  );
  expect(found[0]?.warnings).toEqual([
    'what the tag {{< tweet >}} showed is a link here (once)',
    'HTML, which Hugo leaves out unless its setting unsafe is on, is shown here',
    'a footnote to which nothing leads is left out, as it was there: [^x]: Not shown',
  ]);
  expect((await read('lines'))['content']).toMatch(/<p>\s*b <em>c<\/em><\/p>/);
  expect((await read('old-lines'))['content']).toContain('<pre><code>b *c*');
});
