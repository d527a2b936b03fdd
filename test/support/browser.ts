import { afterEach, expect } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from './chromium.js';
import { onCleanup } from './cleanup.js';

/** How a page is opened; what is not named is as a desktop browser has it. */
export interface PageOptions extends Pick<
  BrowserContextOptions,
  'colorScheme' | 'javaScriptEnabled' | 'reducedMotion'
> {
  /** CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Complaints that the test expects, such as the 404 it asks for. */
  readonly expectedComplaints?: readonly RegExp[];
}

let browser: Promise<Browser> | undefined;
const contexts: BrowserContext[] = [];
const complaints: string[] = [];

async function launch(): Promise<Browser> {
  const { path, args, env } = await findChromium();
  const launched = await chromium.launch({
    executablePath: path,
    args: [...args],
    env: { ...definedVariables(process.env), ...env },
  });
  onCleanup(() => launched.close());
  return launched;
}

function definedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * A tab in a browser session of its own. Any error or warning on its console (React reports hydration mismatches
 * there), any uncaught error and any failed response fails the test that runs.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 800, expectedComplaints = [], ...rest } = options;
  browser ??= launch();
  const context = await (await browser).newContext({ viewport: { width, height }, ...rest });
  contexts.push(context);
  const page = await context.newPage();
  watch(page, options.javaScriptEnabled ?? true, (complaint) => {
    if (!expectedComplaints.some((pattern) => pattern.test(complaint))) complaints.push(complaint);
  });
  return page;
}

/** Opens an address and waits until the page answers to the visitor: public pages start when they are painted. */
export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
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
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  expect(complaints.splice(0)).toEqual([]);
});
