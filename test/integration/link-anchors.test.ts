import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { LinkCheckResult } from '../../src/shared/contracts/link-check.js';
import type { DeadLinkCounts, DeadLinkPage } from '../../src/shared/contracts/links.js';
import { createAdministrator, type Administrator } from '../support/admin-posts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { importPosts } from '../support/import-posts.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { untilEqual } from '../support/until.js';

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url));
const link = (address: string) => `<p><a href="${address}">a link</a></p>`;

const MARKDOWN = `---
title: Costs of a move
date: 2024-02-03
---

- [Über Kosten](#über-kosten)
- [as a browser copies it](#%C3%BCber-kosten)
- [価格](#価格)
- [twice](#twice-1)
- [gone](#gone)

## Über Kosten

It depends.[^1] See [the other](/blogs/other#costs), [below](#twice) and [more](/blogs/other#gone).

## 価格

### Twice
### Twice

[^1]: On a lot.
`;

const CONTENT = [
  '<h3>Deep first</h3><h2>Costs &amp; <em>prices</em></h2><p>a<span class="ql-footnote">A <b>note</b></span></p>',
  '<h2>Costs &amp; prices</h2><h2>שלום עולם</h2><h2>日本語 の 見出し</h2><h2>مرحبا</h2><h2>e\u0301cole</h2><h2>???</h2>',
  '<h2>Related posts</h2><h2>Main</h2><h2>Comments</h2><h2>Post comments</h2><h2>note-1</h2>',
  '<h2>Area <span class="ql-formula" data-value="x^2">x^2</span></h2>',
  '<h2><img src="https://other.example/a.png" alt="A lamp"> on</h2><h2><a href="/pricing">Prices</a></h2><h2> </h2>',
  '<blockquote><h4>Said</h4></blockquote><h2>With a note<span class="ql-footnote">second</span></h2>',
  '<pre><code>&lt;h2 id="code"&gt;no&lt;/h2&gt;</code></pre>',
].join('');

