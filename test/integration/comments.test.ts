import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ContentNotifier } from '../../src/database/content-notifier.js';
import { PostsExportService } from '../../src/export/posts-export.service.js';
import { ImportRunsService } from '../../src/import/import-runs.service.js';
import { ImportUndoService, type UndoneItem } from '../../src/import/import-undo.service.js';
import { CommentsService } from '../../src/posts/comments/comments.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { importPosts } from '../support/import-posts.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Written {
  readonly id: number;
  readonly parent?: number;
  readonly author?: string;
  readonly url?: string;
  readonly approved?: string;
  readonly type?: string;
  readonly text?: string;
}

const secretMail = 'reader@example.com';
const secretAddress = '192.0.2.77';
const place = join(temporaryFolder(), 'export.xml');
let app: TestApp;

const comment = ({
  id,
  parent = 0,
  author = `Reader ${id}`,
  url = '',
  approved = '1',
  type = 'comment',
  text,
}: Written) =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author><![CDATA[${author}]]></wp:comment_author>
   <wp:comment_author_email>${secretMail}</wp:comment_author_email><wp:comment_author_IP>${secretAddress}</wp:comment_author_IP>
   <wp:comment_author_url>${url}</wp:comment_author_url><wp:comment_date_gmt>2015-03-0${id % 9 || 9} 10:00:00</wp:comment_date_gmt>
   <wp:comment_content><![CDATA[${text ?? `Text ${id}`}]]></wp:comment_content><wp:comment_approved>${approved}</wp:comment_approved>
   <wp:comment_type>${type}</wp:comment_type><wp:comment_parent>${parent}</wp:comment_parent></wp:comment>`;

function writeExport(posts: Readonly<Record<string, readonly Written[]>>): void {
  const items = Object.entries(posts).map(
    ([slug, comments], index) =>
      `<item><title>Post ${slug}</title><link>https://old.example/${slug}/</link><wp:post_id>${index + 1}</wp:post_id>
       <content:encoded><![CDATA[<p>Text of ${slug}</p>]]></content:encoded><wp:post_date_gmt>2015-01-02 03:04:05</wp:post_date_gmt>
       <wp:post_name>${slug}</wp:post_name><wp:status>${slug.startsWith('draft') ? 'draft' : 'publish'}</wp:status>
       <wp:post_type>post</wp:post_type>${comments.map(comment).join('')}</item>`,
  );
  writeFileSync(
    place,
    `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="c"><channel>
     <wp:base_blog_url>https://old.example</wp:base_blog_url>${items.join('')}</channel></rss>`,
  );
}

const bring = async (options = {}) =>
  (await importPosts(app, place, { isTakingComments: true, ...options })).items.map(({ comments }) => comments);
const read = async (slug: string) => (await app.inject(`/api/posts/${slug}`)).json<PostDetail>().comments;
const names = async (slug: string) =>
  [...((await read(slug))?.html ?? '').matchAll(/<b>(?:<a [^>]*>)?([^<]*)/g)].map(([, name]) => name);
const service = () => app.get(CommentsService);
const lastRun = async () => {
  const runs = await app.get(ImportRunsService).list(OPERATOR);
  return runs[0]?.id ?? 0;
};
const undo = async (id: number, isDryRun = false): Promise<UndoneItem[]> => {
  const items: UndoneItem[] = [];
  for await (const item of app.get(ImportUndoService).undo(OPERATOR, id, { isDryRun })) items.push(item);
  return items.sort((a, b) => (a.slug < b.slug ? -1 : 1));
};

const first: readonly Written[] = [
  { id: 1, author: 'Ann <b>Arbor</b>', url: 'https://ann.example/?a=1&amp;b=2' },
  { id: 2, parent: 1, url: 'javascript:alert(1)', author: 'someone@example.net' },
  {
    id: 3,
    parent: 2,
    text: 'One\ntwo\n\n<script>alert(1)</script><a href="https://x.example" onclick="x">link</a> <a href="/inner">inner</a> <img src="https://x.example/1.png"><h2>Loud</h2><div>loose</div>',
  },
  { id: 4, approved: 'spam' },
  { id: 5, approved: '0' },
  { id: 6, approved: 'trash' },
  { id: 7, type: 'pingback' },
  { id: 8, parent: 4 },
];

