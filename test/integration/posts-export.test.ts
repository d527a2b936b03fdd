import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sax from 'sax';
import sharp from 'sharp';
import { PostsExportService } from '../../src/export/posts-export.service.js';
import { Post } from '../../src/posts/post.entity.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { ExportOptions } from '../../src/shared/contracts/export-report.js';
import { MEDIA_PATH } from '../../src/shared/media.js';
import { paths } from '../../src/shared/paths.js';
import { PlayableFilesService } from '../../src/uploads/playable-files.service.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { STORAGE, type Storage } from '../../src/uploads/storage/storage.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { makeFilm, makeMp3 } from '../support/playable-files.js';
import { createPosts } from '../support/factories.js';
import { importPosts } from '../support/import-posts.js';
import { readTree } from '../support/read-tree.js';
import { fewOf } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;
let image: string;
let linked: string;

const exportTo = (destination: string, options: ExportOptions = {}, from = app) =>
  from.get(PostsExportService).export(OPERATOR, destination, options);
const newFolder = () => join(temporaryFolder(), 'posts');
const importInto = async (target: TestApp, path: string) => {
  const { items } = await importPosts(target, path);
  return items.map(({ outcome, reasons, warnings }) => [outcome, ...reasons, ...warnings]);
};

/** Reads everything of a post that an export has to preserve. */
async function readPosts(from: TestApp) {
  const rows = await from
    .get(EntityManager)
    .fork()
    .find(Post, { deletedAt: null, title: { $ne: '' } }, { orderBy: { id: 'asc' } });
  return rows.map((row) => ({
    ...row,
    ...{
      version: 0,
      isDateChosen: 0,
      firstPublishedAt: 0,
      liveSince: 0,
      sourceKey: 0,
      sourceFingerprint: 0,
      keptAt: 0,
    },
    ...{ lastSaveId: 0, workingCopy: 0, workingTitle: 0 },
    publishedDate: row.isPublished || row.isDateChosen ? row.publishedDate : null,
  }));
}

async function storeImage(format: 'jpeg' | 'png'): Promise<string> {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const picture = sharp({ create: { width: 500, height: 60, channels: 3, background: 'red', noise } });
  return (await app.get(UploadsService).storeImage(await picture.toFormat(format).toBuffer())).url;
}

async function storeFile(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  const files = app.get(PlayableFilesService);
  return await files.store(await files.inspect(path, name.endsWith('.vtt')));
}

/** Posts that are awkward in all the ways that a post can be. */
async function createAwkwardPosts(): Promise<void> {
  image = await storeImage('jpeg');
  linked = await storeImage('png');
  const [film, sound] = [await storeFile('film.mp4', makeFilm()), await storeFile('sound.mp3', makeMp3())];
  const captions = await storeFile('film.vtt', 'WEBVTT');
  const plays = 'controls="" preload="metadata"';
  const player =
    `<video class="ql-player" src="${film}" title="A &quot;film&quot;" poster="${image}" ${plays}>` +
    `<track kind="captions" src="${captions}" srclang="en" default=""></video>`;
  const window = 'rel="noopener noreferrer" target="_blank"';
  await createPosts(app, [
    {
      slug: 'of-the-editor',
      title: 'A  title: "quoted", #1 - [x]',
      excerpt: 'Two lines\nof it: yes',
      content:
        `<h2>One</h2><p>{{ site.url }} <strong>bold </strong><a href="https://a.example/?a=1&amp;b=2" ${window}>x</a></p>` +
        `<p class="ql-align-center"><img src="${image}" alt="A &quot;picture&quot;" width="90"></p><p><br></p>` +
        `<p><img src="https://elsewhere.example/x.png" alt=""></p><blockquote>Quoted</blockquote>${player}`,
      image_url: image,
      image_alt: '',
      tags: ['yes', '1.0', 'a: b'],
      category: 'null',
    },
    {
      slug: 'of-markdown',
      content: `<p>a\nb</p>\n<ul>\n<li>c</li>\n</ul>\n<p><img src="${linked}" alt="b"></p>\n<ul>\n<li>d<audio class="ql-player" src="${sound}" ${plays}></audio></li>\n</ul>`,
    },
    { slug: 'Not a/file name!', content: '<p>One</p>\n<p>Two</p><p>Three</p>', tags: null, excerpt: null },
    { slug: 'draft', is_published: false, published_date: null, category: null },
    { slug: 'dated-draft', is_published: false, published_date: '2031-02-03T04:05:06.789Z' },
    { slug: 'planned', is_published: false, published_date: null },
    { slug: 'trashed' },
  ]);
  const em = app.get(EntityManager).fork();
  await em.nativeUpdate(Post, { slug: 'planned' }, { scheduledAt: new Date('2040-01-01T00:00:00Z') });
  await em.nativeUpdate(Post, { slug: 'trashed' }, { deletedAt: new Date(), isPublished: false });
  await em.nativeUpdate(Post, { slug: 'of-markdown' }, { keptAt: new Date(), createdAt: new Date('2020-01-01') });
  await em.execute(
    `insert into post_slugs (slug, post_id) select 'before', id from blog_posts where slug = 'of-markdown'`,
  );
  await app.get(RedirectsService).save(OPERATOR, [{ path: '/2019/old.html', target: '/blogs/before' }]);
}

