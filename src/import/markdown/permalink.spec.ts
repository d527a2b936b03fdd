import { describe, expect, it } from '@jest/globals';
import { leadLinksOn, toAddressKey } from './inner-links.js';
import { jekyllDefaults } from './jekyll-permalink.js';
import { permalinkOf, problemOfPattern } from './permalink.js';
import type { Generator } from './site-settings.js';

const DATED = '_posts/2024-03-07-My_First-post.md';
const find = (
  generator: Generator | null,
  values: Record<string, unknown>,
  file: string,
  frontMatter: Record<string, unknown> = {},
  pattern?: string,
) => {
  const post = { file, frontMatter, title: 'Größe: a Title!', date: undefined };
  return permalinkOf(post, { site: generator === null ? null : { generator, values }, pattern });
};

describe('the address that a post had', () => {
  it.each([
    [{}, DATED, {}, '/2024/03/07/My_First-post.html'],
    [{ permalink: 'pretty' }, DATED, { categories: 'A b' }, '/a/b/2024/03/07/My_First-post/'],
    [{ permalink: 'ordinal' }, DATED, {}, '/2024/067/My_First-post.html'],
    [{ permalink: '/:year/:i_month/:slug' }, `news/${DATED}`, {}, '/2024/3/my-first-post'],
    [{}, `news/${DATED}`, { date: '2023-12-31 23:00 -0800', slug: 's' }, '/news/2023/12/31/s.html'],
    [{ permalink: '/:year/:month/:day/' }, DATED, { date: '2023/12/31 23:00' }, '/2023/12/31/'],
    [{ permalink: '/:year/:month/:day/' }, DATED, { date: 'Dec 31, 2023 11:00 PM' }, '/2023/12/31/'],
    [{ baseurl: '/blog' }, DATED, { permalink: '/:title/' }, '/blog/My_First-post/'],
    [{ permalink: '/:collection/:x/' }, DATED, {}, null],
    [{ permalink: '/:slug/' }, '_posts/2024-03-07-Größe_1.md', {}, '/gr%C3%B6%C3%9Fe-1/'],
    [{ permalink: '/:categories/:title/' }, DATED, { categories: ['Über uns'] }, '/%C3%BCber%20uns/My_First-post/'],
    [{ new_post_name: ':title.md', permalink: ':title/' }, `source/${DATED}`, {}, '/2024-03-07-My_First-post/'],
    [
      { new_post_name: ':year-:month-:day-:title.md', permalink: ':year/:title/', root: '/blog/' },
      'source/_posts/a/2024-03-07-B.md',
      {},
      '/blog/2024/a/B/',
    ],
    [{ source_dir: 'src', permalink: 'pretty' }, 'src/about/index.md', {}, '/about/'],
    [{ source_dir: 'src', permalink: ':title/' }, 'src/about.md', {}, '/about.html'],
    [{}, 'about.md', {}, '/about.html'],
    [{ permalink: 'pretty' }, 'help/about.md', {}, '/help/about/'],
    [{}, 'help/index.md', {}, '/help/'],
    [{ collections: { notes: { output: true } } }, '_notes/a/My note.md', {}, '/notes/a/My%20note.html'],
    [{ collections: { notes: {} }, permalink: '/:year/:title/' }, '_notes/x.md', {}, '/notes/x/'],
    [{ collections: { notes: { permalink: '/n/:path/' } } }, '_notes/a/B.md', {}, '/n/a/B/'],
    [{ collections: { notes: { permalink: '/n/:path/' } } }, '_notes/B.md', { permalink: '/:title' }, '/B'],
    [
      { collections: { notes: { permalink: '/:name.html' } }, collections_dir: 'all' },
      'all/_notes/A b.md',
      {},
      '/a-b.html',
    ],
    [{ collections: { posts: { permalink: '/p/:slug' } }, permalink: 'pretty' }, DATED, {}, '/p/my-first-post'],
    [{ collections_dir: 'all', permalink: '/:categories/:slug' }, `all/${DATED}`, {}, '/my-first-post'],
    [{ source: 'src', permalink: '/:categories/:slug' }, `src/news/${DATED}`, {}, '/news/my-first-post'],
    [
      {
        collections: { notes: { permalink: '/never/:path' } },
        defaults: [
          { scope: { path: '', type: 'posts' }, values: { permalink: '/p/:title' } },
          { scope: { path: '', type: 'notes' }, values: { permalink: 'n/:title' } },
          { scope: { path: '' }, values: { permalink: '/all/:title' } },
        ],
      },
      '_notes/x.md',
      {},
      '/n/x',
    ],
    [{}, DATED, { permalink: '/plain/' }, null],
    [
      { defaults: [{ scope: { path: '', type: 'posts' }, values: { permalink: '/b/:title/' } }] },
      DATED,
      {},
      '/b/My_First-post/',
    ],
  ])('follows from the configuration of Jekyll: %j, %s, %j', (values, file, frontMatter, path) => {
    expect(find('jekyll', values, file, frontMatter)).toBe(path);
  });

  it.each([
    [{}, 'content/posts/My Post.md', {}, '/posts/my-post/'],
    [{}, 'content/posts/2020/x/index.md', { slug: 'Y' }, '/posts/2020/y/'],
    [{}, 'content/posts/x.de.md', {}, '/de/posts/x/'],
    [
      { permalinks: { posts: '/:year/:month/:slug/' } },
      'content/posts/x.md',
      { date: '2024-03-07T01:00:00Z' },
      '/2024/03/gr%C3%B6%C3%9Fe-a-title/',
    ],
    [
      { permalinks: { page: { posts: '/:monthname/:slugorfilename' } } },
      'content/posts/x.md',
      { date: '2024-03-07' },
      '/march/x',
    ],
    [{}, 'content/posts/x.md', { url: '/own/' }, null],
    [{ languages: { en: {}, de: {} } }, 'content/posts/trip/index.en.md', {}, '/posts/trip/'],
    [{ languages: { en: {}, de: {} } }, 'content/posts/trip/index.de.md', {}, '/de/posts/trip/'],
    [{ languages: { en: {}, DE: {} }, defaultcontentlanguage: 'de' }, 'content/de/posts/x.md', {}, '/posts/x/'],
    [
      { languages: { en: {}, de: {} }, defaultcontentlanguageinsubdir: true },
      'content/posts/x.en.md',
      {},
      '/en/posts/x/',
    ],
    [{ languages: { en: {}, de: {} } }, 'content/it/x.md', {}, '/it/x/'],
    [{}, 'content/blog/it/x.md', {}, '/blog/it/x/'],
    [{ baseurl: 'https://old.example/blog/' }, 'content/posts/x.de.md', {}, '/blog/de/posts/x/'],
    [{ baseurl: 'https://old.example/' }, 'content/posts/x.md', {}, '/posts/x/'],
    [{ baseurl: 'old.example' }, 'content/posts/x.md', {}, '/posts/x/'],
    [{ uglyurls: true }, 'content/posts/x.md', {}, '/posts/x.html'],
    [{ uglyurls: true }, 'content/posts/x/index.de.md', {}, '/de/posts/x.html'],
    [{ uglyurls: { posts: true } }, 'content/posts/x.md', {}, '/posts/x.html'],
    [{ uglyurls: { posts: true } }, 'content/notes/x.md', {}, '/notes/x/'],
    [{ uglyurls: true, permalinks: { posts: '/p/:slug/' } }, 'content/posts/x.md', { slug: 'y' }, '/p/y.html'],
    [{ uglyurls: true, permalinks: { posts: '/p/:slug.html' } }, 'content/posts/x.md', { slug: 'y' }, '/p/y.html'],
    [{ uglyurls: true }, 'content/posts/x.md', { url: '/:year/y/', date: '2024-03-07' }, '/2024/y/'],
    [{ contentdir: 'texts' }, 'texts/posts/x.md', {}, '/posts/x/'],
    [{ languages: { en: { contentDir: 'content/english' }, de: {} } }, 'content/english/blog/x.md', {}, '/blog/x/'],
    [{ languages: { en: {}, de: { contentDir: 'content/german' } } }, 'content/german/blog/x.md', {}, '/de/blog/x/'],
    [{ permalinks: { a: '/:sections[1:]/:slugorcontentbasename' } }, 'content/a/b/c/x.md', {}, '/b/c/x'],
    [{ permalinks: { a: '/:sections[last]/:slugorcontentbasename' } }, 'content/a/b/c/x.md', {}, '/c/x'],
    [{ permalinks: { '/': '/pages/:slugorcontentbasename/' } }, 'content/x.md', {}, '/pages/x/'],
  ])('follows from the configuration of Hugo: %j, %s, %j', (values, file, frontMatter, path) => {
    expect(find('hugo', values, file, frontMatter)).toBe(path);
  });

  it.each([
    ['content/blog/2024-03-07-My_Post.md', {}, '/blog/my-post/'],
    ['content/blog/my-post/index.fr.md', {}, '/fr/blog/my-post/'],
    ['content/blog/x.md', { path: 'a/b' }, null],
    ['content/it/x.md', {}, '/it/x/'],
    ['content/blog/co/index.en.md', {}, '/blog/co/'],
    ['content/blog/Größe & Maß.md', {}, '/blog/grosse-mass/'],
    ['content/blog/你好.md', {}, null],
  ])('is made of the folders of Zola: %s, %j', (file, frontMatter, path) => {
    expect(find('zola', {}, file, frontMatter)).toBe(path);
  });

  it('has the names of files where Zola is told to keep them', () => {
    for (const paths of ['off', 'safe']) {
      expect(find('zola', { slugify: { paths } }, 'content/blog/My_Größe.md')).toBe('/blog/My_Gr%C3%B6%C3%9Fe/');
      expect(find('zola', { slugify: { paths } }, 'content/blog/a (b).md')).toBeNull();
    }
  });

  it('is what the operator says, and nothing where nobody says anything', () => {
    expect(find(null, {}, DATED, {}, '/:year/:slug')).toBe('/2024/my-first-post');
    expect(find('hugo', { baseurl: 'https://a.example/blog/' }, DATED, {}, '/blog/:year/')).toBe('/blog/2024/');
    expect(find('jekyll', { permalink: 'pretty' }, DATED, {}, '/n/:title.html')).toBe('/n/My_First-post.html');
    expect(find(null, {}, DATED)).toBeNull();
    expect(find(null, {}, 'x.md', {}, '/:year/:slug')).toBeNull();
  });

  it('takes the defaults of Jekyll of the longest path', () => {
    const set = (path: string, author: string) => ({ scope: { path }, values: { author, lang: path } });
    const values = { defaults: [set('en/_posts', 'B'), set('', 'A'), 'x', { values: { tags: ['t'] } }] };
    expect(jekyllDefaults('en/_posts/x.md', values)).toEqual({ author: 'B', lang: 'en/_posts', tags: ['t'] });
    expect(jekyllDefaults('english/x.md', values)).toEqual({ author: 'A', lang: '', tags: ['t'] });
  });
});