beforeAll(async () => {
  app = await createTestApp();
});

describe('comments of an import', () => {
  it('are counted where nobody asked for them, and come with what everybody could read', async () => {
    writeExport({ open: first, 'draft-one': [{ id: 20 }], bare: [] });
    const left = { spam: 1, 'waiting for approval there': 1, 'in the trash there': 1, 'pingbacks and trackbacks': 1 };
    const unasked = (await importPosts(app, place)).items.map(({ comments }) => comments);
    const notWanted = 'not asked for (--comments takes them)';
    const none = { came: 0, changed: 0, gone: 0 };
    expect(unasked).toEqual([
      { ...none, left: { ...left, [notWanted]: 4 } },
      { ...none, left: { [notWanted]: 1 } },
      undefined,
    ]);
    expect(await read('open')).toBeNull();
    const page = await app.inject('/blogs/open');
    expect(page.body).not.toContain('post-comments');

    const came = [{ ...none, came: 4, left }, { ...none, came: 1, left: {} }, undefined];
    expect(await bring({ isDryRun: true })).toEqual(came);
    expect(await read('open')).toBeNull();
    expect(await bring()).toEqual(came);
    expect(await bring()).toEqual([{ ...none, left }, undefined, undefined]);

    const link = 'rel="nofollow ugc noopener noreferrer"';
    const by = (name: string, day: string) =>
      `<p class="comment-by small quiet"><b>${name}</b> · <time datetime="2015-03-0${day}T10:00:00.000Z">March ${day}, 2015</time></p>`;
    expect(await read('open')).toEqual({
      count: 4,
      html:
        `<ol role="list"><li class="comment">${by(`<a href="https://ann.example/?a=1&amp;b=2" ${link}>Ann Arbor</a>`, '1')}` +
        `<div class="prose" dir="auto"><p>Text 1</p></div><ol role="list"><li class="comment">${by('someone', '2')}` +
        `<div class="prose" dir="auto"><p>Text 2</p></div><ol role="list"><li class="comment">${by('Reader 3', '3')}` +
        `<div class="prose" dir="auto"><p>One<br>\ntwo</p><p><a href="https://x.example" ${link}>link</a> inner </p><p>Loud</p><p>loose</p></div></li></ol></li></ol></li>` +
        `<li class="comment">${by('Reader 8', '8')}<div class="prose" dir="auto"><p>Text 8</p></div></li></ol>`,
    });
    const shown = (await app.inject('/blogs/open')).body;
    expect(shown).toMatch(
      /<section class="comments[^"]*" aria-labelledby="post-comments"><h2 id="post-comments">Comments/,
    );
    // Below a draft, nobody sees any; neither feeds nor the search have them.
    expect((await app.inject('/blogs/draft-one')).statusCode).toBe(404);
    expect((await app.inject('/rss.xml')).body).not.toContain('Reader 8');
    expect((await app.inject('/api/search?q=Arbor')).json()).toMatchObject({ results: [] });
    const rows = await app.get(EntityManager).fork().execute('select * from post_comments');
    expect(rows).toHaveLength(5);
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|reader@|someone@/);
  });

  it('follow their source, but for those that were removed here', async () => {
    expect(await service().remove(OPERATOR, { slug: 'open', ids: ['2'] })).toBe(1);
    expect(await names('open')).toEqual(['Ann Arbor', 'Reader 3', 'Reader 8']);
    writeExport({ open: [...first.slice(0, 2), { id: 3, text: 'Other words' }, { id: 9 }], 'draft-one': [], bare: [] });
    expect(await bring()).toEqual([
      { came: 1, changed: 1, gone: 1, left: {} },
      { came: 0, changed: 0, gone: 1, left: {} },
      undefined,
    ]);
    expect(await names('open')).toEqual(['Ann Arbor', 'Reader 3', 'Reader 9']);
    expect((await read('open'))?.html).toContain('<p>Other words</p>');
    // By the name, in any post.
    expect((await service().listIncludingDrafts(OPERATOR, { author: 'ann arbor' })).map(({ id }) => id)).toEqual(['1']);
    expect(await service().remove(OPERATOR, { author: 'ANN ARBOR' })).toBe(1);
    expect(await service().remove(OPERATOR, {})).toBe(0);
    expect(await bring()).toEqual([undefined, undefined, undefined]);
    expect(await names('open')).toEqual(['Reader 3', 'Reader 9']);
    const rows = await app
      .get(EntityManager)
      .fork()
      .execute(`select * from post_comments where source_id in ('1', '2')`);
    expect(rows).toMatchObject(Array(2).fill({ author: '', author_url: null, html: '' }));
    const log = await app
      .get(EntityManager)
      .fork()
      .execute(`select * from audit_log where action = 'post.comments_removed'`);
    expect(log).toMatchObject(Array(2).fill({ subject: 'Post open', details: { comments: '1' } }));
  });

  it('go with the run that brought them, and come again with the next', async () => {
    const id = await lastRun();
    const undone = [
      { slug: 'draft-one', outcome: 'restored', notes: ['1 comment is as before'] },
      { slug: 'open', outcome: 'restored', notes: ['1 comment goes that it brought', '2 comments are as before'] },
    ];
    expect(await undo(id, true)).toMatchObject(undone);
    expect(await names('open')).toEqual(['Reader 3', 'Reader 9']);
    expect(await undo(id)).toMatchObject(undone);
    // Reader 8 went with this run as well, and is there again; the two who were removed here are not.
    expect(await names('open')).toEqual(['Reader 3', 'Reader 8']);
    expect((await read('open'))?.html).toContain('<p>Loud</p><p>loose</p>');
    expect(await undo(id)).toEqual([]);
    expect(await bring()).toMatchObject([{ came: 1, changed: 1, gone: 1 }, { gone: 1 }, undefined]);
    expect(await names('open')).toEqual(['Reader 3', 'Reader 9']);
  });

  it('stay where a later run wrote them, until that one is undone', async () => {
    const before = await read('open');
    writeExport({
      open: [...first.slice(0, 2), { id: 3, text: 'Third words' }, { id: 10 }],
      'draft-one': [],
      bare: [],
    });
    const earlier = await lastRun();
    await bring();
    const later = await lastRun();
    expect(later).toBeGreaterThan(earlier);
    // A run that changes nothing but comments is in the list.
    const listed = await app.get(ImportRunsService).list(OPERATOR);
    expect(listed[0]).toMatchObject({ id: later, state: 'ended', created: 0, updated: 0 });
    const left = `2 comments were written by import ${later} since: undo that one first`;
    expect(await undo(earlier)).toMatchObject([
      { slug: 'draft-one', outcome: 'restored', notes: ['1 comment is as before'] },
      { slug: 'open', outcome: 'restored', notes: ['1 comment is as before', left] },
    ]);
    expect(await undo(earlier)).toEqual([
      { slug: 'open', title: 'Post open', outcome: 'left', reason: left, notes: [] },
    ]);
    expect(await names('open')).toEqual(['Reader 10', 'Reader 3', 'Reader 8']);
    await undo(later);
    expect(await names('open')).toEqual(['Reader 3', 'Reader 8', 'Reader 9']);
    await undo(earlier);
    expect((await read('open'))?.html).toContain('<p>Loud</p><p>loose</p>');
    expect(await names('open')).toEqual(['Reader 3', 'Reader 8']);
    writeExport({ open: [...first.slice(0, 2), { id: 3, text: 'Other words' }, { id: 9 }], 'draft-one': [], bare: [] });
    await bring();
    expect(await read('open')).toEqual(before);
  });

  it('that are removed for good leave no words behind for an undoing', async () => {
    writeExport({ open: [...first.slice(0, 2), { id: 3, author: 'New Name' }], 'draft-one': [], bare: [] });
    await bring();
    const list = async (author: string) =>
      (await service().listIncludingDrafts(OPERATOR, { author })).map(({ id, isFormer }) => [id, isFormer]);
    expect(await list('reader 9')).toEqual([['9', true]]);
    expect(await list('Reader 3')).toContainEqual(['3', true]);
    // Gone at the source, and kept here for the undoing alone.
    const told = async () =>
      await app
        .get(EntityManager)
        .fork()
        .execute(`select subject, details from audit_log where action = 'post.comments_removed' order by id`);
    const before = await told();
    expect(await service().remove(OPERATOR, { author: 'Reader 9' })).toBe(1);
    expect(await told()).toEqual([...before, { subject: 'Post open', details: { comments: '1' } }]);
    // What goes here takes with it what it was before.
    expect(await service().remove(OPERATOR, { slug: 'open', ids: ['3'] })).toBeGreaterThan(0);
    expect(await list('Reader 3')).toEqual([]);
    const changes = await app.get(EntityManager).fork().execute('select * from comment_changes');
    expect(JSON.stringify(changes)).not.toMatch(/Reader 9|Reader 3|Other words/);
    expect(await undo(await lastRun())).toEqual([]);
    expect(await names('open')).toEqual([]);
    // Reader 9 is there again at the source, and does not come again either: they were removed for good.
    const open = [...first.slice(0, 2), { id: 8, parent: 4 }, { id: 9 }, { id: 11 }];
    writeExport({ open, 'draft-one': [], bare: [] });
    expect((await bring())[0]).toMatchObject({ came: 2, changed: 0, gone: 0 });
    expect(await bring()).toEqual([undefined, undefined, undefined]);
    expect(await names('open')).toEqual(['Reader 11', 'Reader 8']);
  });

  it('that go are taken back, so that no page of before shows them while the database is away', async () => {
    const notify = jest.spyOn(app.get(ContentNotifier), 'notifyChanged');
    const toldOf = async (task: () => Promise<unknown>) => {
      notify.mockClear();
      await task();
      return notify.mock.calls.map(([, isTakenBack = false]) => isTakenBack);
    };
    const open = [...first.slice(0, 2), { id: 8, parent: 4 }, { id: 11 }];
    writeExport({ open: [...open, { id: 12 }], 'draft-one': [], bare: [] });
    expect(await toldOf(() => bring())).toEqual([false]);
    expect(await names('open')).toContain('Reader 12');
    const run = await lastRun();
    expect(await toldOf(() => undo(run))).toEqual([true]);
    expect(await names('open')).not.toContain('Reader 12');
    writeExport({ open: open.slice(0, -1), 'draft-one': [], bare: [] });
    expect(await toldOf(() => bring())).toEqual([true]);
    writeExport({ open, 'draft-one': [], bare: [] });
    expect(await toldOf(() => bring())).toEqual([false]);
    expect(await names('open')).toEqual(['Reader 11', 'Reader 8']);
    notify.mockRestore();
  });

  it('leave with an export for WordPress, and are the same where that is taken in', async () => {
    const folder = join(temporaryFolder(), 'out');
    const exportAs = (format: 'wxr' | 'markdown') =>
      app.get(PostsExportService).export(OPERATOR, join(folder, format), { format });
    expect((await exportAs('wxr')).losses).toEqual([]);
    expect((await exportAs('markdown')).losses).toEqual([{ what: 'comments', posts: 1 }]);
    const other = await createTestApp();
    await importPosts(other, join(folder, 'wxr/posts.xml'), { isTakingComments: true });
    const there = (await other.inject('/api/posts/open')).json<PostDetail>().comments;
    expect(there).toEqual(await read('open'));
    expect(there?.count).toBe(2);
    await other.close();
  });

  itSlow('keep code that tags enclose, and words that are none in an export for WordPress', async () => {
    const none = { open: first, 'draft-one': [], bare: [] };
    writeExport({
      ...none,
      coded: [
        { id: 70, text: 'so\n\n[code]a[0] < <b>b</b>[/code]' },
        { id: 71, text: '&#91;code]c&#91;/code]' },
      ],
    });
    await bring();
    const written = (await read('coded'))?.html ?? '';
    expect(written).toContain('<p>so</p><pre tabindex="0"><code>a[0] &lt; &lt;b&gt;b&lt;/b&gt;</code></pre>');
    expect(written).toContain('<p>[code]c[/code]</p>');
    const folder = join(temporaryFolder(), 'coded');
    await app.get(PostsExportService).export(OPERATOR, folder, { format: 'wxr' });
    const other = await createTestApp();
    await importPosts(other, join(folder, 'posts.xml'), { isTakingComments: true });
    expect((await other.inject('/api/posts/coded')).json<PostDetail>().comments?.html).toBe(written);
    await other.close();
  });

  it('are shown however deep they go and whomever they answer', async () => {
    const length = Math.max(...fewOf([300, 3000], (number) => number === 300));
    const chain = Array.from({ length }, (_none, index) => ({
      id: index + 1,
      parent: index,
      author: `R${index + 1}`,
    }));
    const circle = [
      { id: 4001, parent: 4002 },
      { id: 4002, parent: 4001 },
      { id: 4003, parent: 4003 },
    ];
    writeExport({ open: first, 'draft-one': [], bare: [...chain, ...circle] });
    expect((await bring())[2]).toMatchObject({ came: length + circle.length });
    const comments = await read('bare');
    expect(comments?.count).toBe(length + circle.length);
    expect(comments?.html.match(/<li class="comment">/g)).toHaveLength(length + circle.length);
    expect(comments?.html.match(/<ol/g)?.length).toBeLessThan(10);
    expect(comments?.html).toContain('<b>R6</b> <span class="comment-to">to R5</span>');
  });

  it('are removed after a question as they were shown with it, and none that came meanwhile', async () => {
    const shown = { id: 5001, author: 'Ann Asked' };
    writeExport({ open: [shown], 'draft-one': [], bare: [] });
    await bring();
    const comments = service();
    const list = comments.listIncludingDrafts.bind(comments);
    const asking = jest.spyOn(comments, 'listIncludingDrafts').mockImplementationOnce(async (...args) => {
      const found = await list(...args);
      writeExport({ open: [shown, { id: 5002, author: 'Ann Asked' }], 'draft-one': [], bare: [] });
      await bring();
      return found;
    });
    const args = ['comments', 'remove', '--author', 'Ann Asked'];
    const run = await runCommand(app, args, 'yes\n', { isTerminal: true });
    asking.mockRestore();
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/ Text 5001\n1 removed\n$/);
    expect((await service().listIncludingDrafts(OPERATOR, { author: 'Ann Asked' })).map(({ id }) => id)).toEqual([
      '5002',
    ]);
  });
});

