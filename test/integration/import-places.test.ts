import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import { DomUtils, parseDocument } from 'htmlparser2';
import { ImportRunsService } from '../../src/import/import-runs.service.js';
import { ImportUndoService } from '../../src/import/import-undo.service.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { importPosts } from '../support/import-posts.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;
let base: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};
const run = async (path: string) =>
  (await importPosts(app, join(base, path), { source: 'test', isFetching: false, isPublishing: true })).items;

const read = async (path: string) => parseDocument((await app.inject(path)).body);

/** The headings to which the links in the text of a post lead, here or in the other post. */
async function placesOf(slug: string): Promise<string[]> {
  const text = DomUtils.findOne(({ attribs }) => attribs['class'] === 'prose', (await read(`/blogs/${slug}`)).children);
  const links = DomUtils.getElementsByTagName('a', text?.children ?? [], true);
  const places: string[] = [];
  for (const { attribs } of links) {
    const [path = '', fragment = ''] = (attribs['href'] ?? '').split('#');
    if (attribs['class'] === 'heading-link' || fragment === '') continue;
    const target = DomUtils.getElementById(
      decodeURIComponent(fragment),
      (await read(path || `/blogs/${slug}`)).children,
    );
    places.push(target === null ? `none: #${fragment}` : DomUtils.textContent(target));
  }
  return places;
}

beforeEach(async () => {
  app = await createTestApp();
  base = temporaryFolder();
});

const FIRST = `---
title: First
date: 2024-01-05
---
[a](#costs) [b](#intro) [c](#prix-a-payer) [d](#below) [e](#named) [f](#deep) [g](#kram) [h](#costs-1) [i](#gone) [j](#top) [k](../second/#own) [l](#python)

## What it costs {#costs}

## 1. Intro

## Prix à payer

<a name="named"></a>

## A name before

Text with <span id="deep">a place</span>.

## The list below
{: #kram}

## Costs

## Costs

<h2 id="below">In HTML</h2>

## Python {: #python .x }
`;

