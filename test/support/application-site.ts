import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { GoTrueClient } from '@supabase/auth-js';
import type { Page } from 'playwright-core';
import { onCleanup } from './cleanup.js';

/** The two ways in which applications get sessions out of links. */
export type Flow = 'implicit' | 'pkce';

/** An application of somebody else, at an origin of its own, which uses the published client. */
export interface ApplicationSite {
  readonly origin: string;
  /** The page that uses the client in this way. */
  readonly page: (flow: Flow) => string;
}

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const CLIENT = `${packages}/@supabase/auth-js/dist/module`;
const HELPERS = `${packages}/tslib/tslib.es6.mjs`;

/** Starts an application whose accounts are those of `api`; it ends with the tests of this file. */
export async function startApplication(api: () => string): Promise<ApplicationSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://application.test');
    // The published files as they are, which name each other without a suffix.
    const isHelpers = pathname === '/helpers';
    if (isHelpers || pathname.startsWith('/client/')) {
      const file = isHelpers ? HELPERS : `${CLIENT}${pathname.slice('/client'.length)}.js`;
      readFile(file).then(
        (script) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(script),
        () => response.writeHead(404).end(),
      );
      return;
    }
    const flow: Flow = pathname === '/pkce' ? 'pkce' : 'implicit';
    response.writeHead(200, { 'content-type': 'text/html' }).end(htmlOf(api(), flow));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, page: (flow) => `${origin}/${flow}` };
}

function htmlOf(url: string, flowType: Flow): string {
  const options = JSON.stringify({ url, flowType, storageKey: 'application', autoRefreshToken: false });
  return `<!doctype html><title>Application</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "tslib": "/helpers" } }</script>
<script type="module">
import { GoTrueClient } from '/client/index';
window.arrivedAt = location.href;
window.auth = new GoTrueClient(${options});
window.arrival = await window.auth.initialize();
document.title = 'Ready';
</script>`;
}

/** Waits until the application has looked at the address that the visitor came with. */
export async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(() => document.title === 'Ready');
}

/** The address of the signed-in user of the application, null without one. */
export async function userOf(page: Page): Promise<string | null> {
  return await page.evaluate(async () => {
    const { auth } = window as unknown as { auth: GoTrueClient };
    return (await auth.getUser()).data.user?.email ?? null;
  });
}

/** Calls the client of the application, whose answer must be no error. */
export async function callClient(page: Page, method: string, ...values: readonly unknown[]): Promise<void> {
  const error = await page.evaluate(
    async ([name, list]) => {
      const { auth } = window as unknown as { auth: Record<string, (...values: unknown[]) => Promise<unknown>> };
      const answer = (await auth[name]!(...list)) as { readonly error: { readonly message: string } | null };
      return answer.error?.message ?? null;
    },
    [method, values] as const,
  );
  if (error !== null) throw new Error(`${method}: ${error}`);
}
