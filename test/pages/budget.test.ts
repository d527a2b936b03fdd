import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { findInlineTexts } from '../support/policy.js';
import { pageRoutes } from '../support/routes.js';
import { fewOf } from '../support/slow-tests.js';

const KILOBYTE = 1024;
const BUDGET = { script: 125_000, style: 20 * KILOBYTE, font: 40 * KILOBYTE };

/** The scripts that a page runs, at once or when it is painted, and the modules that it says it will need. */
function announcedModules(page: HtmlPage): string[] {
  const preloads = page.all('link').filter(({ attribs }) => attribs['rel'] === 'modulepreload');
  const listed = (list = '') => list.split(' ').filter((address) => address !== '');
  return [
    ...preloads.map(({ attribs }) => attribs['href'] ?? ''),
    ...page
      .all('script')
      .flatMap(({ attribs }) => [
        ...listed(attribs['src']),
        ...listed(attribs['data-modules']),
        ...listed(attribs['data-scripts']),
      ]),
  ];
}

describe('what a page makes the browser load', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp();
    await createPosts(app, [{ slug: 'first' }]);
  });

  /** Bytes of the files as they are sent to who takes gzip. */
  async function weigh(addresses: readonly string[]): Promise<number> {
    const headers = { 'accept-encoding': 'gzip' };
    const answers = await Promise.all([...new Set(addresses)].map((url) => app.inject({ url, headers })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    return answers.reduce((sum, answer) => sum + answer.rawPayload.length, 0);
  }

  /** The addresses that the module at this address imports, and so on. */
  async function withImports(addresses: readonly string[], seen = new Set<string>()): Promise<Set<string>> {
    for (const address of addresses.filter((candidate) => !seen.has(candidate))) {
      seen.add(address);
      const { body } = await app.inject(address);
      const imports = [...body.matchAll(/(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g)];
      await withImports(
        imports.map(([, path = '']) => new URL(path, `http://site.test${address}`).pathname),
        seen,
      );
    }
    return seen;
  }

  it.each([...pageRoutes, '/blogs/first', '/nothing-here'])('%s stays within its budget', async (route) => {
    const page = new HtmlPage((await app.inject(route)).body);
    const announced = announcedModules(page);
    // What runs before the paint, what starts the page, and the libraries at least.
    expect(announced.length).toBeGreaterThan(2);
    const modules = await withImports(announced);
    expect(await weigh([...modules])).toBeLessThanOrEqual(BUDGET.script);
    const styles = findInlineTexts(page.source).styles.map((text) => gzipSync(text).length);
    expect(styles).toHaveLength(1);
    expect(styles[0]).toBeLessThanOrEqual(BUDGET.style);
    const fonts = page.all('link').filter(({ attribs }) => attribs['as'] === 'font');
    expect(fonts).toHaveLength(1);
    expect(await weigh(fonts.map(({ attribs }) => attribs['href'] ?? ''))).toBeLessThanOrEqual(BUDGET.font);
  });

  it('holds nothing of the admin area, whose screens load it', async () => {
    /** The code of every module that a page loads. */
    const codeOf = async (routes: readonly string[]) => {
      const pages = await Promise.all(routes.map(async (route) => new HtmlPage((await app.inject(route)).body)));
      const modules = await withImports(pages.flatMap(announcedModules));
      return (await Promise.all([...modules].map(async (module) => (await app.inject(module)).body))).join('');
    };
    const words = ['Manage Blog Posts', 'Sign in again to go on', 'No QueryClient set'];
    const holds = (code: string) => words.map((word) => code.includes(word));
    expect(holds(await codeOf([paths.admin.blogs]))).toEqual([true, true, true]);
    // The budgets above are those of every page. That of the sign-in has most in common with the admin area.
    const routes = fewOf(pageRoutes, (route) => route === paths.home || route === paths.auth);
    expect(holds(await codeOf([...routes, '/blogs/first']))).toEqual([false, false, false]);
  });

  it.each(['/', paths.admin.blogs])(
    'announces every module that %s needs, so that none is found out late',
    async (route) => {
      const page = new HtmlPage((await app.inject(route)).body);
      const announced = announcedModules(page);
      expect([...(await withImports(announced))].sort()).toEqual([...new Set(announced)].sort());
    },
  );
});
