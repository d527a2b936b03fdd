import { afterEach, expect } from '@jest/globals';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Request,
} from 'playwright-core';
import { findChromium } from './chromium.js';
import { onCleanup } from './cleanup.js';
import { until } from './until.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';

/** How a page is opened; what is not named is as a desktop browser has it. */
export interface PageOptions extends Pick<
  BrowserContextOptions,
  'bypassCSP' | 'colorScheme' | 'javaScriptEnabled' | 'reducedMotion'
> {
  /** CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Complaints that the test expects, such as the 404 it asks for. */
  readonly expectedComplaints?: readonly RegExp[];
  /** For a test that winds the clock: the browser session keeps it, and serves no other test: its times of other zones are wrong then. */
  readonly hasOwnClock?: boolean;
}

/** A browser session. Its pages end with the test, what it has fetched and compiled serves the next one. */
interface Session {
  readonly context: BrowserContext;
  /** Origins that it visited, and that may have stored something. */
  readonly origins: Set<string>;
}

let browser: Promise<Browser> | undefined;
const used: { readonly key: string; readonly session: Session }[] = [];
const unused = new Map<string, Session[]>();
const complaints: string[] = [];

async function launch(): Promise<Browser> {
  const { path, args, env } = await findChromium();
  const launched = await chromium.launch({
    executablePath: path,
    // No page lives long enough here for code that is compiled a second time to be worth it.
    args: [...args, '--js-flags=--no-turbofan --no-maglev'],
    env: { ...definedVariables(process.env), ...env },
    timeout: WAIT_LIMIT_MS,
  });
  onCleanup(() => launched.close());
  return launched;
}

function definedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * A tab in a browser session of its own, which keeps nothing of what earlier tests did but the files it fetched. Any
 * error or warning on its console (React reports hydration mismatches there), any uncaught error and any failed
 * response fails the test that runs.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 800, expectedComplaints = [], hasOwnClock = false, ...rest } = options;
  const { context, origins } = await openSession({ viewport: { width, height }, ...rest }, hasOwnClock);
  const page = await context.newPage();
  if (origins.size > 0) await forget(page, origins);
  watch(page, options.javaScriptEnabled ?? true, (complaint) => {
    if (!expectedComplaints.some((pattern) => pattern.test(complaint))) complaints.push(complaint);
  });
  return page;
}

async function openSession(options: BrowserContextOptions, hasOwnClock: boolean): Promise<Session> {
  const key = JSON.stringify({ ...options, hasOwnClock });
  // Where a clock was wound, no other page would start.
  const session = (hasOwnClock ? undefined : unused.get(key)?.pop()) ?? (await createSession(options));
  used.push({ key, session });
  return session;
}

async function createSession(options: BrowserContextOptions): Promise<Session> {
  browser ??= launch();
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  const origins = new Set<string>();
  context.on('request', (request) => {
    if (request.isNavigationRequest()) origins.add(new URL(request.url()).origin);
  });
  return { context, origins };
}

/** Empties what sites keep in a session. Only a tab can do so, and only now none of theirs writes any more. */
async function forget(page: Page, origins: Set<string>): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  const devtools = await context.newCDPSession(page);
  for (const origin of origins) {
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cookies' });
  }
  await devtools.detach();
  origins.clear();
}

/** Resolves when the page answers to the visitor: public pages start when they are painted. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
}

/** Opens a page and waits until its scripts have taken it over. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await hydrated(page);
}

/** Goes back by one entry; what the page shows then comes a moment later. */
export async function goBack(page: Page): Promise<void> {
  const here = await page.evaluate(() => location.href);
  const devtools = await page.context().newCDPSession(page);
  // The browser hears of entries that a page makes a moment later; from an older one the way back leads too far.
  await until(async () => {
    const { currentIndex, entries } = await devtools.send('Page.getNavigationHistory');
    return entries[currentIndex]?.url === here;
  });
  await devtools.detach();
  // Once this was answered: going back may take the page away in which it is evaluated.
  await page.evaluate(() => void setTimeout(() => history.back()));
}

/** Resolves when the page has been drawn as it is by now, with what its observers of sizes make of it. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Records the requests of a page from now on. Icons are left out: browsers request them when they like. */
export function recordRequests(page: Page): readonly Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (!/\/favicon[-.]/.test(request.url())) requests.push(request);
  });
  return requests;
}

function watch(page: Page, isScripted: boolean, complain: (complaint: string) => void): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complain(`answer ${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // Whoever leaves a page ends what it was still loading.
    // Without JavaScript the browser counts modules that it was told to preload as forbidden.
    if (reason !== 'net::ERR_ABORTED' && !(reason === 'csp' && !isScripted))
      complain(`failed: ${request.url()} (${reason})`);
  });
}

afterEach(async () => {
  for (const { key, session } of used.splice(0)) {
    await Promise.all(session.context.pages().map((page) => page.close()));
    await session.context.setOffline(false);
    unused.set(key, [...(unused.get(key) ?? []), session]);
  }
  expect(complaints.splice(0)).toEqual([]);
});
