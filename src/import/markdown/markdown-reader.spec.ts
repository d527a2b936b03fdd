import { expect, it } from '@jest/globals';
import { readFiles } from '../../../test/support/post-source.js';
import type { SourcePost } from '../source-post.js';

const post = (title: string, text = 'Text') => `---\ntitle: ${title}\ndate: 2024-01-05\n---\n${text}\n`;

/** The slug of each post, or why the file is none. */
async function slugs(files: Readonly<Record<string, string>>) {
  const items = await readFiles(files);
  return Object.fromEntries(
    items.map((item) => [
      item.file,
      'slug' in item ? item.slug : 'skipped' in item ? item.skipped : item.refusal.message,
    ]),
  );
}

it('takes the pages of sections for no posts, and the pages of a folder in each language for one', async () => {
  const index = '---\ntitle: Undated\n---\nText\n';
  const files = {
    'posts/_index.de.md': index,
    'posts/_index.md': index,
    'posts/trip/index.de.md': index,
    'posts/trip/index.en.md': index,
    'posts/list/index.de.md': index,
    'posts/list/entry.md': post('Entry'),
  };
  expect(await slugs(files)).toEqual({
    'posts/_index.de.md': 'the page of a section, not a post',
    'posts/_index.md': 'the page of a section, not a post',
    'posts/list/entry.md': 'entry',
    'posts/list/index.de.md': 'the index of a folder, not a post',
    'posts/trip/index.de.md': 'trip-de',
    'posts/trip/index.en.md': 'trip-en',
  });
});

it('takes the index of a folder of Hugo and Zola for a page, and of a section for none', async () => {
  const index = '---\ntitle: Undated\n---\nText\n';
  const files = {
    'content/index.md': index,
    'content/posts/_index.md': index,
    'content/posts/trip/index.md': index,
    'content/posts/trip/day.md': post('Day'),
    'content/posts/other.md': post('Other'),
  };
  const expected = {
    'content/index.md': 'the index of a folder, not a post',
    'content/posts/_index.md': 'the page of a section, not a post',
    'content/posts/trip/index.md': 'trip',
    'content/posts/trip/day.md': 'day',
    'content/posts/other.md': 'other',
  };
  expect(await slugs({ 'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n', ...files })).toEqual(expected);
  expect(await slugs({ 'zola.toml': 'base_url = "https://zola.example.dev"\n', ...files })).toEqual(expected);
});

it('says of links to files no more than becomes of them', async () => {
  const files = {
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n',
    'content/posts/a.md': post(
      'A',
      '[b](b.md#x) [c](../notes/c.md) [none](none.md) [old](b2.html) [own](sub/) [about](/about/) [pdf](a.pdf)',
    ),
    'content/posts/b.md': post('B'),
    'content/posts/b2.md': post('B2'),
    'content/posts/a/sub.md': post('Sub'),
    'content/notes/c.md': post('C'),
    'content/about.md': '---\ntitle: About\nlayout: page\n---\nText\n',
  };
  const a = (await readFiles(files)).find((item) => item.file === 'content/posts/a.md') as SourcePost;
  expect(a.html).toBe(
    '<p><a href="/blogs/b#x">b</a> <a href="/blogs/c">c</a> <a href="none.md">none</a> <a href="/blogs/b2">old</a> ' +
      '<a href="/blogs/sub">own</a> <a href="/about/">about</a> <a href="a.pdf">pdf</a></p>\n',
  );
  expect(a.warnings).toEqual([
    'leads to pages of the old site that are no posts: /about/',
    'leads to files of the old site, which stay there: /posts/a/a.pdf',
    'leads to files that are no posts here: none.md',
  ]);
});

it('reads fields in whatever capitals, as Hugo does', async () => {
  const files = {
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n',
    'content/posts/x.md':
      '---\nTitle: Own\nDate: 2024-01-05\nSlug: y\nTags: [a]\nAuthor: Ann\nAliases: [/old]\nDraft: true\nFoo: x\n---\nText\n',
    'content/posts/2024-03-04_z.md': '---\ntitle: Z\n---\nText\n',
  };
  const [z, x] = (await readFiles(files)) as SourcePost[];
  expect(x).toMatchObject({
    title: 'Own',
    slug: 'y',
    tags: ['a'],
    author: 'Ann',
    date: new Date('2024-01-05T20:00:00Z'),
    oldPaths: ['/posts/y/', '/old'],
    isPublished: false,
  });
  expect(z).toMatchObject({ slug: 'z', date: new Date('2024-03-04T20:00:00Z') });
});

it('takes a post whose front matter has a name twice, and says which value counts', async () => {
  const [item] = await readFiles({ 'a.md': '---\ntitle: A\ndate: 2024-01-05\ntitle: B\n---\nText\n' });
  expect(item).toMatchObject({
    title: 'B',
    warnings: ['title stands in the front matter more than once: the last one counts'],
  });
});

