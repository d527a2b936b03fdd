import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Lease } from '../../src/database/pool/lease.js';
import { CompletePage } from '../../src/pages/complete-page.js';
import { PageCache } from '../../src/pages/page-cache.js';
import { paths } from '../../src/shared/paths.js';
import { ask } from '../support/ask.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { until } from '../support/until.js';

/** More than the list shows as cards. */
const POSTS = 62;

let app: TestApp;
let site: string;

beforeAll(async () => {
  app = await createTestApp();
  site = await app.listen();
  await createPosts(
    app,
    Array.from({ length: POSTS }, (_, index) => ({ slug: `post-${index}` })),
  );
});

afterEach(() => void jest.restoreAllMocks());

describe('a page that is rendered anew', () => {
  it.each([
    [paths.home, 0],
    // The post, its neighbors, those that are related, and what readers wrote below it where it came from.
    [paths.blog('post-7'), 4],
    [paths.blogs, 4],
  ])('%s reads %i statements from the database', async (path, count) => {
    const query = jest.spyOn(Lease.prototype, 'query');
    const { status } = await ask(site + path, { authorization: 'Bearer none' });
    expect(status).toBe(200);
    // What the server does by itself meanwhile has other tables.
    expect(
      query.mock.calls.filter(
        ([sql]: unknown[]) => typeof sql === 'string' && /blog_posts|post_slugs|redirects/.test(sql),
      ),
    ).toHaveLength(count);
  });

  it('is compressed once and quickly, where nobody comes later', async () => {
    const [quick, best] = [
      jest.spyOn(CompletePage.prototype, 'gzipQuickly'),
      jest.spyOn(CompletePage.prototype, 'beginGzip'),
    ];
    const headers = { authorization: 'Bearer none', 'accept-encoding': 'gzip' };
    const { headers: sent, body } = await ask(site + paths.blogs, headers);
    expect(sent).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
    expect(gunzipSync(body).toString()).toContain('</html>');
    expect(quick).toHaveBeenCalledTimes(1);
    expect(best).not.toHaveBeenCalled();
  });

  it('is compressed quickly for who comes first, and kept as small as can be', async () => {
    const quick = jest.spyOn(CompletePage.prototype, 'gzipQuickly');
    const load = () => ask(site + paths.blog('post-8'), { 'accept-encoding': 'gzip' });
    const answers = await Promise.all(Array.from({ length: 10 }, load));
    expect(quick).toHaveBeenCalledTimes(1);
    await until(() => app.get(PageCache).find(paths.blog('post-8')) !== undefined);
    const kept = await load();
    expect(kept.headers['x-cache']).toBe('hit');
    for (const { body, headers } of answers) {
      expect(gunzipSync(body).equals(gunzipSync(kept.body))).toBe(true);
      expect(headers.etag).toBe(kept.headers.etag);
    }
    const first = answers.find(({ headers }) => headers['x-cache'] === 'miss');
    expect(kept.body.length).toBeLessThan(first?.body.length ?? 0);
    expect(quick).toHaveBeenCalledTimes(1);
  });
});
