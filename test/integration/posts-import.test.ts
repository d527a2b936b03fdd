import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ImportedPostsService } from '../../src/import/imported-posts.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { ImportOptions, ImportReport } from '../../src/shared/contracts/import-report.js';
import type { PostDetail, PostSummary } from '../../src/shared/contracts/posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { startPictureSite, type PictureSite } from '../support/picture-site.js';
import { importPosts } from '../support/import-posts.js';
import { fewOf } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixtures = fileURLToPath(new URL('../fixtures/markdown', import.meta.url));

let app: TestApp;
let folder: string;

const run = (path: string, options: ImportOptions = {}) =>
  importPosts(app, path, { source: 'test', isFetching: false, ...options });
const runGood = (options: ImportOptions = {}) =>
  run(join(folder, 'good'), { assetsFolder: join(folder, 'assets'), ...options });
const outcomes = async (report: ReturnType<typeof run>) =>
  Object.fromEntries((await report).items.map(({ file, outcome }) => [file, outcome]));
const get = async <T>(url: string) => (await app.inject(url)).json<T>();
const listSlugs = async () =>
  (await app.get(PostsService).listAllIncludingDrafts(OPERATOR)).map(({ slug }) => slug).sort();
const storedFiles = () => {
  const media = join(app.config.dataDir, 'media');
  return existsSync(media) ? readdirSync(media, { recursive: true }) : [];
};

/** An application over an empty database, and a copy of the samples to change. */
async function startOver(): Promise<void> {
  app = await createTestApp();
  folder = temporaryFolder();
  cpSync(fixtures, folder, { recursive: true });
}

describe('while an import runs', () => {
  beforeAll(startOver);

  it('a mistake ends it, and nothing of the group is written', async () => {
    jest.spyOn(app.get(ImportedPostsService), 'savePosts').mockRejectedValueOnce(new Error('A mistake'));
    await expect(runGood()).rejects.toThrow('A mistake');
    expect(await listSlugs()).toEqual([]);
  });

  it('a post that somebody writes is refused alone; every other post of its group is written', async () => {
    const service = app.get(ImportedPostsService);
    const save = service.savePosts.bind(service);
    jest.spyOn(service, 'savePosts').mockImplementationOnce(async (...group) => {
      expect(group[1]).toHaveLength(3);
      await createPosts(app, [{ slug: 'second-post', title: 'Of somebody else' }]);
      return await save(...group);
    });
    const { items } = await runGood();
    const slugs = await listSlugs();
    expect(slugs).toEqual(['first-post', 'second-post', 'without-a-date']);
    expect(items.map(({ slug, outcome, reasons }) => [slug, outcome, reasons])).toEqual([
      ['first-post', 'created', []],
      ['second-post', 'refused', ['somebody changed this post, or took its slug, while the import ran; run it again']],
      ['without-a-date', 'created', []],
    ]);
    const post = await get<PostDetail>('/api/posts/second-post');
    expect(post.title).toBe('Of somebody else');
  });
});