it('shows emoji where their site does', async () => {
  const post = '---\ntitle: "A :tada:"\ndate: 2024-01-05\nexcerpt: "An :tada:"\n---\nText :tada: and :none:\n';
  const [hugo] = await readFiles({
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\nenableEmoji = true\n',
    'content/a.md': post,
  });
  const warnings = ['codes of emoji were left in the text: :none:'];
  expect(hugo).toMatchObject({ title: 'A :tada:', html: '<p>Text 🎉 and :none:</p>\n', warnings });
  const [jekyll] = await readFiles({
    '_config.yml': 'url: https://jekyll.example.dev\nplugins: [jemoji]\n',
    '_posts/2024-01-05-a.md': post,
  });
  expect(jekyll).toMatchObject({ title: 'A 🎉', slug: 'a', excerpt: 'An 🎉', html: '<p>Text 🎉 and :none:</p>\n' });
  const [plain] = await readFiles({ 'a.md': post });
  expect(plain).toMatchObject({ title: 'A :tada:', html: '<p>Text :tada: and :none:</p>\n' });
});

it('reads Markdown of Jekyll as kramdown does, and that of others as CommonMark says', async () => {
  const files = {
    '_posts/2024-01-05-a.md':
      '---\ntitle: A\n---\n</div>\n<p>a</p>\n*b*\n\n{% highlight html %}\n<br>\n</p>\nx\n{% endhighlight %}\n',
  };
  const htmlOf = async (configuration: string) => {
    const [item] = await readFiles({ ...files, '_config.yml': configuration });
    return (item as SourcePost).html;
  };
  const code = '<pre><code class="language-html">&lt;br&gt;\n&lt;/p&gt;\nx\n</code></pre>\n';
  expect(await htmlOf('url: https://jekyll.example.dev\n')).toBe(`</div>\n<p>a</p><p><em>b</em></p>\n${code}`);
  expect(await htmlOf('url: https://jekyll.example.dev\nmarkdown: CommonMark\n')).toBe(`</div>\n<p>a</p>\n*b*${code}`);
});

it('knows the addresses of Astro and Eleventy where they follow from files', async () => {
  const oldPaths = async (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      (await readFiles(files)).flatMap((item) => ('html' in item ? [[item.slug, item.oldPaths]] : [])),
    );
  const astro = {
    'astro.config.mjs': "export default { site: 'https://astro.example.dev', base: 'docs' };\n",
    'src/content/blog/First Post.md': post('A', '[b](/docs/blog/deep/b/)'),
    'src/content/blog/deep/b/index.mdx': post('B'),
    'src/content/blog/c.md': '---\ntitle: C\ndate: 2024-01-05\nslug: own/c\n---\nText\n',
    'src/pages/about.md': post('About'),
    'src/pages/index.md': post('Home'),
  };
  expect(await oldPaths(astro)).toEqual({
    'first-post': ['/docs/blog/first-post/'],
    b: ['/docs/blog/deep/b/'],
    'own-c': ['/docs/blog/own/c/'],
    about: ['/docs/about/'],
    pages: [],
  });
  const [a] = (await readFiles(astro, 'src/content/blog')) as SourcePost[];
  expect(a).toMatchObject({
    oldPaths: ['/docs/blog/first-post/'],
    html: '<p><a href="/blogs/b">b</a></p>\n',
    warnings: [],
  });
  const eleventy = {
    '_data/metadata.js': 'export default { url: "https://eleventy.example.dev/" };\n',
    'eleventy.config.js': 'export const config = { dir: { input: "content" } };\n',
    'content/blog/2024-01-05-a.md': post('A', '[b](/articles/b/)'),
    'content/news/news.11tydata.js': 'export default { permalink: "/articles/{{ page.fileSlug }}/index.html" };\n',
    'content/news/b.md': post('B'),
    'content/news/c.md': '---\ntitle: C\ndate: 2024-01-05\npermalink: /own/\n---\nText\n',
    'content/made/made.11tydata.js': 'export default { permalink: (data) => data.x };\n',
    'content/made/d.md': post('D'),
    'content/words/words.json': '{ "permalink": "/w/{{ title | slugify }}/{{ none }}" }',
    'content/words/e.md': post('E'),
    'content/g.md': '---\ntitle: G\ndate: 2024-01-05\neleventyComputed: { permalink: "/x/{{ a }}/" }\n---\nText\n',
    'content/h.md': '---\ntitle: H i\ndate: 2024-01-05\npermalink: "/{{ title | slugify }}/index.html"\n---\nText\n',
    'notes/f.md': post('F'),
  };
  const unknown = 'its address on the old site is not known, so it does not lead here (--permalink says it)';
  const items = (await readFiles(eleventy)) as SourcePost[];
  expect(items.flatMap(({ slug, warnings }) => (warnings.includes(unknown) ? [slug] : []))).toEqual([
    'g',
    'd',
    'e',
    'f',
  ]);
  expect(await oldPaths(eleventy)).toEqual({
    g: [],
    a: ['/blog/a/'],
    b: ['/articles/b/'],
    c: ['/own/'],
    d: [],
    e: [],
    f: [],
    h: ['/h-i/'],
  });
  expect(items.find(({ slug }) => slug === 'h')?.warnings).toEqual([]);
});

