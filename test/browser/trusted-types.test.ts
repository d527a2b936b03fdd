import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { paths } from '../../src/shared/paths.js';
import { createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';

/** The browser says so on the console when it refuses something. */
const expectedComplaints = [/requires 'Trusted|policy failed to execute|Creating a TrustedTypePolicy/];

/** Tries to make HTML and code of text, as an attacker or a library would; returns what was done all the same. */
function findOpenings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown };
    };
    const html = '<b id="opened">text</b>';
    const element = document.createElement('div');
    const script = document.createElement('script');
    const attempts: Record<string, () => unknown> = {
      innerHTML: () => (element.innerHTML = html),
      outerHTML: () => (document.body.appendChild(element).outerHTML = html),
      insertAdjacentHTML: () => element.insertAdjacentHTML('beforeend', html),
      createContextualFragment: () => document.createRange().createContextualFragment(html),
      DOMParser: () => new DOMParser().parseFromString(html, 'text/html'),
      'document.write': () => document.write(html),
      srcdoc: () => (document.createElement('iframe').srcdoc = html),
      'text of a script': () => (script.textContent = 'alert(1)'),
      'script of another site': () => (script.src = 'https://evil.example/x.js'),
      'script of another site, without its scheme': () => (script.src = '//evil.example/x.js'),
      'script with a backslash': () => script.setAttribute('src', '/\\evil.example/x.js'),
      'script of data': () => (script.src = 'data:text/javascript,alert(1)'),
      'a policy of its own': () => trustedTypes.createPolicy('evil', {}),
      'a policy once more': () => trustedTypes.createPolicy('site', {}),
      'the default policy once more': () => trustedTypes.createPolicy('default', {}),
    };
    return Object.entries(attempts).flatMap(([name, attempt]) => {
      try {
        attempt();
        return [name];
      } catch (error) {
        return error instanceof TypeError ? [] : [`${name}: ${String(error)}`];
      }
    });
  });
}

describe('text becomes neither HTML nor code', () => {
  let base: string;
  let session: MemberSession;

  beforeAll(async () => {
    const app = await createTestApp();
    base = await app.listen();
    session = await startSession(base, await createMember(app, 'ada@example.com'));
  });

  it('on a public page, but for what libraries write', async () => {
    const page = await openPage({ expectedComplaints });
    await visit(page, base);
    expect(await findOpenings(page)).toEqual([]);
    expect(await page.locator('#opened').count()).toBe(0);
    const written = await page.evaluate(() => {
      const element = document.createElement('div');
      const script = document.createElement('script');
      element.innerHTML = '{"a":"b"}';
      element.innerHTML = '';
      element.innerHTML = '<script></script>';
      script.src = '/assets/none.js';
      return [element.outerHTML, script.outerHTML];
    });
    expect(written).toEqual(['<div><script></script></div>', '<script src="/assets/none.js"></script>']);
  });

  itSlow('on a page of administrators', async () => {
    const page = await openSignedIn(session, { expectedComplaints });
    await page.goto(base + paths.admin.blogs);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await findOpenings(page)).toEqual([]);
  });
});
