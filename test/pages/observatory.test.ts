import { beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { judge, sumOf } from '../support/observatory.js';
import { pageRoutes } from '../support/routes.js';

const { admin } = paths;
const adminPages = [admin.blogs, admin.newBlog, admin.blog('some'), admin.media, admin.enquiries, admin.audit];

describe('by the rules of the HTTP Observatory', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp({ PUBLIC_URL: 'https://site.test' });
    await createPosts(app, [{ slug: 'first' }]);
  });

  it.each([...pageRoutes, '/blogs/first', '/nothing-here', ...adminPages])('%s has 130 points', async (url) => {
    const { headers, body } = await app.inject(url);
    const points = judge(headers, body);
    expect(points).toEqual({
      'content-security-policy': 10,
      cookies: 0,
      'cross-origin-resource-policy': 10,
      'cross-origin-resource-sharing': 0,
      'referrer-policy': 5,
      'strict-transport-security': 0,
      'subresource-integrity': 0,
      'x-content-type-options': 0,
      'x-frame-options': 5,
    });
    expect(sumOf(points)).toBe(130);
  });

  it.each([
    [100, "default-src 'none'; script-src 'self'; img-src 'self' http:; frame-ancestors 'none'"],
    [115, "default-src 'self'; frame-ancestors 'none'"],
    [110, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"],
    [80, "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'"],
    [60, "default-src 'none'; script-src 'unsafe-inline'"],
  ])('a page has %i points with %s, as a check of the rules', (sum, policy) => {
    const headers = {
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
    };
    const points = judge(headers, '<script src="/own.js"></script>');
    expect(sumOf(points)).toBe(sum);
  });
});
