import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import type { ManagedCommentPage } from '../../src/shared/contracts/comments.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { buildForm } from '../support/admin-posts.js';
import { callAs, createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(6);

/** Runs in the browser: true where the last of the words are not shown. */
const isCutAtEnd = ({ clientHeight, scrollHeight }: Element) => scrollHeight > clientHeight;

// The real server and a browser; comments as an import leaves them.
describe('the screen of comments', () => {
  let app: TestApp;
  let base: string;
  let ann: MemberSession;
  let bea: MemberSession;
  let cleo: MemberSession;
  const posts: Record<'open' | 'draft' | 'trashed', string> = { open: '', draft: '', trashed: '' };

  const list = (who: MemberSession, query = '') =>
    callAs<ManagedCommentPage>(base, who, 'GET', `${adminPaths.comments}${query}`);
  const run = (sql: string, values: unknown[] = []) => app.get(EntityManager).fork().execute(sql, values);
  const write = (
    post: string,
    id: string,
    author: string,
    html: string,
    at = `2015-03-0${id.at(-1) ?? '1'}T10:00:00Z`,
  ) =>
    run(
      `insert into post_comments (post_id, source_id, parent_id, author, author_url, written_at, html)
       values (?::uuid, ?, null, ?, null, ?::timestamptz, ?)`,
      [post, id, author, at, html],
    );

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
    ann = await startSession(base, await createMember(app, 'ann@example.com'));
    const authors = [
      await createMember(app, 'bea@example.com', { isAdmin: false }),
      await createMember(app, 'cleo@example.com', { isAdmin: false }),
    ] as const;
    for (const [index, { id }] of authors.entries()) {
      const right = { role: 'author', mayPublish: index === 1 } as const;
      await app
        .get(EntityManager)
        .fork()
        .transactional((em) => app.get(RolesService).grant(em, OPERATOR, id, right));
    }
    [bea, cleo] = [await startSession(base, authors[0]), await startSession(base, authors[1])];
    for (const name of ['open', 'draft', 'trashed'] as const) {
      const { id } = await callAs(
        base,
        ann,
        'POST',
        adminPaths.posts,
        buildForm({ title: `Post ${name}`, slug: name }),
      );
      posts[name] = id;
    }
    await run(
      'update blog_posts set is_published = true, published_date = now(), first_published_at = now() where id = ?',
      [posts.open],
    );
    await run('update blog_posts set deleted_at = now() where id = ?', [posts.trashed]);
    await run('update blog_posts set owner_id = ? where id in (?, ?)', [authors[0].id, posts.open, posts.draft]);
    await write(posts.open, '1', 'Ann Arbor', '<p>Copper &amp; <strong>glass</strong></p><p>100 % of it</p>');
    await write(posts.open, '2', LONG.slice(0, 200), `<p>${LONG}</p>`);
    await write(posts.open, 'a_b3', 'Otto', '<p>x_y</p>');
    await write(posts.draft, '4', 'Draft reader', '<p>below a draft</p>');
    await write(posts.trashed, '5', 'Gone reader', '<p>below one in the trash</p>');
  });

  it('finds comments by names, words and posts, for who reaches the post', async () => {
    const found = async (query: string, who = ann) => (await list(who, query)).items.map(({ id }) => id);
    expect(await found('')).toEqual(['4', 'a_b3', '2', '1']);
    expect(await found('?search=arbor')).toEqual(['1']);
    expect(await found(`?search=${encodeURIComponent('copper & glass')}`)).toEqual(['1']);
    expect(await found('?search=strong')).toEqual([]);
    expect(await found('?search=%25')).toEqual(['1']);
    expect(await found('?search=_y')).toEqual(['a_b3']);
    expect(await found('?search=post%20draft')).toEqual(['4']);
    expect(await found(`?post=${posts.open}`)).toEqual(['a_b3', '2', '1']);
    expect(await found('', bea)).toEqual(['4', 'a_b3', '2', '1']);
    expect(await found('', cleo)).toEqual([]);
    expect((await list(ann)).items[3]).toMatchObject({ text: 'Copper & glass 100 % of it', is_published: true });
    for (const query of ['?cursor=x', `?cursor=1_${'-'.repeat(36)}_1`, '?post=1', `?search=${'x'.repeat(201)}`]) {
      await expect(list(ann, query)).rejects.toThrow('answered 422');
    }
  });

  // Computers count moments from 1970 on.
  it.each([
    ['those of one moment too', '2014-01-01T00:00:00.123Z'],
    ['also those of a clock that was wrong', '1969-12-31T23:59:58.123Z'],
  ])('hands out all of them in parts, %s', async (_which, at) => {
    const ids = Array.from({ length: 120 }, (_none, index) => `m_${index}`);
    for (const id of ids) await write(posts.draft, id, 'Many', '<p>m</p>', at);
    const got: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const part: ManagedCommentPage = await list(ann, `?search=Many&cursor=${encodeURIComponent(cursor)}`);
      expect(part.total).toBe(120);
      got.push(...part.items.map(({ id }) => id));
      cursor = part.next_cursor;
    }
    expect(got.sort()).toEqual(ids.sort());
    await run(`delete from post_comments where author = 'Many'`);
  });

  it('lets nobody remove what they do not reach, or what readers see if they do not publish', async () => {
    const remove = (who: MemberSession, post: string, id: string) =>
      callAs(base, who, 'DELETE', adminPaths.comment(post, id));
    await expect(remove(cleo, posts.open, '1')).rejects.toThrow('answered 404');
    await expect(remove(ann, posts.trashed, '5')).rejects.toThrow('answered 404');
    await expect(remove(ann, posts.open, '99')).rejects.toThrow('answered 404');
    await expect(remove(ann, 'x', '1')).rejects.toThrow('answered 404');
    await expect(remove(bea, posts.open, '1')).rejects.toThrow(/answered 403.*may_not_publish/);
    expect((await list(ann)).total).toBe(4);
  });

  it('shows all of a long comment, where it is unfolded and before it is removed', async () => {
    const end = 'and here it ends.';
    await write(posts.draft, 'long6', 'Long reader', `<p>${'Much was written. '.repeat(200)}${LONG} ${end}</p>`);
    const page = await openSignedIn(ann, { width: 360 });
    await page.goto(`${base}${paths.admin.comments}?search=long`);
    const row = page.getByRole('listitem').filter({ hasText: 'Long reader' });
    await row.locator('summary').press('Enter');
    await row.locator('.comment-words').waitFor();
    expect(await row.locator('.comment-words').evaluate(isCutAtEnd)).toBe(false);
    await row.getByRole('button', { name: 'Remove the comment by Long reader' }).click();
    const words = page.getByRole('dialog').locator('.comment-words');
    await words.waitFor();
    expect(await words.textContent()).toContain(end);
    expect(await words.evaluate(isCutAtEnd)).toBe(false);
    const isReached = await page.getByRole('dialog').evaluate((dialog) => {
      dialog.scrollTo(0, dialog.scrollHeight);
      const { bottom } = dialog.querySelector('.comment-words')!.getBoundingClientRect();
      return bottom <= dialog.getBoundingClientRect().bottom && dialog.scrollWidth <= dialog.clientWidth;
    });
    expect(isReached).toBe(true);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await run(`delete from post_comments where author = 'Long reader'`);
  });

  itSlow('is used with keys, on a small screen and in both themes, and asks before it removes', async () => {
    const page = await openSignedIn(ann, { width: 360, reducedMotion: 'reduce' });
    await page.goto(base + paths.admin.comments);
    await page.getByText('4 comments', { exact: true }).waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths[0]).toBe(widths[1]);
    await page
      .getByRole('link', { name: /^All below it\s*: Post open$/ })
      .first()
      .click();
    await page.getByText('3 comments below this post').waitFor();
    await page.getByRole('searchbox').fill('copper');
    await page.getByText('1 comment below this post').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('copper');
    const button = page.getByRole('button', { name: 'Remove the comment by Ann Arbor' });
    await button.press('Enter');
    await page.getByRole('dialog').getByText('Its words and its name are erased').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await list(ann)).total).toBe(4);
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Comment removed').waitFor();
    await page.getByText('No comment matches.').waitFor();
    const shown = async () => ((await (await fetch(`${base}/api/posts/open`)).json()) as PostDetail).comments?.count;
    await untilEqual(shown, 2);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.locator('[role="search"]:focus').waitFor();
    await page.getByText('3 comments', { exact: true }).waitFor();
    const log = await run(`select subject, details, actor_email from audit_log where action = 'post.comments_removed'`);
    expect(log).toEqual([{ subject: 'Post open', details: { comments: '1' }, actor_email: 'ann@example.com' }]);
  });
});
