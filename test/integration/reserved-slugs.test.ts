import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ReservedSlugsService } from '../../src/posts/reserved-slugs.service.js';
import { RESERVED_SLUGS } from '../../src/shared/reserved-slugs.js';
import { buildForm, createAdministrator, rowsOf } from '../support/admin-posts.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { withClient } from '../support/installation.js';
import { installLastRelease } from '../support/last-release.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Posts of the last release that get reserved slugs before the upgrade, by their slugs. */
const MOVED = { 'second-post': 'archive', renamed: 'Search', draft: 'feed' };

describe('posts of the last release with slugs that are reserved now', () => {
  let app: TestApp;

  beforeAll(async () => {
    const site = await installLastRelease();
    await withClient(site.config.database.url, async (client) => {
      for (const [from, to] of Object.entries(MOVED)) {
        await client.query(
          `update blog_posts set slug = $2::text, working_copy = jsonb_set(working_copy, '{fields,slug}', to_jsonb($2::text)) where slug = $1`,
          [from, to],
        );
        await client.query('update post_slugs set slug = $2 where slug = $1', [from, to]);
      }
    });
    expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0, stderr: '' });
    app = await createTestApp(site.environment);
  });

  const slugsOf = async () => (await rowsOf(app, 'blog_posts')).map(({ slug }) => slug);

  it('have others, to which their addresses lead', async () => {
    expect(await slugsOf()).toEqual(expect.arrayContaining(['archive-post', 'Search-post', 'feed-post']));
    for (const [from, to] of [
      ['archive', 'archive-post'],
      ['Search', 'Search-post'],
      // An address that the post had before.
      ['former', 'Search-post'],
    ]) {
      for (const prefix of ['/blogs', '/api/posts']) {
        expect(await app.inject(`${prefix}/${from}`)).toMatchObject({
          statusCode: 301,
          headers: { location: `${prefix}/${to}` },
        });
      }
      expect((await app.inject(`/blogs/${to}`)).statusCode).toBe(200);
    }
    // It was never published.
    expect((await app.inject('/blogs/feed')).statusCode).toBe(404);
  });

  it('can be saved with the edits that waited, and are moved once', async () => {
    const posts = await rowsOf(app, 'blog_posts');
    const kept = posts.find(({ slug }) => slug === 'Search-post')?.['working_copy'];
    expect(kept).toMatchObject({ fields: { slug: 'Search-post', title: 'Edits that wait' } });
    const moves = (await rowsOf(app, 'audit_log')).filter(({ action }) => action === 'post.moved');
    expect(moves.map(({ details }) => details)).toEqual(
      expect.arrayContaining([{ from: 'archive', to: 'archive-post' }]),
    );
    await app.get(ReservedSlugsService).movePosts();
    expect(await rowsOf(app, 'blog_posts')).toEqual(posts);
    expect((await rowsOf(app, 'audit_log')).filter(({ action }) => action === 'post.moved')).toHaveLength(3);
  });

  it('do not take the address of another post', async () => {
    await createPosts(app, [{ slug: 'tag-post' }, { slug: 'becomes-tag' }]);
    await withClient(app.config.database.url, (client) =>
      client.query(`update blog_posts set slug = 'tag' where slug = 'becomes-tag'`),
    );
    await Promise.all([1, 2].map(() => app.get(ReservedSlugsService).movePosts()));
    expect(await slugsOf()).toEqual(expect.arrayContaining(['tag-post', 'tag-post-2']));
  });
});

describe('a reserved slug', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp();
  });

  it.each([...RESERVED_SLUGS, 'Archive'])('%s is refused in the editor', async (slug) => {
    const admin = await createAdministrator(app, `${slug}@company.test`);
    const id = crypto.randomUUID();
    const body = { ...buildForm({ slug }), version: 0, save_id: crypto.randomUUID(), is_published: true };
    const answer = await admin.call<{ message: string }>('PUT', `/posts/${id}`, body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining('Slug is reserved')]);
  });

  it('becomes another one in an import, the same in the next', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'search.md'), '---\ntitle: Search\nslug: search\ndate: 2024-01-05\n---\nText.\n');
    const command = ['posts', 'import', folder, '--source', 'mine', '--publish'];
    const first = await runCommand(app, command);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain(`the slug 'search' is reserved, so the post is at /blogs/search-post`);
    expect((await app.inject('/blogs/search-post')).statusCode).toBe(200);
    expect((await runCommand(app, command)).stdout).toContain('1 unchanged');
  });
});