describe('a folder of good posts', () => {
  let predicted: ImportReport;

  beforeAll(startOver);

  it('is predicted by a dry run, which writes nothing', async () => {
    predicted = await runGood({ isDryRun: true });
    expect(predicted.items.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect(await listSlugs()).toEqual([]);
    expect(storedFiles()).toEqual([]);
    const real = await runGood();
    expect({ ...real, isDryRun: true }).toEqual(predicted);
  });

  it('is taken with its images, cleaned, and only what says so is published', async () => {
    expect(await listSlugs()).toEqual(['first-post', 'second-post', 'without-a-date']);
    expect((await get<PostSummary[]>('/api/posts')).map(({ slug }) => slug)).toEqual(['first-post']);
    const post = await get<PostDetail>('/api/posts/first-post');
    expect(post).toMatchObject({
      title: 'The first post: a table',
      author: 'ann, bob',
      tags: ['tables', 'images'],
      category: 'Guides',
      excerpt: 'Text that goes on in a second line.',
      published_date: '2015-03-17T14:00:00.000Z',
      picture: { width: 64, height: 32 },
    });
    expect(post.content).toContain(
      '<a href="/2014/10/01/other/">Another page</a> and <a href="about:blank">a bad one</a>',
    );
    expect(post.content).toContain('<td class="ql-align-right">2</td>');
    expect(post.content).toMatch(
      /<picture>.*<img src="\/media\/[0-9a-f]{32}-64x32\.png" alt="Near" width="64" height="32"/,
    );
    expect(post.content).toContain(`<img src="${post.image_url}" alt="Far"`);
    expect(new HtmlPage(post.content).text('pre')).toBe(`const a = '{{ image }}';`);
    expect(post.content).not.toMatch(/script|onerror|pending|\{:/);
    expect((await app.inject(post.image_url ?? '')).statusCode).toBe(200);
  });

  it('is named with what an editor should look at', async () => {
    expect(predicted.items.map(({ file, warnings }) => [file, warnings])).toEqual([
      [
        '2015-03-17-first-post.md',
        [
          'an attribute list was removed: {: .lead }',
          'leads to pages of the old site that are no posts: /2014/10/01/other/',
          'removed: 1 x address of a link (javascript:), 1 x <script>',
        ],
      ],
      [
        'sub/second-post.markdown',
        [expect.stringContaining('https://pictures.example/a.png: was not fetched; left out')],
      ],
      ['sub/undated.md', ['no date in the front matter or the file name: dated today']],
    ]);
  });

  it('changes nothing the second time', async () => {
    const before = await get<PostDetail>('/api/posts/first-post');
    const files = storedFiles();
    expect(new Set(Object.values(await outcomes(runGood())))).toEqual(new Set(['unchanged']));
    expect(await get('/api/posts/first-post')).toEqual(before);
    expect(storedFiles()).toEqual(files);
  });

  it('is published on demand, once', async () => {
    expect(await outcomes(runGood({ isPublishing: true }))).toEqual({
      '2015-03-17-first-post.md': 'unchanged',
      'sub/second-post.markdown': 'updated',
      'sub/undated.md': 'unchanged',
    });
    expect(await get('/api/posts')).toHaveLength(2);
    expect(new Set(Object.values(await outcomes(runGood({ isPublishing: true }))))).toEqual(new Set(['unchanged']));
    expect(await outcomes(runGood({ isPublishingDrafts: true }))).toMatchObject({ 'sub/undated.md': 'updated' });
    expect(await get('/api/posts')).toHaveLength(3);
  });

  it('never unpublishes, and keeps the date given at the first import', async () => {
    const { published_date } = await get<PostDetail>('/api/posts/without-a-date');
    writeFileSync(
      join(folder, 'good/sub/undated.md'),
      '---\ntitle: Undated\nslug: Without a Date\ndraft: true\n---\nText of an undated post.',
    );
    expect(await outcomes(runGood())).toMatchObject({ 'sub/undated.md': 'updated' });
    const post = await get<PostDetail>('/api/posts/without-a-date');
    expect(post).toMatchObject({ published_date, content: '<p>Text of an undated post.</p>' });
  });

  it('keeps a date that the source has lost', async () => {
    const write = (front: string, text: string) => {
      const path = join(folder, 'dated.md');
      writeFileSync(path, `---\ntitle: Dated\npublished: true\n${front}---\n${text}`);
      return path;
    };
    await run(write('date: 2016-04-05 10:00:00 +0000\n', 'A text of some words.'));
    expect((await run(write('', 'A text of some more words.'))).items).toMatchObject([{ outcome: 'updated' }]);
    expect(await get<PostDetail>('/api/posts/dated')).toMatchObject({
      published_date: '2016-04-05T10:00:00.000Z',
      content: '<p>A text of some more words.</p>',
    });
  });
});

describe('posts edited here', () => {
  const source = (text: string) =>
    writeFileSync(join(folder, 'good/sub/undated.md'), `---\ntitle: Undated\nslug: u\npublished: true\n---\n${text}`);
  const edit = async (title: string) => {
    const posts = app.get(ImportedPostsService);
    const [target] = await posts.findForImportIncludingDrafts(OPERATOR, { sourceKeys: [], slugs: ['u'] });
    if (target === undefined) throw new Error('There is no such post');
    const { slug, content, author, publishedDate } = target;
    const fields = {
      slug,
      content,
      author,
      publishedDate,
      title,
      excerpt: null,
      imageUrl: null,
      imageAlt: null,
      category: null,
      tags: null,
    };
    await posts.savePosts(OPERATOR, [{ target, fields }]);
  };

  beforeAll(async () => {
    await startOver();
    source('One.');
    await runGood();
    await edit('Edited here');
  });

  it('are left alone while their source is the same', async () => {
    expect(await outcomes(runGood())).toMatchObject({ 'sub/undated.md': 'unchanged' });
  });

  it('are not written over when it changes', async () => {
    source('Two.');
    const { items } = await runGood();
    expect(items[2]).toMatchObject({ outcome: 'refused', reasons: [expect.stringContaining('was edited here since')] });
    expect(await get('/api/posts/u')).toMatchObject({ title: 'Edited here', content: '<p>One.</p>' });
  });

  it('are written over on demand', async () => {
    expect(await outcomes(runGood({ isOverwriting: true }))).toMatchObject({ 'sub/undated.md': 'refused' });
    const options = { isOverwriting: true, isAcceptingChanges: true };
    expect(await outcomes(runGood(options))).toMatchObject({ 'sub/undated.md': 'updated' });
    expect(await get('/api/posts/u')).toMatchObject({ title: 'Undated', content: '<p>Two.</p>' });
  });
});

describe('a folder with bad posts', () => {
  const reasons = {
    'broken-yaml.md': [expect.stringMatching(/^the front matter is broken in line [34]: /)],
    'latin-1.md': [expect.stringContaining('not in UTF-8 (line 2')],
    'no-front-matter.md': [expect.stringContaining('has no front matter')],
    'twin-b.md': ["the slug 'twin' is that of twin-a.md already (--slug-prefix and --slug-suffix give others)"],
  };

  beforeAll(async () => {
    await startOver();
    writeFileSync(join(folder, 'bad/too-large.png'), Buffer.alloc(5 * 1024 * 1024));
  });

  it.each(fewOf([true, false], (isDryRun) => !isDryRun))(
    'names each with its reasons and takes the others (dry run: %s)',
    async (isDryRun) => {
      const { items } = await run(join(folder, 'bad'), { isDryRun, isPublishing: true });
      const refused = items.filter(({ outcome }) => outcome === 'refused');
      expect(Object.fromEntries(refused.map((item) => [item.file, item.reasons]))).toEqual(reasons);
      const created = items.filter(({ outcome }) => outcome === 'created');
      expect(created.map(({ file, warnings }) => [file, ...warnings])).toEqual([
        ['corrupt-image.md', 'the image corrupt.png: The image is damaged and cannot be read; left out'],
        ['drawing.md', 'the image drawing.svg: is a drawing (SVG) and became a picture'],
        ['fine.md'],
        [
          'missing-image.md',
          'the image sub/here.png: was not found; left out',
          'the image gone.png: was not found; left out',
          'nothing is left of its text: the words that describe its pictures stand in its place',
        ],
        ['nothing-visible.md', 'nothing is left of its text: its title stands in its place', 'removed: 1 x <script>'],
        ['too-large-image.md', 'the image too-large.png: Image must be less than 5MB; left out'],
        [
          'too-long.md',
          expect.stringMatching(/^the title has 201 characters and was cut to the 200 that are allowed/),
          expect.stringMatching(/^the category has 51 characters and was cut/),
        ],
        ['twin-a.md'],
      ]);
    },
  );

  it('writes nothing of those it refused', async () => {
    expect(await listSlugs()).toEqual([
      'corrupt-image',
      'drawing',
      'fine',
      'missing-image',
      'nothing-visible',
      'too-large-image',
      'too-long',
      'twin',
    ]);
    const shown = await Promise.all(
      ['fine', 'drawing', 'corrupt-image'].map(async (slug) => {
        const { content, picture } = await get<PostDetail>(`/api/posts/${slug}`);
        return /\/media\/([0-9a-f]{32})/.exec(content + JSON.stringify(picture))?.[1];
      }),
    );
    const isShown = (name: string) => shown.some((id) => id !== undefined && name.includes(id));
    expect(storedFiles().every((name) => isShown(String(name)) || !String(name).includes('.'))).toBe(true);
  });

  it('takes away images that are missing now only when told to', async () => {
    const path = join(folder, 'bad/missing-image.md');
    const assets = { assetsFolder: temporaryFolder() };
    mkdirSync(join(assets.assetsFolder, 'sub'));
    cpSync(join(folder, 'bad/fine.png'), join(assets.assetsFolder, 'sub/here.png'));
    const write = (text: string) => writeFileSync(path, `---\ntitle: M\ndate: 2020-01-01\n---\n${text}`);
    write('Text ![near](sub/here.png)');
    const shown = async () => (await get<PostDetail>('/api/posts/missing-image')).content;
    const import_ = async (options: ImportOptions = {}) => {
      const { items } = await run(path, { isAcceptingChanges: true, isPublishing: true, ...options });
      return [items[0]?.outcome, ...(items[0]?.reasons ?? []), ...(items[0]?.warnings ?? [])];
    };
    const left = 'the image sub/here.png: was not found; left out';
    expect(await import_()).toEqual(['updated', left]);
    expect(await import_()).toEqual(['unchanged', left]);
    expect(await import_(assets)).toEqual(['updated']);
    expect(await shown()).toMatch(/^<p>Text .*<img src="\/media\//);
    const lost = [
      'refused',
      'would lose images that it shows; nothing was changed',
      'the image sub/here.png: was not found (--assets names a folder to look in, --skip-missing-images leaves it out)',
    ];
    expect(await import_({ isDryRun: true })).toEqual(lost);
    expect(await import_()).toEqual(lost);
    expect(await shown()).toMatch(/^<p>Text .*<img src="\/media\//);
    expect(await import_(assets)).toEqual(['unchanged']);
    expect(await import_({ isLeavingOutMissingImages: true })).toEqual(['updated', left]);
    write('Other text ![near](sub/here.png)');
    expect(await import_()).toEqual(['updated', left]);
    expect(await shown()).toBe('<p>Other text </p>');
  });

  it('refuses slugs of posts from elsewhere', async () => {
    const other = join(temporaryFolder(), 'other.md');
    writeFileSync(other, '---\ntitle: Other\nslug: fine\ndate: 2020-01-01\n---\nText.');
    const { items } = await run(other);
    expect(items[0]?.reasons).toEqual(["the slug 'fine' belongs to the post 'Fine', imported from test#fine.md"]);
  });

  it('refuses a path without posts', async () => {
    await expect(run(join(folder, 'nowhere'))).rejects.toThrow('there is no such file or folder');
  });
});

describe('two imports at once', () => {
  beforeAll(startOver);

  it('give every post once, and neither fails', async () => {
    const posts = join(temporaryFolder(), 'many');
    cpSync(join(folder, 'good/sub'), posts, { recursive: true });
    for (let index = 0; index < 120; index += 1) {
      writeFileSync(
        join(posts, `post-${index}.md`),
        `---\ntitle: Post ${index}\ndate: 2020-01-01\n---\nText ${index}.`,
      );
    }
    const reports = await Promise.all([run(posts), run(posts)]);
    expect(await listSlugs()).toHaveLength(122);
    const refused = reports.flatMap(({ items }) => items).filter(({ outcome }) => outcome === 'refused');
    expect(new Set(refused.flatMap((item) => item.reasons))).toEqual(
      new Set(refused.length > 0 ? [expect.stringContaining('while the import ran')] : []),
    );
    expect(new Set(Object.values(await outcomes(run(posts))))).toEqual(new Set(['unchanged']));
  });
});

describe('every kind of source', () => {
  let others: string;
  let pictures: PictureSite;

  beforeAll(async () => {
    await startOver();
    pictures = await startPictureSite(join(folder, 'assets/blog/red.png'));
    others = temporaryFolder();
    const write = (name: string, text: string) => writeFileSync(join(others, name), text);
    const head = 'date: 2024-01-05\ndraft: false';
    write(
      'one.md',
      `---\ntitle: One\n${head}\naliases: [/old/one, /old/shared, /about]\n---\n![A](${pictures.url}/a.png)`,
    );
    write('two.md', `---\ntitle: Two\n${head}\npermalink: /old/shared\n---\nSee [one]({% post_url one %}).`);
    write('late.md', '---\ntitle: Late\ndraft: false\ndate: 2999-01-05\nupdated: 2024-02-01\n---\nLater.');
    write(
      'clean.md',
      `---\ntitle: Clean\n${head}\n---\n<iframe src="https://a.example/x"></iframe><button>Buy</button>\n\nText.`,
    );
    write('_index.md', '---\ntitle: All\n---\nPosts.');
    write(
      'rows.csv',
      `slug,title,content,author,published_date,is_published\nrow,Row,<p>A row</p>,Ann,2024-01-05,true\n`,
    );
    write(
      'rows.json',
      '[{"slug":"row","title":"Row","content":"<p>Another</p>","author":"Ann"},{"slug":"new","title":"New","content":"<p>x</p>"}]',
    );
  });

  /** The tests that follow need the posts of the first. */
  const sources = () =>
    fewOf<readonly [path: string, options: ImportOptions]>(
      [
        [others, {}],
        [join(folder, 'good'), { assetsFolder: join(folder, 'assets') }],
        [join(folder, 'bad'), { isLeavingOutMissingImages: true }],
        [fileURLToPath(new URL('../fixtures/wordpress/export.xml', import.meta.url)), {}],
        [fileURLToPath(new URL('../fixtures/ghost/export.json', import.meta.url)), { isPublishing: true }],
        [join(others, 'rows.csv'), {}],
        [join(others, 'rows.json'), {}],
      ],
      ([path]) => path === others || path.endsWith('.csv'),
    );

  it('is predicted by a dry run, and changes nothing the second time', async () => {
    for (const [path, options] of sources()) {
      const wanted = { isFetching: path === others, privateHosts: ['127.0.0.1'], ...options };
      const predicted = await run(path, { ...wanted, isDryRun: true });
      const real = await run(path, wanted);
      expect({ ...real, isDryRun: true }).toEqual(predicted);
      expect(real.items.map(({ outcome }) => outcome)).toContain('created');
      const again = await run(path, wanted);
      expect(again.items.map(({ file, outcome }) => [file, outcome])).toEqual(
        real.items.map(({ file, outcome }) => [
          file,
          outcome === 'created' || outcome === 'updated' ? 'unchanged' : outcome,
        ]),
      );
      expect(again).toEqual({ ...(await run(path, { ...wanted, isDryRun: true })), isDryRun: false });
    }
  });

  it('is told what did not come over', async () => {
    const { items } = await run(others, { isFetching: true, privateHosts: ['127.0.0.1'] });
    const notes = Object.fromEntries(items.map(({ file, reasons, warnings }) => [file, [...reasons, ...warnings]]));
    expect(notes).toEqual({
      '_index.md': ['the page of a section, not a post'],
      'clean.md': [
        'what other sites showed in frames are links here: a.example',
        'removed: 1 x <button>',
        "text was removed with <button>: 'Buy' (3 characters)",
      ],
      'late.md': [expect.stringContaining('is planned there for 2999-01-05T20:00:00.000Z: it is a draft here')],
      'one.md': [expect.stringContaining('/a.png: answered 404; left out')],
      'two.md': ['the old address /old/shared leads to one.md already'],
    });
  });

  it('leaves old addresses and plans behind', async () => {
    const { items } = await run(others, { isPublishing: true });
    expect(items.find(({ file }) => file === 'late.md')).toMatchObject({ outcome: 'updated', state: 'scheduled' });
    expect((await app.inject('/old/shared')).headers['location']).toBe('/blogs/one');
    expect((await get<PostDetail>('/api/posts/two')).content).toBe('<p>See <a href="/blogs/one">one</a>.</p>');
    const rows = await app
      .get(EntityManager)
      .fork()
      .execute<object[]>(
        `select is_published, scheduled_at, updated_at, (select count(*)::int from pgboss.job where data->>'postId' = p.id::text) as jobs
       from blog_posts p where slug = 'late'`,
      );
    expect(rows).toEqual([
      {
        is_published: false,
        scheduled_at: '2999-01-05 20:00:00+00',
        updated_at: '2024-02-01 20:00:00+00',
        jobs: 1,
      },
    ]);
  });

  it('has images tried again that could not be fetched, and nothing else', async () => {
    const fetching = { isFetching: true, privateHosts: ['127.0.0.1'] };
    pictures.open();
    expect(await outcomes(run(others, { ...fetching, isDryRun: true }))).toMatchObject({ 'one.md': 'updated' });
    const { items } = await run(others, fetching);
    expect(items.filter(({ outcome }) => outcome === 'updated').map(({ file }) => file)).toEqual(['one.md']);
    expect((await get<PostDetail>('/api/posts/one')).content).toMatch(/<img src="\/media\/[0-9a-f]{32}-64x32.png"/);
    pictures.close();
    expect(await outcomes(run(others, fetching))).toMatchObject({ 'one.md': 'unchanged' });
  });

  it('that is no source is refused', async () => {
    writeFileSync(join(others, 'x.bin'), 'nothing');
    await expect(run(join(others, 'x.bin'))).rejects.toThrow('--format');
    await expect(run(join(others, 'rows.csv'), { format: 'wordpress' })).rejects.toThrow('no export of WordPress');
  });
});

describe('rows of this very site', () => {
  const id = '6f1d2f4e-0f6e-4a57-8d2c-3f3a1b2c4d5e';
  const write = (title: string) => {
    const row = {
      id,
      slug: 'own',
      title,
      content: '<p>Text</p>',
      author: 'Ann',
      published_date: '2024-01-05T20:00:00Z',
    };
    writeFileSync(join(folder, 'own.json'), JSON.stringify([{ ...row, created_at: '2023-01-01T00:00:00Z' }]));
    return join(folder, 'own.json');
  };

  beforeAll(startOver);

  it('keep their ids and times, and are known by their ids wherever they were written', async () => {
    expect((await run(write('Own'))).items).toMatchObject([{ outcome: 'created' }]);
    // Their ids say which posts they are, whatever the source is called.
    expect((await run(write('Renamed'), { source: 'elsewhere' })).items).toMatchObject([{ outcome: 'updated' }]);
    expect((await run(write('Own'))).items).toMatchObject([{ outcome: 'updated' }]);
    const em = app.get(EntityManager).fork();
    const rows = await em.execute<object[]>('select id, created_at from blog_posts');
    expect(rows).toEqual([{ id, created_at: '2023-01-01 00:00:00+00' }]);
    await em.execute('update blog_posts set source_key = null, source_fingerprint = null');
    expect((await run(write('Own'))).items).toMatchObject([{ outcome: 'unchanged' }]);
    expect((await run(write('Other'))).items).toMatchObject([
      {
        outcome: 'refused',
        reasons: [expect.stringContaining('a post of this id with other contents, which was written here')],
      },
    ]);
    expect((await run(write('Other'), { isOverwriting: true })).items).toMatchObject([{ outcome: 'updated' }]);
    expect((await run(write('Other'), { isOverwriting: true })).items).toMatchObject([{ outcome: 'unchanged' }]);
  });
});
