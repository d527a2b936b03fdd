import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { PostsExportService } from '../../src/export/posts-export.service.js';
import { Post } from '../../src/posts/post.entity.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createComments } from '../support/comments.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { needProgram } from '../support/system-program.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface ReadPost {
  readonly title: string;
  readonly link: string;
  readonly author: string;
  readonly content: string;
  readonly excerpt: string;
  readonly id: number;
  readonly date: string;
  readonly date_gmt: string;
  readonly name: string;
  readonly status: string;
  readonly type: string;
  readonly attachment: string;
  readonly terms: readonly (readonly [domain: string, word: string, name: string])[];
  readonly meta: Readonly<Record<string, string>>;
  readonly comments: readonly Readonly<Record<string, unknown>>[];
}

interface ReadExport {
  readonly errors: readonly string[];
  readonly version: string;
  readonly base: string;
  readonly authors: Readonly<Record<string, string>>;
  readonly terms: readonly (readonly [domain: string, word: string, name: string])[];
  readonly posts: readonly ReadPost[];
}

const reader = fileURLToPath(new URL('../support/wxr-reader.php', import.meta.url));
/** Signs that no XML can hold, or that would end a section of it; and such as it can hold, but few expect. */
const awkward = 'a ]]> b ]]]]> c <![CDATA[ d \u0001\u0008\u000b\u001f\ufffe e 😀 \u0085 \u2028 é &amp; & <b>';
const kept = 'a ]]> b ]]]]> c <![CDATA[ d  e 😀 \u0085 \u2028 é &amp; & <b>';
let folder: string;
let image: string;

beforeAll(async () => {
  needProgram('php', 'php-cli');
  if (!spawnSync('php', ['-m']).stdout.toString().includes('SimpleXML')) needProgram('php-xml', 'php-xml');
  needProgram('xmllint', 'libxml2-utils');
  const app = await createTestApp();
  const red = sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } });
  image = (await app.get(UploadsService).storeImage(await red.png().toBuffer())).url;
  const content = `<p>]]&gt; <img src="${image}" alt="]]&gt;"></p><pre><code>&lt;![CDATA[ x ]]&gt;</code></pre>`;
  await createPosts(app, [
    {
      ...{ slug: 'shown', title: 'Title', excerpt: 'Excerpt', content, author: 'Ann & <Bob> "]]>', image_url: image },
      ...{ image_alt: 'Alt ]]> & "x"', category: 'R & D ]]>', tags: ['C', 'C++', '"<]]>'] },
      ...{ published_date: '2020-02-29T12:34:56.000Z', seo_title: 'Found ]]>' },
    },
    { slug: 'draft', is_published: false, published_date: null },
    { slug: 'planned', is_published: false, published_date: null },
  ]);
  const em = app.get(EntityManager).fork();
  await em.nativeUpdate(Post, { slug: 'shown' }, { title: awkward, excerpt: awkward });
  await em.nativeUpdate(Post, { slug: 'planned' }, { scheduledAt: new Date('2040-01-01T00:00:00Z') });
  await createComments(app, 'shown', [
    { author: awkward, html: '<p>First ]]> <b>x</b></p>', authorUrl: 'https://a.example/?a=1&b="]]>' },
    { author: 'Second', html: '<p>Answer</p>', answers: 0 },
  ]);
  folder = join(temporaryFolder(), 'wxr');
  await app.get(PostsExportService).export(OPERATOR, folder, { format: 'wxr' });
});

/** The text as a program shows it that was given HTML. */
const decode = (html: string) =>
  html
    .replaceAll('&#91;', '[')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

it('an export for WordPress is well-formed for libxml, which reads it as it was meant', () => {
  const file = join(folder, 'posts.xml');
  const lint = spawnSync('xmllint', ['--noout', '--nonet', '--pedantic', file]);
  expect(lint.stderr.toString()).toBe('');
  expect(lint.status).toBe(0);
  const { stdout, stderr } = spawnSync('php', [reader, file]);
  expect(stderr.toString()).toBe('');
  const read = JSON.parse(stdout.toString()) as ReadExport;
  expect(read.errors).toEqual([]);
  expect(read.version).toBe('1.2');

  const posts = new Map(read.posts.filter(({ type }) => type === 'post').map((post) => [post.name, post]));
  expect([...posts.values()].map(({ name, status }) => [name, status]).sort()).toEqual([
    ['draft', 'draft'],
    ['planned', 'future'],
    ['shown', 'publish'],
  ]);
  expect(posts.get('planned')).toMatchObject({ date_gmt: '2040-01-01 00:00:00' });
  expect(posts.get('draft')).toMatchObject({ date_gmt: '0000-00-00 00:00:00' });
  const shown = posts.get('shown');
  expect(shown).toMatchObject({ link: `${read.base}/blogs/shown`, date_gmt: '2020-02-29 12:34:56' });
  expect(decode(shown?.title ?? '')).toBe(kept);
  expect(decode(shown?.excerpt ?? '')).toBe(kept);
  expect(shown?.content).toContain(`<img src="${read.base}${image}" alt="]]&gt;"`);
  expect(decode(shown?.content ?? '')).toContain('<![CDATA[ x ]]>');
  expect(decode(shown?.meta['_yoast_wpseo_title'] ?? '')).toBe('Found ]]>');

  // Every name that an item says is one of the site, by the same word.
  expect(decode(read.authors[shown?.author ?? ''] ?? '')).toBe('Ann & <Bob> "]]>');
  expect(shown?.terms.map(([domain, , name]) => [domain, decode(name)])).toEqual([
    ['category', 'R & D ]]>'],
    ...['C', 'C++', '"<]]>'].map((tag) => ['post_tag', tag]),
  ]);
  for (const term of shown?.terms ?? []) expect(read.terms).toContainEqual(term);
  expect(new Set(read.terms.map(([domain, word]) => `${domain} ${word}`)).size).toBe(read.terms.length);

  const files = read.posts.filter(({ type }) => type === 'attachment');
  expect(new Set(read.posts.map(({ id }) => id)).size).toBe(read.posts.length);
  for (const { attachment } of files) {
    expect(existsSync(join(folder, attachment.slice(read.base.length)))).toBe(true);
  }
  const featured = files.find(({ id }) => String(id) === shown?.meta['_thumbnail_id']);
  expect(featured).toMatchObject({ status: 'inherit', meta: { _wp_attachment_image_alt: 'Alt ]]> & "x"' } });

  const first = { id: 0, parent: 0, url: 'https://a.example/?a=1&b="]]>', approved: '1' };
  expect(shown?.comments).toMatchObject([
    { ...first, content: '<p>First ]]> <b>x</b></p>', date_gmt: '2015-01-01 00:00:00' },
    { id: 1, parent: 0, author: 'Second', content: '<p>Answer</p>' },
  ]);
  expect(decode(String(shown?.comments[0]?.['author']))).toBe(kept);
});