it('shows nobody comments of Nunjucks where texts are templates of it', async () => {
  const text = post('A', 'a{# not for readers #}b');
  const htmlOf = async (files: Readonly<Record<string, string>>) => {
    const [item] = (await readFiles(files)) as SourcePost[];
    return item?.html.trim();
  };
  const site = { '_data/site.json': '{ "url": "https://eleventy.example.dev/" }', 'a.md': text };
  expect(await htmlOf(site)).toBe('<p>a{# not for readers #}b</p>');
  const config = 'export default { markdownTemplateEngine: "njk" };\n';
  expect(await htmlOf({ ...site, 'eleventy.config.js': config })).toBe('<p>ab</p>');
  expect(await htmlOf({ '_config.yml': 'new_post_name: ":title.md"\n', 'source/_posts/a.md': text })).toBe('<p>ab</p>');
});

it('knows the address of a day that was another one where Jekyll built the site', async () => {
  const dated = (date: string) => `---\ntitle: A\ndate: ${date}\n---\nText\n`;
  const files = {
    '_posts/2024-01-05-a.md': dated('2024-01-05 23:30:00 -0500'),
    '_posts/2024-01-05-b.md': dated('2024-01-05 02:00'),
    '_posts/2024-01-05-c.md': dated('2024-01-05'),
    '_posts/2024-01-05-d.md': dated('"2024-01-05 10:00 Nowhere/Land"'),
  };
  const pretty = 'url: https://jekyll.example.dev\npermalink: pretty\n';
  const read = async (config: string) => {
    const items = await readFiles({ '_config.yml': config, ...files });
    return Object.fromEntries(items.flatMap((item) => ('html' in item ? [[item.slug, item.oldPaths]] : [])));
  };
  expect(await read(pretty)).toEqual({
    a: ['/2024/01/05/a/', '/2024/01/06/a/'],
    b: ['/2024/01/05/b/'],
    c: ['/2024/01/05/c/'],
  });
  expect(await read(`${pretty}timezone: America/New_York\n`)).toEqual({
    a: ['/2024/01/05/a/'],
    b: ['/2024/01/05/b/', '/2024/01/04/b/'],
    c: ['/2024/01/05/c/'],
  });
  expect((await read(`${pretty}timezone: Nowhere/Land\n`))['a']).toEqual(['/2024/01/05/a/']);
});

it('names the titles of code, which are left out', async () => {
  const code =
    '```js title="a b.js" {1}\nx\n```\n\n~~~js:title=src/c.js\nx\n~~~\n\n```js\n```\n\n- ```rb {file: \'d\'}\n  x\n  ```\n';
  const [item] = (await readFiles({ 'a.md': post('A', code) })) as SourcePost[];
  expect(item?.warnings).toEqual(['titles of code were left out: a b.js, src/c.js, d']);
});

it('leads the aliases of Hugo on that are relative to the post', async () => {
  const files = {
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n',
    'content/posts/new.md': '---\ntitle: New\ndate: 2024-01-05\naliases: [old, ../earlier/, /root]\n---\nText\n',
  };
  const [item] = (await readFiles(files)) as SourcePost[];
  expect(item?.oldPaths).toEqual(['/posts/new/', '/root', '/posts/old', '/earlier/']);
  expect(item?.warnings).toEqual([]);
});

