import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { ImportRunsService } from '../../src/import/import-runs.service.js';
import { ImportUndoService, type UndoneItem } from '../../src/import/import-undo.service.js';
import { ImportService } from '../../src/import/import.service.js';
import { CommentsService } from '../../src/posts/comments/comments.service.js';
import { EditingService } from '../../src/posts/editing.service.js';
import { Post } from '../../src/posts/post.entity.js';
import { PublishingService } from '../../src/posts/publishing.service.js';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PublicationInput, SavePostInput } from '../../src/shared/contracts/admin-post-inputs.js';
import type { ImportOptions } from '../../src/shared/contracts/import-report.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { importPosts } from '../support/import-posts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let app: TestApp;

const run = (path: string, options: ImportOptions = {}) =>
  importPosts(app, path, { source: 'test', isFetching: false, ...options });

describe('an import that is undone', () => {
  let blog: string;
  const write = (name: string, text: string, more = '') =>
    writeFileSync(join(blog, `${name}.md`), `---\ntitle: ${name}\n${more}---\n\n${text}\n`);
  const importBlog = async (options: ImportOptions = {}) =>
    Object.fromEntries((await run(blog, options)).items.map(({ file, outcome }) => [file, outcome]));
  const undo = async (id: number, isDryRun = false) => {
    const items: UndoneItem[] = [];
    for await (const item of app.get(ImportUndoService).undo(OPERATOR, id, { isDryRun })) items.push(item);
    return Object.fromEntries(items.map(({ slug, outcome, reason }) => [slug, reason ?? outcome]));
  };
  const runs = async () => await app.get(ImportRunsService).list(OPERATOR);
  const row = (slug: string) => app.get(EntityManager).fork().findOneOrFail(Post, { slug });
  const status = async (path: string) => (await app.inject(path)).statusCode;
  const edit = async (name: string) => {
    const { id, title, slug, content, author, version } = await row(name);
    const input = { title, slug, content: `${content}<p>Mine.</p>`, author, version };
    await app.get(EditingService).save(OPERATOR, id, plainToInstance(SavePostInput, input));
  };
  const left = { one: 'was written by import 3 since: undo that one first', three: 'was edited here since' };

  beforeAll(async () => {
    app = await createTestApp();
    blog = temporaryFolder();
  });

  it('is in the list when it wrote something, with what it was asked to do', async () => {
    await app.get(RedirectsService).save(OPERATOR, [{ path: '/kept', target: '/about' }]);
    write('one', 'First words.', 'published: true\ndate: 2020-01-02\naliases: [/old/one, /kept]\n');
    write('two', 'Second words.');
    write('three', 'Third words.');
    expect(await importBlog({ isDryRun: true })).toMatchObject({ 'one.md': 'created' });
    expect(await importBlog({ isPublishing: false, only: ['o*', 't*'] })).toMatchObject({ 'two.md': 'created' });
    expect(await importBlog()).toMatchObject({ 'one.md': 'unchanged' });
    expect(await runs()).toEqual([
      {
        ...{ id: 1, state: 'ended', path: blog, sourceName: 'test', created: 3, updated: 0, undone: 0 },
        ...{ startedAt: expect.any(Date), endedAt: expect.any(Date) },
        options: { source: 'test', isFetching: false, only: ['o*', 't*'] },
        counts: { created: 3, updated: 0, unchanged: 0, skipped: 0, refused: 0 },
      },
    ]);
    expect(await status('/old/one')).toBe(301);
  });

  it('leaves what was edited since, or written by a later import, and names it', async () => {
    const before = await row('one');
    write('one', 'First words, changed.', 'slug: uno\ndate: 2021-01-02\naliases: [/old/uno, /old/one]\n');
    write('four', 'Fourth words.', 'published: true\n');
    expect(await importBlog()).toMatchObject({ 'one.md': 'updated', 'four.md': 'created' });
    await edit('three');

    expect(await undo(1, true)).toEqual({ uno: left.one, two: 'trashed', three: left.three });
    expect((await row('two')).deletedAt).toBeNull();
    expect(await undo(1)).toEqual({ uno: left.one, two: 'trashed', three: left.three });
    expect((await row('two')).deletedAt).toBeInstanceOf(Date);

    const { code, stdout, stderr } = await runCommand(app, ['posts', 'import', 'undo', '3', '--yes']);
    expect(stderr).toBe('');
    expect(stdout).toContain('1 to the trash, 1 as before, 0 left as they are\n');
    expect(code).toBe(0);
    const after = await row('one');
    const versioned = { version: expect.any(Number), lastSaveId: null, savedBy: null };
    expect({ ...after }).toEqual({ ...before, ...versioned });
    expect(await status('/blogs/one')).toBe(200);
    expect(await status('/blogs/four')).toBe(404);
    expect(await status('/old/uno')).toBe(404);
    expect((await app.inject('/old/one')).headers.location).toBe('/blogs/one');
  });

  it('takes back its own work once what came later is undone, and nothing twice', async () => {
    expect(await undo(1)).toEqual({ one: 'trashed', three: left.three });
    expect(await undo(1)).toEqual({ three: left.three });
    expect(await status('/old/one')).toBe(404);
    expect((await app.inject('/kept')).headers.location).toBe('/about');
    const again = await runCommand(app, ['posts', 'import', 'undo', '3', '--yes']);
    expect(again).toMatchObject({ code: 0, stdout: 'Nothing is left of import 3 that could be undone.\n' });
    const unknown = await runCommand(app, ['posts', 'import', 'undo', '77', '--yes']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no import 77') });
  });

  it('creates the posts again, under another source too, and with nothing of the trash', async () => {
    // The version stays.
    await app.get(EntityManager).fork().execute(`update blog_posts set excerpt = 'Of before' where slug = 'one'`);
    const report = await run(blog, { source: 'another', isDryRun: true });
    const real = await run(blog, { source: 'another' });
    expect({ ...real, isDryRun: true }).toEqual(report);
    expect(Object.fromEntries(real.items.map(({ file, outcome }) => [file, outcome]))).toEqual({
      ...{ 'four.md': 'created', 'one.md': 'created', 'two.md': 'created', 'three.md': 'refused' },
    });
    expect(await status('/blogs/four')).toBe(200);
    expect((await row('uno')).excerpt).not.toBe('Of before');
    const posts = await app.get(EntityManager).fork().find(Post, { deletedAt: null });
    expect(posts.map(({ slug }) => slug).sort()).toEqual(['four', 'three', 'two', 'uno']);
    expect(await undo(4)).toEqual({ four: 'trashed', two: 'trashed', uno: 'trashed' });
  });

  it('may be broken off; while one runs, none is undone, and none begins meanwhile', async () => {
    write('five', 'Fifth words.');
    const items = app.get(ImportService).importPosts(OPERATOR, blog, { source: 'test', isFetching: false });
    for await (const { file } of items) {
      expect(file).toBe('five.md');
      expect((await runs())[0]).toMatchObject({ id: 5, state: 'running', counts: null });
      await expect(undo(5)).rejects.toThrow('an import is running');
      break;
    }
    const listed = await runCommand(app, ['posts', 'import', 'list']);
    expect(listed.stdout).toMatch(
      /^5 {2}\d{4}-\d\d-\d\d \d\d:\d\d \(America\/Los_Angeles\) {2}broken off {2}\d created, \d updated +test, \//,
    );
    await app.get(ImportRunsService).withoutImports(async () => {
      await expect(importBlog()).rejects.toThrow('an import is being undone');
    });
    expect(await undo(5)).toMatchObject({ five: 'trashed' });
  });

  describe('of posts that a plan published since', () => {
    beforeAll(async () => {
      app = await createTestApp();
      blog = temporaryFolder();
    });

    const planned = (name: string, text: string) =>
      write(name, text, 'published: true\ndate: 2999-01-05T10:00:00Z\nauthor: Ann\n');
    /** What the clock does when the time has come. */
    const publishAll = async () => {
      const em = app.get(EntityManager).fork();
      await em.execute(
        `update blog_posts set scheduled_at = now() - interval '1 minute' where scheduled_at is not null`,
      );
      await em.execute(
        `update import_run_posts set before = before || jsonb_build_object('scheduledAt', now() - interval '1 minute')
         where before->>'scheduledAt' is not null`,
      );
      expect(await app.get(SchedulingService).publishDue()).toBeGreaterThan(0);
    };
    const latest = async () => (await runs())[0]?.id ?? 0;

    it('takes back its own plans, and nothing that somebody published or edited', async () => {
      planned('out', 'Out.');
      planned('edited', 'Edited.');
      planned('shown', 'Shown.');
      await importBlog({ isPublishing: true });
      const id = await latest();
      const shown = await row('shown');
      const publishing = plainToInstance(PublicationInput, { is_published: true, version: shown.version });
      await app.get(PublishingService).setPublication(OPERATOR, shown.id, publishing);
      await publishAll();
      await edit('edited');
      expect(await undo(id)).toMatchObject({
        out: 'trashed',
        edited: left.three,
        shown: 'was published, taken back, dated, moved or deleted here since',
      });
      expect(await status('/blogs/out')).toBe(404);
    });

    it('gives the text back, and keeps public what was planned before it', async () => {
      planned('later', 'Planned.');
      planned('mine', 'Planned as well.');
      await importBlog({ isPublishing: true });
      const first = await latest();
      planned('later', 'Planned and changed.');
      await importBlog({ isPublishing: true });
      const second = await latest();
      expect(second).toBeGreaterThan(first);
      await publishAll();
      expect(await undo(second)).toEqual({ later: 'restored' });
      expect(await row('mine')).toMatchObject({ isPublished: true });
      expect(await row('later')).toMatchObject({ content: '<p>Planned.</p>', isPublished: true, scheduledAt: null });
      planned('later', 'Changed once more.');
      planned('mine', 'Changed as well.');
      await importBlog();
      await edit('mine');
      expect(await undo(await latest())).toEqual({ later: 'restored', mine: left.three });
      expect(await row('later')).toMatchObject({ content: '<p>Planned.</p>', isPublished: true });
      expect(await undo(first)).toMatchObject({ later: 'trashed', mine: left.three });
      expect(await status('/blogs/later')).toBe(404);
    });
  });

  describe('of pages, and of posts that changed their addresses', () => {
    beforeAll(async () => {
      app = await createTestApp();
      blog = temporaryFolder();
    });

    const stdoutOf = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(app, ['posts', 'import', ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };

    it('takes back posts that were made of pages, with what their addresses led to', async () => {
      const page = (id: number) =>
        `<item><title>Page ${id}</title><link>https://a.example/p${id}/</link><content:encoded><![CDATA[Words.]]></content:encoded>` +
        `<wp:post_id>${id}</wp:post_id><wp:post_type>page</wp:post_type><wp:status>publish</wp:status></item>`;
      const file = join(blog, 'pages.xml');
      const head =
        '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/">';
      writeFileSync(file, `${head}<channel><link>https://a.example</link>${page(1)}${page(2)}</channel></rss>`);
      await stdoutOf(file, '--source', 'old', '--no-fetch', '--publish', '--pages', 'Pages');
      expect((await app.inject('/?page_id=2')).headers.location).toBe('/blogs/page-2');
      expect(await status('/blogs/category/pages')).toBe(200);
      expect(await stdoutOf('undo', '1', '--yes')).toContain('2 to the trash, 0 as before, 0 left as they are\n');
      expect(await Promise.all(['/p1', '/blogs/page-1', '/blogs/category/pages'].map(status))).toEqual([404, 404, 404]);
      expect((await app.inject('/?page_id=2')).headers.location).toBeUndefined();
    });

    it('is told of as far as it came where the database went away', async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'cut.md'), '---\ntitle: Cut\n---\n\nWords.\n');
      await run(folder, { source: 'cut' });
      const id = (await runs())[0]?.id ?? 0;
      const comments = app.get(CommentsService);
      const takeBack = comments.takeBack.bind(comments);
      // The first one is of the plan.
      const outage = jest.spyOn(comments, 'takeBack').mockImplementationOnce(takeBack);
      outage.mockRejectedValueOnce(new Error('gone away'));
      const cut = await runCommand(app, ['posts', 'import', 'undo', String(id), '--yes']);
      outage.mockRestore();
      expect(cut).toMatchObject({ code: 2, stderr: 'Error: gone away\n' });
      expect(cut.stdout).toBe(
        'to the trash  cut  Cut\n1 to the trash, 0 as before, 0 left as they are, then it broke off\n',
      );
      expect((await row('cut')).deletedAt).toBeInstanceOf(Date);
    });

    it('gives each of a group its address back, and what another post has to none', async () => {
      for (const name of ['b', 'c']) write(name, 'Words.', `slug: ${name}-first\n`);
      const importAll = () => run(blog, { only: ['*.md'] });
      await importAll();
      write('b', 'Words.', 'slug: b-second\n');
      write('c', 'Words, changed.', 'slug: c-second\n');
      await importAll();
      const id = (await runs())[0]?.id ?? 0;
      await createPosts(app, [{ slug: 'b-first', title: 'In the way' }]);
      expect(await undo(id)).toEqual({
        'b-second': 'cannot have its former address: another post has it, perhaps in the trash',
        'c-second': 'restored',
      });
      expect(await row('c-first')).toMatchObject({ content: '<p>Words.</p>' });
      expect(await row('b-second')).toMatchObject({ title: 'b' });
    });
  });
});