it('of Markdown are found by links of the post and of others, whatever they were called there', async () => {
  write('site/_config.yml', 'url: https://blog.example\npermalink: /:title/\n');
  write('site/_posts/2024-01-05-first.md', FIRST);
  write(
    'site/_posts/2024-01-06-second.mdx',
    '---\ntitle: Second\ndate: 2024-01-06\n---\n[x](/first/#costs)\n\n[y](https://blog.example/first#named) [z](/first/#costs-1)\n\n## Mine {/* #own */}\n',
  );
  const items = await run('site');
  expect(await placesOf('first')).toEqual([
    'What it costs',
    '1. Intro',
    'Prix à payer',
    'In HTML',
    'A name before',
    'A name before',
    'The list below',
    'Costs',
    'none: #gone',
    'none: #top',
    'Mine',
    'Python',
  ]);
  expect(await placesOf('second')).toEqual(['What it costs', 'A name before', 'Costs']);
  expect(items[0]?.warnings).toEqual([
    'an attribute list was removed: {: #python .x }',
    'headings have other ids here, so links of other sites to them lead to the top of the post: #costs is #what-it-costs, #named is #a-name-before, #deep is #a-name-before, #kram is #the-list-below, #below is #in-html',
    'links to places of the text that no heading is called by: #gone',
  ]);
  expect((await run('site')).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
});

itSlow('of WordPress and Ghost are found by links of the post and of others', async () => {
  const item = (id: number, slug: string, content: string) =>
    `<item><title>${slug}</title><link>https://a.example/${slug}/</link><content:encoded><![CDATA[${content}]]></content:encoded>` +
    `<wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>`;
  const one = '<p><a href="#h-the-costs">a</a></p><h2 id="h-the-costs">The costs</h2><p>x</p>';
  const two = '<p><a href="https://a.example/one/#h-the-costs">b</a> <a href="/one#the-costs">c</a></p>';
  const head =
    '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><link>https://a.example</link>';
  write('blog.xml', `${head}${item(1, 'one', one)}${item(2, 'two', two)}</channel></rss>`);
  await run('blog.xml');
  expect([await placesOf('one'), await placesOf('two')]).toEqual([['The costs'], ['The costs', 'The costs']]);

  const post = (slug: string, html: string) => ({ id: slug, title: slug, slug, status: 'published', html });
  const posts = [
    post('three', '<p><a href="#what-s-new">a</a></p><h2 id="what-s-new">What’s new</h2><p>x</p>'),
    post('four', '<p><a href="__GHOST_URL__/three/#what-s-new">b</a></p>'),
  ];
  write('ghost.json', JSON.stringify({ db: [{ data: { posts } }] }));
  await run('ghost.json');
  expect([await placesOf('three'), await placesOf('four')]).toEqual([['What’s new'], ['What’s new']]);
});

it('of lists lead to those of categories, tags and authors here, where nothing else was recorded', async () => {
  const redirects = app.get(RedirectsService);
  await redirects.save(OPERATOR, [{ path: '/tags/kept', target: '/pricing' }]);
  write('site/hugo.toml', 'baseURL = "https://blog.example/"\n');
  const post = (name: string, more: string) =>
    write(`site/content/posts/${name}.md`, `---\ntitle: ${name}\ndate: 2024-01-05\n${more}\n---\nText\n`);
  post('a', 'categories: [Home Office, Cables]\ntags: [C++, Kept, Übersicht]\nauthor: Ann Lee');
  post('b', 'categories: [Cables]\nurl: /tags/c/');
  post('c', 'tags: [Secret]\ndraft: true');
  const items = await run('site');
  expect((await redirects.list(OPERATOR)).map(({ path, target }) => `${path} ${target}`)).toEqual([
    '/author/ann-lee /blogs/author/ann-lee',
    '/authors/ann-lee /blogs/author/ann-lee',
    '/categories/cables /blogs/category/cables',
    '/categories/home-office /blogs/category/home-office',
    '/posts/a /blogs/a',
    '/posts/c /blogs/c',
    '/tags/%C3%BCbersicht /blogs/tag/%C3%BCbersicht',
    '/tags/c /blogs/b',
    '/tags/c++ /blogs/tag/c++',
    '/tags/kept /pricing',
    '/tags/ubersicht /blogs/tag/%C3%BCbersicht',
  ]);
  expect(items[0]?.warnings).toContain('the list /tags/kept does not lead on: an operator lets it lead to /pricing');
  const { headers, statusCode } = await app.inject('/categories/home-office/');
  expect([statusCode, headers.location]).toEqual([301, '/blogs/category/home-office']);
  expect((await app.inject('/blogs/category/home-office')).statusCode).toBe(200);
  expect((await run('site')).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);

  const [begun] = await app.get(ImportRunsService).list(OPERATOR);
  for await (const _item of app.get(ImportUndoService).undo(OPERATOR, begun?.id ?? 0)) continue;
  expect((await redirects.list(OPERATOR)).map(({ path }) => path)).toEqual(['/tags/kept']);
});

itSlow('of lists of WordPress and Ghost lead on as well', async () => {
  const terms =
    '<category domain="category" nicename="sub"><![CDATA[Sub & co]]></category><category domain="post_tag" nicename="tag-one"><![CDATA[Tag One]]></category>';
  const item = (id: number) =>
    `<item><title>p${id}</title><link>https://a.example/news/archives/p${id}/</link><dc:creator>ann_l</dc:creator><content:encoded>x</content:encoded>` +
    `<wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>${terms}</item>`;
  const category = (slug: string, parent: string) =>
    `<wp:category><wp:term_id>1</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename><wp:category_parent>${parent}</wp:category_parent></wp:category>`;
  const author =
    '<wp:author><wp:author_login>ann_l</wp:author_login><wp:author_display_name>Ann Lee</wp:author_display_name></wp:author>';
  const spaces = 'xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';
  const head = `<rss version="2.0" ${spaces}><channel><link>https://a.example/news</link>`;
  write(
    'blog.xml',
    `${head}${category('top', '')}${category('sub', 'top')}${author}${item(1)}${item(2)}</channel></rss>`,
  );
  const items = await run('blog.xml');
  const expected = (folder: string) => [
    `${folder}/author/ann-l /blogs/author/ann-lee`,
    `${folder}/category/sub /blogs/category/sub-&-co`,
    `${folder}/category/top/sub /blogs/category/sub-&-co`,
    `${folder}/tag/tag-one /blogs/tag/tag-one`,
  ];
  const found = (items[0]?.lists ?? []).map(({ path, target }) => `${path} ${target}`).sort();
  expect(found).toEqual([...expected('/news/archives'), ...expected('/news')].sort());
  expect(items[1]?.lists).toBeUndefined();

  const data = {
    posts: [{ id: 'g', title: 'g', slug: 'g', status: 'published', html: '<p>x</p>', author_id: 'u' }],
    tags: [{ id: 't', name: 'News!', slug: 'news' }],
    users: [{ id: 'u', name: 'Bo Ek', slug: 'bo' }],
    posts_tags: [{ post_id: 'g', tag_id: 't' }],
  };
  write('ghost.json', JSON.stringify({ db: [{ data }] }));
  expect((await run('ghost.json'))[0]?.lists).toEqual([
    { path: '/tag/news', target: '/blogs/category/news!' },
    { path: '/author/bo', target: '/blogs/author/bo-ek' },
  ]);
});
