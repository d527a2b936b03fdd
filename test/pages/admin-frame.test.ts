import { beforeAll, describe, expect, it } from '@jest/globals';
import { PageCache } from '../../src/pages/page-cache.js';
import { paths } from '../../src/shared/paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';

const ID = '0b5f6a7e-52fb-4a0e-8f0c-1f1b3a0a9d11';
const { admin } = paths;
const screens = [
  '/admin',
  admin.blogs,
  admin.newBlog,
  `/admin/blogs/${ID}`,
  admin.blog(ID),
  admin.revisions(ID),
  admin.media,
  admin.enquiries,
  admin.enquiry(ID),
  admin.audit,
];

describe('the frame of the admin area, as the server sends it', () => {
  let app: TestApp;
  let authorization: string;

  beforeAll(async () => {
    app = await createTestApp();
    await createPosts(app, [{ title: 'A published secret' }, { title: 'A drafted secret', is_published: false }]);
    const { accessToken } = await signIn(app, await createAccount(app));
    authorization = `Bearer ${accessToken}`;
  });

  it.each(screens)('%s is the same for everyone, says nothing, and is left out by search engines', async (url) => {
    const [anonymous, signedIn] = [await app.inject(url), await app.inject({ url, headers: { authorization } })];
    expect(anonymous.statusCode).toBe(200);
    expect(signedIn.body).toBe(anonymous.body);
    expect(anonymous.headers['x-robots-tag']).toBe('noindex');
    expect(anonymous.headers['cache-control']).toBe('private, no-cache');
    const page = new HtmlPage(anonymous.body);
    expect(page.meta('robots')).toBe('noindex');
    expect(page.all('main')).toHaveLength(1);
    expect(page.all('nav')).toHaveLength(1);
    expect(anonymous.body).not.toMatch(/secret|person-\d/);
  });

  it('brings its own style sheet, which no public page links', async () => {
    const styles = async (url: string) =>
      new HtmlPage((await app.inject(url)).body)
        .all('link')
        .flatMap(({ attribs }) => (attribs['rel'] === 'stylesheet' ? [attribs['href'] ?? ''] : []));
    const own = (await styles(admin.blogs)).filter((href) => href.includes('/admin-'));
    expect(own).toHaveLength(1);
    expect((await app.inject(own[0]!)).headers['content-type']).toMatch(/^text\/css/);
    expect(await styles(paths.home)).not.toContain(own[0]);
  });

  it('is never kept: whoever makes addresses up must not push pages out', async () => {
    expect(app.get(PageCache).find(admin.blog(ID))).toBeUndefined();
    await app.inject(paths.about);
    expect(app.get(PageCache).find(paths.about)).toBeDefined();
  });

  it('is in no sitemap, and has no page for what it does not know', async () => {
    expect((await app.inject(paths.sitemap)).body).not.toContain('/admin');
    expect((await app.inject('/admin/nothing-here')).statusCode).toBe(404);
  });
});