beforeAll(async () => {
  app = await createTestApp();
  await createAwkwardPosts();
});

const ownFormats = fewOf(['markdown', 'json'] as const, (format) => format === 'markdown');

describe.each(ownFormats)('an export as %s', (format) => {
  const newPlace = () => (format === 'json' ? join(temporaryFolder(), 'blog.json') : newFolder());
  const treeOf = (place: string) => readTree(format === 'json' ? join(place, '..') : place);

  it('makes the same posts of an empty site, whose export is the same bytes', async () => {
    const place = newPlace();
    const report = await exportTo(place);
    expect(report.items.map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual(Array(6).fill(['exported']));
    expect(report.images).toBe(5);
    const other = await createTestApp();
    expect(await importInto(other, place)).toEqual(Array(6).fill(['created']));
    expect(await readPosts(other)).toEqual(await readPosts(app));
    const again = newPlace();
    await exportTo(again, {}, other);
    expect(treeOf(again)).toEqual(treeOf(place));
    await other.close();
  });

  it('changes nothing over the site that it is of', async () => {
    const place = newPlace();
    await exportTo(place);
    expect(await importInto(app, place)).toEqual(Array(6).fill(['unchanged']));
  });
});

/** What readers and their search see of a post, whatever brought it here. */
async function readPublicParts(from: TestApp, slugs?: readonly string[]) {
  const where = { deletedAt: null, title: { $ne: '' }, ...(slugs === undefined ? {} : { slug: { $in: [...slugs] } }) };
  const rows = await from
    .get(EntityManager)
    .fork()
    .find(Post, where, { orderBy: { slug: 'asc' } });
  const seconds = (date: Date | null | undefined) => date && Math.floor(date.getTime() / 1000);
  return rows.map(({ isPublished, slug, content, author, category, tags, imageUrl, ...row }) => ({
    ...{
      slug,
      content,
      author,
      category,
      tags,
      imageUrl,
      imageAlt: row.imageAlt ?? null,
      imageCaption: row.imageCaption ?? null,
    },
    ...{
      seoTitle: row.seoTitle ?? null,
      seoDescription: row.seoDescription ?? null,
      socialImage: row.socialImage ?? null,
    },
    title: row.title.replace(/\s+/g, ' '),
    excerpt: row.excerpt?.replace(/\u0001/g, '').replace(/\s+/g, ' ') ?? null,
    isPublished,
    scheduledAt: seconds(row.scheduledAt),
    date: isPublished ? seconds(row.publishedDate) : null,
  }));
}

const foreignFormats = fewOf(
  [
    { format: 'wxr', file: 'posts.xml' },
    { format: 'ghost', file: 'posts.json' },
  ] as const,
  ({ format }) => format === 'wxr',
);

describe.each(foreignFormats)('an export as $format', ({ format, file }) => {
  const author = 'Ann & <Bob>';
  const slugs = ['hostile', 'linked-to', 'planned', 'draft', 'of-markdown', 'c-tags'];
  let site: TestApp;

  beforeAll(async () => {
    site = app;
    if ((await readPublicParts(site, ['hostile'])).length > 0) return;
    const [sound] = [await storeFile('other.mp3', makeMp3())];
    await createPosts(site, [
      {
        slug: 'hostile',
        title: 'A ]]> & <b>not bold</b> [gallery ids="1"]',
        excerpt: 'An & <i>excerpt</i> ]]>',
        content:
          '<p>[gallery ids="1"] and [caption]x[/caption] ]]&gt; {{ x }}</p>\n<p>https://youtu.be/dQw4w9WgXcQ</p>' +
          '<p>one<br>\nhttps://example.com/x<br>\ntwo</p><pre><code>a[0] = "[embed]";\n\nhttps://example.com/code</code></pre>\n' +
          '<p>See <a href="/blogs/linked-to#part">the other</a><span class="ql-footnote">A <em>note</em> [x] with <a href="https://a.example/?a=1&amp;b=2">a link</a></span>, ' +
          'and <strong>more</strong><span class="ql-footnote">two</span>.</p>' +
          `<details><summary>Open</summary><p>me</p></details><ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li></ol>` +
          `<audio class="ql-player" src="${sound}" controls="" preload="metadata"></audio>` +
          `<p class="ql-align-center"><img src="${image}" alt="A &quot;picture&quot;" width="90"></p><hr>` +
          '<p>A formula <span class="ql-formula" data-value="x^2">x^2</span></p>' +
          '<p><a href="#costs--prices">Costs</a>, <a href="#area-x2">formulas</a>, <a href="#über-uns">us</a></p>' +
          '<h2>Costs &amp; prices<span class="ql-footnote">three</span></h2>' +
          '<h2>Area <span class="ql-formula" data-value="x^2">x^2</span></h2><h3>Über uns</h3><p>Text</p>',
        author,
        category: 'R & D',
        tags: ['C', 'C++', 'a <b>'],
        image_url: image,
        image_alt: 'Alt & "text"',
        image_caption: 'A <caption> & more',
        image_focus: '30% 70%',
        seo_title: 'Found & <seen>',
        seo_description: 'Described',
        social_image: linked,
        published_date: '2020-02-29T12:34:56.000Z',
      },
      { slug: 'linked-to', category: 'R & D', tags: ['C#'], author, image_url: image, image_alt: 'Another text' },
      { slug: 'c-tags', category: 'C', tags: ['C++', 'C#'], published_date: '2001-01-01T00:00:00.000Z' },
    ]);
    const em = site.get(EntityManager).fork();
    await em.nativeUpdate(Post, { slug: 'linked-to' }, { excerpt: 'With a \u0001 sign' });
  });

  it('makes the same posts of an empty site by the importer for it, and keeps private what is', async () => {
    const place = newFolder();
    const report = await exportTo(place, { format, slugs }, site);
    expect(report.items.map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual(Array(6).fill(['exported']));
    const notes = Object.fromEntries(report.items.map((item) => [item.slug, item.notes]));
    expect(notes['of-markdown']).toEqual(
      [
        'it has edits that nobody saved, which are not in the export',
        expect.stringContaining('has to be redirected to it there: /2019/old.html, /blogs/before'),
      ].reverse(),
    );
    expect(report.losses).toContainEqual({ what: 'the focal point of the picture', posts: 1 });
    expect(notes['hostile']).toContain('not in the export: the focal point of the picture');
    const written = readFileSync(join(place, file), 'utf8');
    // Links to headings lead there as they do here.
    const page = (await site.inject(paths.blog('hostile'))).body;
    for (const id of ['costs--prices', 'area-x2', 'über-uns']) {
      for (const html of [page, written.replaceAll('\\"', '"')]) {
        expect(html).toMatch(new RegExp(`<h[23] id="${id}"`));
      }
    }
    if (format === 'wxr') {
      // The parser takes only what is well-formed.
      const parser = sax.parser(true);
      parser.onerror = (error) => {
        throw error;
      };
      parser.write(written).close();
      expect(written).not.toContain('\u0001');
      expect(notes['linked-to']).toEqual(['not in the export: signs that no XML can hold']);
    }
    const other = await createTestApp();
    const options = { source: 'moved', isPublishing: true };
    const { items } = await importPosts(other, join(place, file), options);
    const taken = items.filter(({ outcome }) => outcome !== 'skipped');
    expect(taken.map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual(Array(6).fill(['created']));
    const [was, is] = [await readPublicParts(site, slugs), await readPublicParts(other)];
    // Ghost has no categories: what it shows with a post is its first tag.
    const isShown = ({ category, tags, ...post }: (typeof was)[number]) =>
      format === 'ghost' && category === null
        ? { ...post, category: tags?.[0], tags: tags?.slice(1) }
        : { ...post, category, tags };
    expect(is).toEqual(was.map(isShown));
    expect(is.filter(({ isPublished }) => isPublished)).toHaveLength(4);
    const again = (await importPosts(other, join(place, file), options)).items;
    expect(again.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'unchanged')).toEqual([]);
    const twice = newFolder();
    await exportTo(twice, { format, slugs }, site);
    expect(readTree(twice)).toEqual(readTree(place));
    await other.close();
  });
});

describe('the destination', () => {
  const draftsOnly: ExportOptions = { slugs: ['draft', 'planned'] };

  it('is a new or an empty folder, or one of an earlier export, of which nothing else is replaced', async () => {
    const place = newFolder();
    mkdirSync(join(place, '.posts.posts-export'), { recursive: true });
    writeFileSync(join(place, '.posts.posts-export/left.md'), 'behind by a process that was killed');
    await exportTo(place);
    await expect(exportTo(place, draftsOnly)).rejects.toThrow(/holds an earlier export \(--force replaces it\)/);
    writeFileSync(join(place, 'planned.txt'), 'mine');
    await exportTo(place, { ...draftsOnly, isReplacing: true });
    expect(readdirSync(place).sort()).toEqual(['.posts-export.json', 'draft.md', 'planned.md', 'planned.txt']);

    writeFileSync(join(place, 'of-markdown.md'), 'mine');
    const before = readTree(place);
    await expect(exportTo(place, { isReplacing: true })).rejects.toThrow(/of-markdown\.md is not of an earlier export/);
    rmSync(join(place, '.posts-export.json'));
    await expect(exportTo(place, { isReplacing: true })).rejects.toThrow(/nothing in it is of an earlier export/);
    expect({ ...readTree(place), '/.posts-export.json': before['/.posts-export.json'] }).toEqual(before);
  });

  it.each(['posts', 'posts.json'])('is written by one process at a time: %s', async (name) => {
    const parent = temporaryFolder();
    const place = join(parent, name);
    // A process that runs as long as this one does.
    const stage = join(parent, `.${name}.${process.ppid}-${randomUUID()}.posts-export`);
    mkdirSync(stage);
    writeFileSync(join(stage, 'half.md'), 'half');
    await expect(exportTo(place)).rejects.toThrow(
      `another export to the same place is running (process ${process.ppid}); if not, remove ${stage}`,
    );
    expect(readdirSync(parent)).toEqual([basename(stage)]);
    expect(readdirSync(stage)).toEqual(['half.md']);
    const ended = spawnSync(process.execPath, ['--version']).pid;
    renameSync(stage, join(parent, `.${name}.${ended}-${randomUUID()}.posts-export`));
    await exportTo(place);
    expect(readdirSync(parent).sort()).toEqual(name === 'posts' ? ['posts'] : ['posts-images', 'posts.json']);
  });

  it('is a new file for JSON, or one of an earlier export', async () => {
    const place = join(temporaryFolder(), 'blog.json');
    await exportTo(place);
    await expect(exportTo(place)).rejects.toThrow(/is an earlier export \(--force replaces it\)/);
    await exportTo(place, { ...draftsOnly, isReplacing: true });
    expect(readdirSync(join(place, '..'))).toEqual(['blog.json']);
    writeFileSync(place, '[]');
    await expect(exportTo(place, { isReplacing: true })).rejects.toThrow(/is there already, and is no earlier export/);
  });

  it.each(['posts', 'posts.json', 'ghost', 'wxr'])(
    'is for its owner only, unless readers know it all: %s',
    async (name) => {
      const rightsOf = async (options: ExportOptions) => {
        const parent = temporaryFolder();
        const format: ExportOptions = name === 'ghost' || name === 'wxr' ? { format: name } : {};
        await exportTo(join(parent, name), { ...options, ...format });
        const made = readdirSync(parent, { recursive: true, encoding: 'utf8' });
        const found = made.map((path) => statSync(join(parent, path)));
        return [
          ...new Set(found.map((it) => `${it.isFile() ? 'file' : 'folder'} ${(it.mode & 0o777).toString(8)}`)),
        ].sort();
      };
      expect(await rightsOf({})).toEqual(['file 600', 'folder 700']);
      const usual = process.umask(0o022);
      try {
        expect(await rightsOf({ isPublishedOnly: true })).toEqual(['file 644', 'folder 755']);
      } finally {
        process.umask(usual);
      }
    },
  );

  it('stays as it was when there is nothing to export, or no way to write', async () => {
    const place = newFolder();
    await expect(exportTo(place, { category: 'Nothing' })).rejects.toThrow('There are no such posts');
    writeFileSync(place, 'a file');
    await expect(exportTo(join(place, 'below'))).rejects.toThrow(/cannot be written: ENOTDIR/);
    expect(readdirSync(join(place, '..'))).toEqual(['posts']);
  });
});

describe('the report', () => {
  it('says what is not in the export, and what was left out for want of an image', async () => {
    const em = app.get(EntityManager).fork();
    const unsaved = {
      title: '',
      slug: 'unsaved',
      content: '',
      author: '',
      publishedDate: new Date(),
      keptAt: new Date(),
    };
    await em.insert(Post, unsaved);
    await app.get<Storage>(STORAGE).delete(image.slice(MEDIA_PATH.length));
    const place = newFolder();
    const { items } = await exportTo(place, { slugs: ['unsaved', 'of-markdown', 'of-the-editor', 'dated-draft'] });
    expect(Object.fromEntries(items.map(({ id: _id, slug, ...item }) => [slug, item]))).toEqual({
      unsaved: { file: null, outcome: 'skipped', reasons: ['it was never saved'], notes: [] },
      'of-markdown': {
        file: 'of-markdown.md',
        outcome: 'exported',
        reasons: [],
        notes: ['it has edits that nobody saved, which are not in the export'],
      },
      'of-the-editor': {
        file: 'of-the-editor.md',
        outcome: 'incomplete',
        reasons: [`the image ${image.slice(MEDIA_PATH.length)} is gone from the storage`],
        notes: [],
      },
      'dated-draft': { file: 'dated-draft.md', outcome: 'exported', reasons: [], notes: [] },
    });
    expect(readFileSync(join(place, 'dated-draft.md'), 'utf8')).toMatch(
      /^---\ntitle: Post \d+\nslug: dated-draft\ndate: 2031-02-03T04:05:06\.789Z\ndraft: true\npublished: false\n/,
    );
    const chosen = await exportTo(newFolder(), { isPublishedOnly: true, tags: ['yes', '1.0'], category: 'null' });
    expect(chosen.items.map(({ slug }) => slug)).toEqual(['of-the-editor']);
  });

  it('names slugs of no post, which would be missed only where the export is needed', async () => {
    const args = ['--slug', 'of-markdown', 'of-markdwon', 'of-markdwon'];
    const run = await runCommand(app, ['posts', 'export', newFolder(), ...args]);
    expect(run).toMatchObject({ code: 1, stderr: 'no post has the slug of-markdwon\n' });
    expect(run.stdout).toMatch(/\n1 exported, 0 incomplete, /);
    const json = await runCommand(app, ['posts', 'export', newFolder(), ...args, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ unknown: ['of-markdwon'], items: [{ slug: 'of-markdown' }] });
    const known = await runCommand(app, ['posts', 'export', newFolder(), '--slug', 'of-markdown']);
    expect(known).toMatchObject({ code: 0, stderr: '' });
  });
});