describe('places that links name', () => {
  let app: TestApp;
  let ada: Administrator;

  const dead = async (slug: string) => {
    const { body } = await ada.call<DeadLinkPage>('GET', '/links');
    const links = body.items.find((post) => post.slug === slug)?.links ?? [];
    return links.map(({ place, address, state }) =>
      [...(place === 'edits' ? ['edits'] : []), address, state].join(' '),
    );
  };
  const find = async (slug: string) => {
    const { body } = await ada.call<AdminPostPage>('GET', `/posts?q=${slug}`);
    const id = body.items.find((post) => post.slug === slug)?.id;
    return (await ada.call<AdminPost>('GET', `/posts/${id}`)).body;
  };
  const save = async (slug: string, changes: Partial<AdminPost['saved']>) => {
    const { id, saved, version } = await find(slug);
    const body = { ...saved, ...changes, version, is_published: true };
    expect((await ada.call('PUT', `/posts/${id}`, body)).status).toBe(200);
  };
  const idsOfPage = async (slug: string) => {
    const page = new HtmlPage((await app.inject(`/blogs/${encodeURIComponent(slug)}`)).body);
    const [prose] = page.all('div').filter(({ attribs }) => attribs['class'] === 'prose');
    const all = page.all(() => true).flatMap(({ attribs }) => attribs['id'] ?? []);
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
    return [...(prose ? idsIn(prose) : [])];
  };

  beforeAll(async () => {
    app = await createTestApp({}, { followsChanges: true });
    ada = await createAdministrator(app, 'ada@example.com');
    await createPosts(app, [
      { slug: 'other', title: 'Other', content: '<h2>Costs</h2><p>a</p>' },
      { slug: 'all', title: 'All of them', content: CONTENT },
    ]);
  });

  itSlow('are those that the page of a post has, wherever it came from', async () => {
    const folder = temporaryFolder();
    cpSync(fixtures, folder, { recursive: true });
    writeFileSync(join(folder, 'markdown/good/costs.md'), MARKDOWN);
    const options = { isFetching: false, isPublishing: true, assetsFolder: join(folder, 'markdown/assets') };
    await importPosts(app, join(folder, 'markdown/good'), { ...options, source: 'markdown' });
    await importPosts(app, join(folder, 'wordpress/export.xml'), { ...options, source: 'wordpress' });
    await importPosts(app, join(folder, 'ghost/export.json'), { ...options, source: 'ghost' });
    const slugs = await app
      .get(EntityManager)
      .fork()
      .execute<{ slug: string }[]>('select slug from blog_posts where is_published');
    expect(slugs.length).toBeGreaterThan(5);
    let count = 0;
    for (const { slug } of slugs) {
      const ids = await idsOfPage(slug);
      const paths = [...ids, 'no-such-place'].map((id) => `/blogs/${encodeURIComponent(slug)}#${id}`);
      const { body } = await ada.call<LinkCheckResult>('POST', '/links/check', { paths });
      expect(body.links.map(({ state }) => state)).toEqual([...ids.map(() => 'found'), 'no-anchor']);
      count += ids.length;
    }
    expect(count).toBeGreaterThan(25);
    await untilEqual(() => dead('costs'), ['#gone no-anchor', '/blogs/other#gone no-anchor']);
  });

  it('are found as browsers find them, through redirects and former addresses too, on posts and on pages', async () => {
    await save('other', { slug: 'other-now' });
    await app.get(RedirectsService).save(OPERATOR, [
      { path: '/old/plain', target: '/blogs/other' },
      { path: '/old/named', target: '/blogs/other-now#costs' },
      { path: '/old/lost', target: '/blogs/other-now#never' },
      { path: '/old/prices', target: '/pricing' },
      { path: '/old/plan', target: '/pricing#never' },
      { path: '/old/away', target: 'https://other.example/' },
    ]);
    const expected = {
      '/blogs/other-now#costs': 'found',
      '/blogs/other#costs': 'found',
      '/BLOGS/Other-Now#costs': 'found',
      '/blogs/other-now#Costs': 'no-anchor',
      '/blogs/other-now#': 'found',
      '/blogs/other-now#Top': 'found',
      '/blogs/other-now#main': 'found',
      '/blogs/other-now#:~:text=cost': 'found',
      '/blogs/other-now#costs:~:text=cost': 'found',
      '/blogs/other-now#%': 'no-anchor',
      '/old/plain#costs': 'found',
      '/old/plain#never': 'no-anchor',
      '/old/named#never': 'found',
      '/old/lost': 'found',
      '/pricing#which-plan': 'found',
      '/pricing#which%2Dplan': 'found',
      '/Pricing/#footnote-1': 'found',
      '/pricing#main': 'found',
      '/pricing#': 'found',
      '/pricing#top': 'found',
      '/pricing#:~:text=plan': 'found',
      '/pricing#anything': 'no-anchor',
      '/PRICING/#Which-Plan': 'no-anchor',
      // A part of posts, and an id that is no place.
      '/pricing#post-comments': 'no-anchor',
      '/pricing#page-state': 'no-anchor',
      '/#get-in-touch': 'found',
      '/#which-plan': 'no-anchor',
      '/why-choose-us/our-promise#main': 'found',
      '/why-choose-us/our-promise#steps': 'no-anchor',
      '/old/prices#which-plan': 'found',
      '/old/prices#never': 'no-anchor',
      '/old/plan#never': 'found',
      '/old/plan': 'found',
      '/old/away#anything': 'found',
      // What they show comes from elsewhere.
      '/blogs#anything': 'found',
      '/blogs/tag/passwords#anything': 'found',
      '/search#anything': 'found',
      '/auth#anything': 'found',
      '/contact/sent#anything': 'found',
      '/rss.xml#anything': 'found',
      '/blogs/nothing#costs': 'missing',
      '/blogs/all#日本語-の-見出し': 'found',
      '/blogs/all#%D7%A9%D7%9C%D7%95%D7%9D-%D7%A2%D7%95%D7%9C%D7%9D': 'found',
      '/blogs/all#école': 'found',
      '/blogs/all#e\u0301cole': 'no-anchor',
      '/blogs/all#related-posts-1': 'found',
    };
    const { body } = await ada.call<LinkCheckResult>('POST', '/links/check', { paths: Object.keys(expected) });
    expect(Object.fromEntries(body.links.map(({ path, state }) => [path, state]))).toEqual(expected);
  });

  it('are missed when a heading is renamed, by the server itself, and are back with it', async () => {
    const content = [
      '#mine',
      '#lost',
      '/blogs/other-now#costs',
      '/blogs/leads#mine',
      'http://site.test/blogs/leads#lost',
    ];
    await createPosts(app, [{ slug: 'leads', title: 'Leads', content: `<h2>Mine</h2>${content.map(link).join('')}` }]);
    const own = ['#lost no-anchor', 'http://site.test/blogs/leads#lost no-anchor'];
    await untilEqual(() => dead('leads'), own);
    await save('other-now', { content: '<h2>Prices</h2><p>a</p>' });
    await untilEqual(
      () => dead('leads'),
      ['#lost no-anchor', '/blogs/other-now#costs no-anchor', 'http://site.test/blogs/leads#lost no-anchor'],
    );
    const command = await runCommand(app, ['links', 'check']);
    expect(command.stdout).toContain('  link   #lost names a place that the page does not have\n');
    expect(command.stdout).toContain('  link   /blogs/other-now#costs names a place that the page does not have\n');
    await save('other-now', { content: '<h3>Costs</h3><p>a</p>' });
    await untilEqual(() => dead('leads'), own);
    await changePosts(app, 'unpublish', ['other-now']);
    await untilEqual(() => dead('leads'), [...own.slice(0, 1), '/blogs/other-now#costs draft', ...own.slice(1)]);
  });

  it('of edits are those that the edits have', async () => {
    const { id, saved, version } = await find('leads');
    const content = `<h2>New</h2>${['#new', '#mine', '/blogs/leads#new'].map(link).join('')}`;
    const edits = { version, fields: { ...saved, content } };
    expect((await ada.call('PUT', `/posts/${id}/working-copy`, edits)).status).toBe(200);
    const ofEdits = async () => (await dead('leads')).filter((line) => line.startsWith('edits'));
    await untilEqual(ofEdits, ['edits #mine no-anchor']);
    const counted = await ada.call<DeadLinkCounts>('POST', '/links/counts', {
      ids: [id, (await find('other-now')).id],
    });
    expect(counted.body).toEqual({ posts: [{ id, links: 4 }] });
    expect((await runCommand(app, ['posts', 'list'])).stdout).toMatch(/ leads +Leads \(4 dead links\)\n/);
    const listed = JSON.parse((await runCommand(app, ['posts', 'list', '--json'])).stdout) as { dead_links: number }[];
    expect(listed.find((post) => 'slug' in post && post.slug === 'leads')?.dead_links).toBe(4);
    // Following them again, without a change of the post, finds the same.
    const before = await dead('leads');
    await runCommand(app, ['links', 'check']);
    expect(await dead('leads')).toEqual(before);
  });

  itSlow('of pages are missed by every door, also in posts that a release before found in order', async () => {
    const before = await createTestApp();
    const grace = await createAdministrator(before, 'grace@example.com');
    const content = ['/pricing#which-plan', '/pricing#gone', '/#get-in-touch', '/about#gone'].map(link).join('');
    await createPosts(before, [{ slug: 'to-pages', content }]);
    const listed = async () => {
      const { body } = await grace.call<DeadLinkPage>('GET', '/links');
      return body.items.flatMap(({ links }) => links.map(({ address, state }) => `${address} ${state}`));
    };
    const gone = ['/pricing#gone no-anchor', '/about#gone no-anchor'];
    expect(await listed()).toEqual(gone);
    const asFound = `update post_links set dead = 0, links = (select jsonb_agg(link - 'state') from jsonb_array_elements(links) link)`;
    await before.get(EntityManager).fork().execute(asFound);
    expect(await listed()).toEqual([]);
    const command = await runCommand(before, ['links', 'check']);
    expect(command.stdout).toContain('  link   /pricing#gone names a place that the page does not have\n');
    expect(command.stdout).toContain('1 post checked: 2 dead links in 1 post');
    await before.get(EntityManager).fork().execute(asFound);
    expect(await listed()).toEqual([]);
    // A server that starts follows all links again.
    await createTestApp(before.environment, { followsChanges: true });
    await untilEqual(listed, gone);
  });

  it('are never asked of another site', async () => {
    await createPosts(app, [{ slug: 'only-here', title: 'Only here', content: link('#nothing') }]);
    await runCommand(app, ['links', 'check', '--outer']);
    expect(await dead('only-here')).toEqual(['#nothing no-anchor']);
  });
});

type Element = ReturnType<HtmlPage['all']>[number];

function* idsIn(element: Element): Generator<string> {
  const { id } = element.attribs;
  if (id !== undefined) yield id;
  for (const child of element.children) if ('attribs' in child) yield* idsIn(child);
}