it('are promised by no dry run of a post that would be refused', async () => {
  await createPosts(app, [{ slug: 'held-here' }]);
  // Its number is none that an earlier export has given away.
  writeExport({ open: [], 'draft-one': [], bare: [], five: [], six: [], seven: [], 'held-here': [{ id: 30 }] });
  for (const isDryRun of [true, false]) {
    const { items } = await importPosts(app, place, { isTakingComments: true, isDryRun });
    const [refused] = items.filter(({ slug }) => slug === 'held-here');
    expect([refused?.outcome, refused?.comments]).toEqual(['refused', undefined]);
  }
});

it('are those of the first of two items that are one post', async () => {
  const other = await createTestApp();
  writeExport({ twice: [{ id: 1 }, { id: 2 }], 'twice-older': [{ id: 1 }, { id: 4, approved: 'spam' }] });
  writeFileSync(place, readFileSync(place, 'utf8').replace('<wp:post_id>2<', '<wp:post_id>1<'));
  for (const came of [2, 0]) {
    const { items } = await importPosts(other, place, { isTakingComments: true });
    expect(items.map(({ comments }) => comments?.came)).toEqual([came || undefined, undefined]);
    const { comments } = (await other.inject('/api/posts/twice')).json<PostDetail>();
    expect(comments?.html.match(/Text \d/g)).toEqual(['Text 1', 'Text 2']);
  }
});