it('tells posts apart whose names have other letters than those from a to z, and their links', async () => {
  const files = {
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n',
    'content/posts/итоги-2019.md': post('Итоги 2019'),
    'content/posts/план-2019.md': post('План 2019', '[a](/posts/итоги-2019/) [b](план-2019.md) [c](你好.md)'),
    'content/posts/обзор-iphone.md': post('Обзор'),
    'content/posts/цена-iphone.md': post('Цена'),
    'content/posts/iphone.md': post('iPhone'),
    'content/posts/你好.md': post('你好'),
    'content/posts/größe.md': post('Größe'),
  };
  const items = await readFiles(files);
  const bySlug = new Map(items.flatMap((item) => ('html' in item ? [[item.slug, item] as const] : [])));
  const found = await slugs(files);
  const numbered = (start: string): unknown => expect.stringMatching(new RegExp(`^${start}-[0-9a-f]{8}$`));
  expect(found).toEqual({
    'content/posts/iphone.md': 'iphone',
    'content/posts/итоги-2019.md': '2019',
    'content/posts/план-2019.md': numbered('2019'),
    'content/posts/обзор-iphone.md': numbered('iphone'),
    'content/posts/цена-iphone.md': numbered('iphone'),
    'content/posts/你好.md': numbered('post'),
    'content/posts/größe.md': 'gro-e',
  });
  expect(bySlug.size).toBe(7);
  const plan = bySlug.get(found['content/posts/план-2019.md'] ?? '');
  expect(plan?.html).toContain('<a href="/blogs/2019">a</a>');
  expect(plan?.html).toContain(`<a href="/blogs/${plan?.slug}">b</a>`);
  expect(plan?.html).toContain(`<a href="/blogs/${found['content/posts/你好.md']}">c</a>`);
  expect(plan?.warnings.slice(-1)).toEqual([
    expect.stringMatching(
      /^with its letters from a to z alone it would have the address of content\/posts\/итоги-2019\.md: its address is 2019-/,
    ),
  ]);
});

it('leaves posts with equal names of letters from a to z to the operator', async () => {
  expect(await slugs({ 'a/x.md': post('X'), 'b/x.md': post('X') })).toEqual({ 'a/x.md': 'x', 'b/x.md': 'x' });
});

it('knows the addresses of a site that begins below its host', async () => {
  const files = {
    'config.toml': 'base_url = "https://old.example/blog/"\n',
    'content/a.md':
      '+++\ntitle = "A"\ndate = 2024-01-05\naliases = ["older", "/blog/old"]\n[taxonomies]\ntags = ["x"]\n+++\n[b](/blog/b/)\n',
    'content/b.md': post('B'),
  };
  const [a] = (await readFiles(files)) as SourcePost[];
  expect(a?.oldPaths).toEqual(['/blog/a/', '/blog/older', '/older', '/blog/old']);
  expect(a?.oldLists?.map(({ path }) => path)).toEqual(['/blog/tags/x/']);
  expect(a?.html.trim()).toBe('<p><a href="/blogs/b">b</a></p>');
});

it('takes the first day of Go, which Hugo writes where there is none, for no date', async () => {
  const first = '0001-01-01T00:00:00Z';
  const files = {
    'hugo.toml': 'baseURL = "https://hugo.example.dev/"\n[permalinks]\nposts = "/:year/:slug/"\n',
    'content/posts/2024-03-17-a.md': `+++\ntitle = "A"\ndate = ${first}\nlastmod = ${first}\nexpiryDate = ${first}\n+++\nText\n`,
    'content/posts/b.md': `---\ntitle: B\ndate: ${first}\n---\nText\n`,
  };
  const [dated, undated] = (await readFiles(files)) as SourcePost[];
  expect(dated).toMatchObject({ oldPaths: expect.arrayContaining(['/2024/a/']), warnings: [] });
  expect([dated?.date?.toISOString().slice(0, 10), dated?.updatedAt, dated?.withheld]).toEqual([
    '2024-03-17',
    undefined,
    undefined,
  ]);
  expect(undated?.date).toBeUndefined();
  expect(undated?.warnings).toContain('no date in the front matter or the file name: dated today');
});

it('shows pictures that come into sight late, and leads links on whose accents are spelled otherwise', async () => {
  const files = {
    'a.md': post('A', '<img src="data:image/gif;base64,R0" data-src="/real.png">\n\n[b](b%C3%BCcher.md)'),
    'bu\u0308cher.md': post('B'),
  };
  const [first] = (await readFiles(files)) as SourcePost[];
  expect(first?.html).toContain('src="/real.png"');
  expect(first?.html).toContain('href="/blogs/bucher"');
});

it('takes links off that lead to the picture in them, and leaves others', async () => {
  const own = '[![1](a%20b.png)](<a b.png>) [![2](/x.png "t")](https://www.own.example.dev/x.png?v=1)';
  const others =
    '[![3](a.png)](b.png) [![4](https://far.example/a.png)](https://far.example/a.png) [![5](a.png) words](a.png) `[![6](a.png)](a.png)`';
  const files = {
    'hugo.toml': 'baseURL = "https://own.example.dev/"\n',
    'content/posts/a.md': post('A', `${own}\n\n${others}`),
  };
  const [first] = (await readFiles(files)) as SourcePost[];
  expect(first?.html.match(/<a href="([^"]*)"/g)).toEqual([
    '<a href="b.png"',
    '<a href="https://far.example/a.png"',
    '<a href="a.png"',
  ]);
  expect(first?.html.match(/<img /g)).toHaveLength(5);
  expect(first?.warnings).toContain(
    '2 of its pictures led to the same picture on the old site; here they open by themselves',
  );
});
