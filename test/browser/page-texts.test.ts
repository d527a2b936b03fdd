import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ItemFields, PageField } from '../../src/shared/contracts/page-texts/fields.js';
import { editedPages, textFields } from '../../src/shared/contracts/page-texts/page-texts.js';
import type { SettingsView } from '../../src/shared/contracts/settings.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { callAs, createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { hydrated, openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const api = adminPaths;
const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(3).slice(0, 80);

/** Returns a value as long as the rules allow in one word, and lists as long as they may be. */
function toLong(field: PageField): unknown {
  switch (field.kind) {
    case 'line':
    case 'text':
      return LONG.slice(0, field.limit);
    case 'rich':
      return `${LONG}\n\n- **${LONG}** [${LONG}](/about)`;
    case 'price':
      return 999_999.99;
    case 'glyph':
      return 'clock';
    case 'choice':
      return Object.keys(field.options)[0];
    case 'lines':
      return Array.from({ length: 30 }, () => LONG.slice(0, field.limit));
    case 'list':
      return Array.from({ length: 30 }, () => toLongEntry(field.of));
  }
}

const toLongEntry = (fields: ItemFields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toLong(field)]));

// Two people, browsers and the real server.
describe('the texts of pages in the browser', () => {
  let base: string;
  let ann: MemberSession;
  let ben: MemberSession;

  beforeAll(async () => {
    const app = await createTestApp();
    const content = `<p><a href="${paths.pricing}#which-plan">Which plan is ours</a></p>`;
    await createPosts(app, [{ slug: 'leads', title: 'Leads', content }]);
    base = await app.listen();
    ann = await startSession(base, await createMember(app, 'ann@example.com'));
    ben = await startSession(base, await createMember(app, 'ben@example.com'));
  });

  const view = () => callAs<SettingsView>(base, ben, 'GET', api.settings('pages'));
  const saveAsBen = async (values: object) =>
    callAs<SettingsView>(base, ben, 'PUT', api.settingsDraft('pages'), { revision: (await view()).revision, values });
  const publishAsBen = async (values: object) =>
    callAs<SettingsView>(base, ben, 'POST', api.settingsPublication('pages'), {
      revision: (await saveAsBen(values)).revision,
    });
  const publicText = async (path: string) => await (await fetch(base + path)).text();
  const open = async (page: Page, path: string) => {
    await page.goto(base + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const width = (page: Page) => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);

  it('are changed, looked at, published and brought back by somebody who only reads the screen', async () => {
    const page = await openSignedIn(ann, { width: 1440, reducedMotion: 'reduce', expectedComplaints: [/422/] });
    await open(page, paths.admin.pages);
    await page.getByText('None yet: each time you publish, one is kept.').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    const toPricing = page.locator('.text-page-row', { hasText: 'Pricing' });
    await toPricing.click();
    // Most people come for the price, which is folded away.
    await page.locator('summary').getByText('$150').waitFor();
    await page.getByText('1. Managed IT Service').click();
    const price = page.getByLabel('The most it costs, in US dollars').first();
    await price.fill('a lot');
    await page.getByText('must be a number from 0').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    // Folded away, it is unfolded by what leads to it.
    await page.getByText('1. Managed IT Service').click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await untilEqual(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'pricing.plans[0].price');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    // The button goes with what it dismisses.
    await untilEqual(() => page.evaluate(() => document.activeElement?.ariaLabel), 'What was done');
    await price.fill('140');
    await page.getByText('Pricing: Plans, plan 1, The most it costs').waitFor();
    expect(await page.locator('.settings-changes > div').count()).toBe(1);

    // The tab keeps what is typed, wherever it goes.
    await page.getByRole('link', { name: 'All pages' }).click();
    await toPricing.click();
    await page.getByText('1 change not saved yet').waitFor();
    const [preview] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Preview' }).click(),
    ]);
    await preview.waitForURL(`${base}${paths.admin.sitePreview('pages')}${paths.pricing}`);
    await hydrated(preview);
    expect(await preview.locator('main').innerText()).toContain('$140');
    await preview.close();
    expect(await publicText(paths.pricing)).not.toContain('$140');
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    await page.getByText('Every page shows it now.').waitFor();
    expect(await publicText(paths.home)).toMatch(/Up to \$140/);

    // Visitors who come from a page that is as it came get the edited one whole.
    const visitor = await openPage({ width: 1440 });
    await visit(visitor, base + paths.about);
    await visitor.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
    await visitor.waitForURL(base + paths.pricing);
    await hydrated(visitor);
    expect(await visitor.locator('main').innerText()).toContain('$140');
    // Where a link leads to a place of it, at that place.
    await visit(visitor, `${base}/blogs/leads`);
    await visitor.getByRole('link', { name: 'Which plan is ours' }).click();
    await visitor.waitForURL(`${base}${paths.pricing}#which-plan`);

    await page.getByRole('button', { name: /^As it came\s*: Plans$/ }).click();
    await publish.click();
    await until(async () => (await publicText(paths.home)).includes('Up to $150'));
    await page.getByRole('button', { name: 'Bring back version 1' }).click();
    await page.getByText('Version 1 is back').waitFor();
    await publish.click();
    await until(async () => (await publicText(paths.home)).includes('Up to $140'));
    await page.close();
  });

  itSlow('have entries that move by keys and by buttons, with whoever moves them', async () => {
    const page = await openSignedIn(ann, { width: 1440, reducedMotion: 'reduce' });
    await open(page, paths.admin.pageTexts('pricing'));
    await page.getByText('1. Managed IT Service').click();
    await page.getByLabel('The most it costs, in US dollars').first().fill('139');

    // The focus goes with them.
    const helpdesk = (number: number) =>
      page.locator('summary', { hasText: `${number}. Priority helpdesk support (remote and on-site)` });
    await helpdesk(1).press('Alt+ArrowDown');
    await helpdesk(2).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('2. Priority helpdesk');
    await helpdesk(2).press('Alt+ArrowUp');
    // In a choice and in a text of several lines these keys have a meaning of their own.
    await helpdesk(1).click();
    const choice = page.locator('[name="pricing.plans[0].features[0].mark"]');
    await choice.dispatchEvent('keydown', { key: 'ArrowDown', altKey: true });
    await page.locator('[name="pricing.plans[0].summary"]').press('Alt+ArrowDown');
    await helpdesk(1).waitFor();
    expect(await page.getByText('1. Managed IT Service').count()).toBe(1);
    await page.getByRole('button', { name: /^Down\s*: plan 1$/ }).click();
    await page.getByText('2. Managed IT Service').waitFor();
    await page.getByRole('button', { name: /^Up\s*: plan 2$/ }).click();
    await page.getByRole('button', { name: 'Add a feature' }).first().click();
    await page.getByRole('button', { name: /^Remove\s*: feature 9$/ }).click();
    await page.getByText('Pricing: Plans, plan 1, The most it costs').waitFor();
    expect(await page.locator('.settings-changes > div').count()).toBe(1);
    await page.close();
  });

  itSlow(
    'take a price as it is typed, digit by digit, and keep whoever types in the entry where they are',
    async () => {
      const page = await openSignedIn(ann, { width: 1440, reducedMotion: 'reduce', expectedComplaints: [/422/] });
      await open(page, paths.admin.pageTexts('pricing'));
      const entry = page.getByText('1. Managed IT Service');
      await entry.click();
      const price = page.getByLabel('The most it costs, in US dollars').first();
      const published = await price.inputValue();
      const hasFocus = () => price.evaluate((field) => field === document.activeElement);
      await price.fill('');
      await price.pressSequentially('149.05');
      expect(await price.inputValue()).toBe('149.05');
      await page.getByText('1 change not saved yet').waitFor();

      // The keyboard for numbers has a comma only, on phones of many regions.
      await price.fill('');
      await price.pressSequentially('148,05');
      await page.locator('summary').getByText('$148.05').waitFor();
      expect(await price.inputValue()).toBe('148,05');

      // What is typed is what is published again: nothing folds up under the hand that types.
      await price.fill(published);
      await page.getByText('Nothing: pages show what stands here.').waitFor();
      expect(await hasFocus()).toBe(true);

      // What the server refused is right as soon as it is.
      const save = page.getByRole('button', { name: 'Save draft' });
      await price.fill('a lot');
      await save.click();
      await page.getByRole('status', { name: 'What was done' }).getByText('Nothing was saved').waitFor();
      await untilEqual(() => price.getAttribute('aria-invalid'), 'true');
      await price.fill('149.05');
      await untilEqual(() => price.getAttribute('aria-invalid'), null);

      // Nor when it was saved.
      await price.press('Enter');
      await page.getByText('Draft saved: 1 change waits to be published.').waitFor();
      expect(await hasFocus()).toBe(true);
      const { revision, draft } = await view();
      expect(draft).toMatchObject({ 'pricing.plans': [{ price: 149.05 }, expect.anything()] });
      await callAs(base, ben, 'DELETE', `${api.settingsDraft('pages')}?revision=${revision}`);
      await page.close();
    },
  );

  itSlow('are two people’s at once: what only one changed is kept, and what both did is asked', async () => {
    const page = await openSignedIn(ann, { width: 360, reducedMotion: 'reduce', expectedComplaints: [/409/] });
    await open(page, paths.admin.pageTexts('about'));
    await page.getByLabel('Introduction').fill('Written by Ann');
    await saveAsBen({ 'about.story_title': 'Ben’s title', 'about.lede': 'Written by Ben' });
    const save = page.getByRole('button', { name: 'Save draft' });
    await save.click();
    const mine = page.getByRole('button', { name: 'Keep mine for About Us: Introduction' });
    await mine.waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await mine.click();
    await save.click();
    await untilEqual(async () => (await view()).draft, {
      'about.lede': 'Written by Ann',
      'about.story_title': 'Ben’s title',
    });
    await untilEqual(() => page.getByLabel('Story: heading').inputValue(), 'Ben’s title');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await untilEqual(async () => (await view()).draft, null);
    await page.close();
  });

  itSlow('may be long and many, and nothing leaves the window', async () => {
    const values = Object.fromEntries([...textFields].map(([name, field]) => [name, toLong(field)]));
    const sections = [{ title: LONG, body: `${LONG}\n\n{reads}\n\n{enquiry_days}` }];
    const read = '{read_days}';
    const { version } = await publishAsBen({ ...values, 'privacy.sections': sections, 'privacy.reads_counted': read });
    expect(version).toBeGreaterThan(0);
    const page = await openPage({ width: 360 });
    for (const name of editedPages) {
      await visit(page, base + paths[name]);
      for (const wide of [360, 768, 1440]) {
        await page.setViewportSize({ width: wide, height: 900 });
        expect([name, wide, ...(await width(page))]).toEqual([name, wide, wide, wide]);
      }
    }
    const admin = await openSignedIn(ann, { width: 360 });
    await open(admin, paths.admin.pageTexts('home'));
    await admin.getByText(`30. ${LONG}`).first().waitFor();
    expect((await width(admin))[0]).toBe(360);
    await admin.close();
  });
});
