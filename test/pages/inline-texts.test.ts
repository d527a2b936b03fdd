import { beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { findForbidden, findInlineTexts } from '../support/policy.js';
import { pageRoutes } from '../support/routes.js';

const publicPages = [...pageRoutes, '/blogs/first', '/blogs/nothing', '/preview/nothing', '/nothing-here'];

function stylesheetsOf(html: string): string[] {
  const links = new HtmlPage(html).all('link').filter(({ attribs }) => attribs['rel'] === 'stylesheet');
  return links.map(({ attribs }) => attribs['href'] ?? '');
}

describe('the style sheet of the site', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp();
    await createPosts(app, [{ slug: 'first' }]);
  });

  it.each(publicPages)('stands in the document of %s with the first script, allowed by their hashes', async (url) => {
    const { body, headers } = await app.inject(url);
    const { styles, scripts } = findInlineTexts(body);
    expect([styles.length, scripts.length, stylesheetsOf(body)]).toEqual([1, 1, []]);
    expect(findForbidden(body, headers['content-security-policy'])).toEqual([]);
    expect(new HtmlPage(body).all('script').filter(({ attribs }) => attribs['src'] && !attribs['type'])).toEqual([]);
    // It is nobody's data.
    expect(new HtmlPage(body).jsonTexts().join('')).not.toContain(styles[0]!.slice(0, 40));
  });

  it('is a file in the admin area', async () => {
    const { body } = await app.inject(paths.admin.blogs);
    expect(findInlineTexts(body)).toEqual({ styles: [], scripts: [] });
    const styles = stylesheetsOf(body).filter((href) => href.includes('/style-'));
    expect(styles).toHaveLength(1);
    const file = await app.inject(styles[0]!);
    expect([file.body]).toEqual(findInlineTexts((await app.inject(paths.home)).body).styles);
  });

  it('is allowed by the answer that a page has not changed', async () => {
    const page = await app.inject(paths.home);
    const answer = await app.inject({ url: paths.home, headers: { 'if-none-match': String(page.headers['etag']) } });
    expect(answer.statusCode).toBe(304);
    expect(findForbidden(page.body, answer.headers['content-security-policy'])).toEqual([]);
  });
});
