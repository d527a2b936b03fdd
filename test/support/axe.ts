import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose answer depends on colors: what is left to ask when only the theme has changed. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe finds on a page, in words that point to the place. Examines the page only, without
 * frames, and loads axe once per document: the builder of its own package does both anew each time, which takes four
 * times as long.
 * @param rules the rules to ask; all of them when not given
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: [...rules] } : {}) };
  const { violations } = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } };
    return await axe.run(given);
  }, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/**
 * Returns what {@link findViolations} finds on a light phone, and of it what depends on color on a dark desk.
 * Leaves the page dark and wide.
 */
export async function findViolationsInBothThemes(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  const onPhone = await findViolations(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...onPhone, ...(await findViolations(page, COLOR_RULES))];
}