describe('links between posts', () => {
  const known = new Map([
    ['/2024/03/a', '/blogs/a'],
    ['/b & c', '/blogs/b'],
    ['/?p=12', '/blogs/twelve'],
  ]);
  const lead = (html: string, ownPath: string | null = '/2024/03/own/') => {
    const warnings: string[] = [];
    const addresses = { find: (path: string) => known.get(toAddressKey(path)), hosts: new Set(['old.example']) };
    return { html: leadLinksOn(html, ownPath, addresses, warnings), warnings };
  };

  it.each([
    ['<a class="x" href="/2024/03/A.html?x=1#y">', '<a class="x" href="/blogs/a?x=1#y">'],
    ["<a href='../a/'>", '<a href="/blogs/a">'],
    ['<a href=/2024/03/a/ class=x>', '<a href="/blogs/a" class=x>'],
    ['<a href=../a>', '<a href="/blogs/a">'],
    ['<a href="/?p=12&#038;preview=true">', '<a href="/blogs/twelve">'],
    ['<a href="https://www.old.example/b%20&amp;%20c/index.html">', '<a href="/blogs/b">'],
    ['<a href="https://else.example/2024/03/a">', null],
    ['<a href="https://old.example/?p=12#x">', '<a href="/blogs/twelve#x">'],
    ['<a href="/2024/03/a?p=12">', '<a href="/blogs/a?p=12">'],
    ['<a href="#note">', null],
    ['<a href="/blogs/x">', null],
    ['<a href="mailto:a@b.example">', null],
    ['<pre>&lt;a href="/2024/03/a"></pre>', null],
  ])('lead to where the posts are: %s', (html, expected) => {
    expect(lead(html)).toEqual({ html: expected ?? html, warnings: [] });
  });

  it('are named where they lead to what is not here', () => {
    const { html, warnings } = lead(
      '<a href="/gone/">x</a><a href="other.html">y</a><a href="/files/a.pdf">z</a><a href="/">home</a><a href="/?p=13">thirteen</a>',
    );
    expect(html).toContain('href="/gone/"');
    expect(warnings).toEqual([
      'leads to pages of the old site that are no posts: /gone/, /2024/03/own/other.html, /?p=13',
      'leads to files of the old site, which stay there: /files/a.pdf',
    ]);
    expect(lead('<a href="other.html">y</a>', null).warnings).toEqual([]);
  });
});

it('keeps signs of names that would end an address, and shares no address among posts', () => {
  const hugo = { permalinks: { posts: '/:year/:slug/' } };
  const more = { date: '2024-03-07', slug: 'c# and more' };
  expect(find('hugo', hugo, 'content/posts/a.md', more)).toBe('/2024/c%23-and-more/');
  expect(find('jekyll', { collections: { notes: { permalink: '/n/:path/' } } }, '_notes/what?.md')).toBe('/n/what%3F/');
});

it.each([
  ['/:year/:month/:slug/', null],
  ['/:sections[1:]/:contentbasename', null],
  ['/:categories/:title:output_ext', null],
  ['/:yeer/:slug/', "':yeer' is no part of an address that is known, such as :year, :month, :slug or :title"],
  ['/blog/', 'has to name what differs between posts, such as :slug or :title'],
  ['/index.php?p=:slug', "has to be a path, without '?' and '#'"],
])('finds what is wrong with the pattern %s', (pattern, problem) => {
  expect(problemOfPattern(pattern)).toBe(problem);
});
