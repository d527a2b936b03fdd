import { beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { toAccentTokens } from '../../src/shared/accent.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { companyFactNames, companyGroups, factSpec } from '../../src/shared/contracts/company-facts.js';
import type { SettingsView } from '../../src/shared/contracts/settings.js';
import { paths } from '../../src/shared/paths.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { CompanyService } from '../../src/settings/company.service.js';
import { callAs, createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { goBack, openPage } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

let app: TestApp;
let base: string;
let ada: MemberSession;
let ben: MemberSession;
const api = adminPaths;

beforeAll(async () => {
  app = await createTestApp({ SITE_PHONE_SUPPORT: '(555) 010-0444', SITE_LOCKED: 'SITE_PHONE_SUPPORT' });
  base = await app.listen();
  ada = await startSession(base, await createMember(app, 'ada@example.com'));
  ben = await startSession(base, await createMember(app, 'ben@example.com'));
});

const find = () => callAs<SettingsView>(base, ben, 'GET', api.settings('company'));

function companyPage(page: Page) {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return {
    button,
    place: page.locator('.save-bar-where [role=status]'),
    changes: () => page.locator('.settings-changes dt').allTextContents(),
    versions: page.getByRole('region', { name: 'Versions' }),
    told: page.getByRole('status', { name: 'What was done' }),
  };
}

it('changes the facts of the company: as a draft, for everybody, and back', async () => {
  const page = await openSignedIn(ada, { expectedComplaints: [/409/, /422/] });
  await page.goto(`${base}${paths.admin.company}`);
  const screen = companyPage(page);
  await page.locator('[name="phone"]').waitFor();
  // Everything comes from the list of facts.
  for (const group of Object.values(companyGroups))
    expect(await page.getByRole('group', { name: group }).count()).toBe(1);
  for (const name of companyFactNames)
    expect([name, await page.locator(`[name="${name}"]`).count()]).toEqual([name, 1]);
  const locked = page.locator('[name="phone_support"]');
  expect(await locked.getAttribute('readonly')).not.toBeNull();
  expect(await page.getByText('Locked: SITE_PHONE_SUPPORT').count()).toBe(1);

  // The hours of a week, with the keyboard: typed once, and a key for each day that follows.
  await page.locator('[name="open_monday"]').fill('8am-5pm');
  await page.locator('[name="open_monday"]').press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Same as Monday for Tuesday');
  await page.keyboard.press('Enter');
  await screen.button('Closed on Sunday').click();
  await page.getByText('Pages say: Monday to Tuesday, 8 AM to 5 PM').waitFor();
  await page.locator('[name="phone"]').fill('(555) 010-0777');
  await untilEqual(screen.changes, ['Phone', 'Monday', 'Tuesday', 'Sunday']);
  await untilEqual(() => screen.place.textContent(), '4 changes not saved yet. This tab keeps what you typed.');

  // Leaving asks; what was typed is there again.
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Media' }).click();
  await screen.button('Leave').click();
  await page.waitForURL(`${base}${paths.admin.media}`);
  await goBack(page);
  await untilEqual(() => page.locator('[name="phone"]').inputValue(), '(555) 010-0777');

  // Somebody else is faster: other facts are kept beside these, the same one is asked about.
  const started = await find();
  await callAs(base, ben, 'PUT', api.settingsDraft('company'), {
    revision: started.revision,
    values: { phone: '(555) 010-0888', contact_person: 'Ben' },
  });
  await screen.button('Save draft').click();
  await page.getByText('ben@example.com ‘(555) 010-0888’').waitFor();
  expect(await page.locator('[name="phone"]').inputValue()).toBe('(555) 010-0777');
  await screen.button('Keep mine for Phone').click();
  await screen.button('Save draft').click();
  await untilEqual(() => screen.place.textContent(), 'Draft saved: 5 changes wait to be published.');
  expect((await find()).draft).toEqual({
    phone: '(555) 010-0777',
    contact_person: 'Ben',
    open_monday: '08:00-17:00',
    open_tuesday: '08:00-17:00',
    open_sunday: 'closed',
  });

  // What is wrong is said where it stands, and keeps what was typed.
  await page.locator('[name="help_desk_url"]').fill('javascript:alert(1)');
  await screen.button('Publish').click();
  await page.locator('[name="help_desk_url"][aria-invalid=true]').waitFor();
  expect(await page.locator('[name="help_desk_url"]').inputValue()).toBe('javascript:alert(1)');
  await page.locator('[name="help_desk_url"]').fill(started.values['help_desk_url'] as string);
  await page.getByRole('button', { name: 'Dismiss' }).click();

  // Nobody else sees any of it before it is published.
  const stranger = await openPage();
  await stranger.goto(base);
  expect(await stranger.getByText('(555) 010-0777').count()).toBe(0);

  expect(await findViolationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await screen.button('Publish').click();
  await screen.told.getByText('Published').waitFor();
  await stranger.goto(base);
  await stranger.getByRole('link', { name: '(555) 010-0777' }).first().waitFor();

  // Back to what was before, which asks first where something waits.
  await app.get(CompanyService).publish(OPERATOR, { phone: '(555) 010-0999' });
  await page.reload();
  await page.locator('[name="contact_person"]').fill('Nobody yet');
  await screen.versions.getByRole('button', { name: 'Bring back version 1' }).click();
  await screen.button('Bring back').click();
  await screen.told.getByText('Version 1 is back').waitFor();
  await untilEqual(screen.changes, [factSpec('phone').label]);
  await screen.button('Discard changes').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await until(async () => (await find()).draft === null);
  await untilEqual(() => page.locator('[name="phone"]').inputValue(), '(555) 010-0999');
});

itSlow('shows a draft on a preview of the whole site, to administrators alone', async () => {
  const page = await openSignedIn(ada);
  await page.goto(`${base}${paths.admin.company}`);
  const screen = companyPage(page);
  await page.locator('[name="phone"]').fill('(555) 010-0777');
  await screen.button('Save draft').click();
  await untilEqual(() => screen.place.textContent(), 'Draft saved: 1 change waits to be published.');

  // The real page, as it will be: links lead on within it, and nobody else sees any of it.
  const [preview] = await Promise.all([page.context().waitForEvent('page'), screen.button('Preview').click()]);
  await preview.waitForURL(`${base}/admin/preview/company/`);
  await preview.getByRole('link', { name: '(555) 010-0777' }).first().waitFor();
  await preview.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
  await preview.getByRole('link', { name: 'Pricing' }).first().click();
  await preview.waitForURL(`${base}/admin/preview/company/pricing`);
  await preview.getByText('This is not published yet').waitFor();
  await preview.reload();
  await preview.getByText('This is not published yet').waitFor();
  // Its form is for looking at: what an administrator tries out is no enquiry.
  await preview.goto(`${base}/admin/preview/company/contact`);
  await preview.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
  for (const [name, value] of [
    ['name', 'Ada'],
    ['email', 'ada@analytical.company'],
    ['message', 'Only trying'],
  ] as const)
    await preview.locator(`form [name="${name}"]`).fill(value);
  await preview.locator('form.form').getByRole('button').click();
  await preview.getByText('This is a preview: nothing was sent.').waitFor();
  expect(await preview.locator('form.form').evaluate((form: HTMLFormElement) => form.method)).toBe('dialog');
  const stranger = await openPage({ expectedComplaints: [/403/] });
  await stranger.goto(`${base}/admin/preview/company/`);
  await stranger.getByRole('heading', { name: 'This preview is for administrators' }).waitFor();
  await stranger.goto(base);
  expect(await stranger.getByText('(555) 010-0777').count()).toBe(0);

  await screen.button('Discard changes').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await untilEqual(async () => (await find()).draft, null);
});

itSlow('chooses the accent, which is refused while somebody chooses one that people could not read', async () => {
  const page = await openSignedIn(ada, { expectedComplaints: [/422/] });
  await page.goto(`${base}${paths.admin.company}`);
  const screen = companyPage(page);
  const field = page.locator('[name="accent"]');
  // While it is no color yet, the field says that and nothing is measured.
  await field.fill('#FF');
  await page.getByText('Accent must be a color such as #005e50').first().waitFor();
  expect(await page.getByText('Pages cannot have this color').count()).toBe(0);
  expect(await page.locator('.settings-accent-measures').isVisible()).toBe(false);
  await field.fill('#FFE08A');
  await page.getByText('Pages cannot have this color').waitFor();
  await page.locator('[name="accent"][aria-invalid=true]').waitFor();
  await page
    .getByText('The accent on the page (#ffe08a on #fcf9f3, light theme) has a contrast of 1.22 to 1')
    .waitFor();
  await page.getByText('6 of 26 contrasts are too weak').click();
  expect(await page.locator('.settings-accent-measures tr[data-weak]').count()).toBe(6);
  // Nothing but the sample, which shows just that.
  const sample = '.settings-accent-sample:nth-child(1) >';
  expect([...new Set(await findViolationsInBothThemes(page))].sort()).toEqual(
    ['.badge', '.settings-accent-button', '.settings-accent-link'].map((part) => `color-contrast: ${sample} ${part}`),
  );
  // The server says the same, whatever the screen lets through.
  await screen.button('Save draft').click();
  await untilEqual(() => screen.place.textContent(), '1 change not saved yet. This tab keeps what you typed.');
  expect((await find()).draft).toBeNull();

  await page.getByRole('button', { name: /^Use #[0-9a-f]{6} instead$/ }).click();
  await page.getByText('This color can be read everywhere, in both themes.').waitFor();
  await page.getByLabel('Choose the accent').fill('#0b4f8a');
  await untilEqual(() => field.inputValue(), '#0b4f8a');
  const stranger = await openPage();
  const colorOf = (theme: 'light' | 'dark', path: string) =>
    stranger
      .emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      .then(() => stranger.goto(base + path))
      .then(() => stranger.evaluate(() => getComputedStyle(document.querySelector('.brand-ground')!).fill));
  const asItCame = await colorOf('light', paths.home);
  await page.getByText('All 26 contrasts are enough').waitFor();
  expect(await findViolationsInBothThemes(page)).toEqual([]);
  await screen.button('Publish').click();
  await screen.told.getByText('Published').waitFor();

  expect(await colorOf('light', paths.home)).toBe('rgb(11, 79, 138)');
  const { dark } = toAccentTokens('#0b4f8a');
  const toRgb = (color: string) =>
    `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`;
  expect(await colorOf('dark', paths.blogs)).toBe(toRgb(dark.primary));
  for (const path of [paths.home, paths.contact, paths.blogs]) {
    await stranger.goto(base + path);
    expect([path, await findViolationsInBothThemes(stranger)]).toEqual([path, []]);
  }
  // The admin area names a file.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.reload();
  await untilEqual(
    () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary')),
    '#0b4f8a',
  );

  await page.getByRole('button', { name: 'As it came for Accent' }).click();
  await untilEqual(screen.changes, ['Accent']);
  await page.locator('.settings-changes ins').getByText('as it came').waitFor();
  await screen.button('Publish').click();
  await screen.told.getByText('Published').waitFor();
  expect(await colorOf('light', paths.home)).toBe(asItCame);
});

itSlow('chooses a logo for each theme and that of the partner, which have their room in every width', async () => {
  const page = await openSignedIn(ada);
  await page.goto(`${base}${paths.admin.company}`);
  const screen = companyPage(page);
  const fieldOf = (name: string) => page.locator('.image-field', { has: page.locator(`[name="${name}"]`) });
  const upload = async (name: string, width: number, height: number, color: string, format: 'png' | 'webp' = 'png') => {
    const create = { width, height, channels: 4, background: color } as const;
    const buffer = await sharp({ create }).toFormat(format).toBuffer();
    await page
      .locator(`[name="${name}"]`)
      .setInputFiles({ name: `${name}.${format}`, mimeType: `image/${format}`, buffer });
  };
  const hint = fieldOf('logo').locator('.field-hint');
  expect((await hint.textContent())?.match(/less than 5 MB/g)).toHaveLength(1);
  // What cannot be a logo is said where it was chosen.
  await upload('logo', 90, 90, '#3366cc', 'webp');
  await fieldOf('logo').getByText('Logo must be a PNG or JPEG picture of the media library').waitFor();
  await upload('logo', 1600, 200, '#3366cc');
  await fieldOf('logo').getByText('Logo must be').waitFor({ state: 'detached' });
  await upload('logo_dark', 1600, 200, '#99bbff');
  await fieldOf('logo_dark').locator('.image-preview').waitFor();
  // The same chooser as for posts.
  await fieldOf('partner_logo').getByRole('button', { name: 'Choose from the library' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'logo_dark.png' }).click();
  await fieldOf('partner_logo').locator('.image-preview').waitFor();
  await page.locator('[name="partner_name"]').fill('Shield & Co');
  await page.getByLabel('The logo contains the name').check();
  await untilEqual(screen.changes, [
    ...['Name of the partner', 'Logo of the partner', 'Logo', 'Logo on dark ground', 'The logo contains the name'],
  ]);
  expect(await findViolationsInBothThemes(page)).toEqual([]);
  await screen.button('Publish').click();
  await screen.told.getByText('Published').waitFor();

  const stranger = await openPage({ expectedComplaints: [/ERR_FAILED/] });
  await stranger.emulateMedia({ reducedMotion: 'reduce' });
  for (const [theme, source] of [
    ['light', '.brand-light'],
    ['dark', '.brand-dark'],
  ] as const) {
    await stranger.emulateMedia({ colorScheme: theme });
    for (const [width, shown] of [
      [360, 151],
      [1440, 240],
    ] as const) {
      await stranger.setViewportSize({ width, height: 800 });
      await stranger.goto(base);
      const logo = stranger.locator(`.site-header .brand`).first().getByRole('img', { name: 'Your IT Team' });
      // One of the two alone: the other is nothing to screen readers.
      expect(await logo.count()).toBe(1);
      expect(await logo.evaluate((image, wanted) => image.matches(wanted), source)).toBe(true);
      const box = (await logo.boundingBox())!;
      expect([Math.round(box.width), Math.round(box.height)]).toEqual([shown, Math.round(shown / 8)]);
      expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  }
  expect(await findViolationsInBothThemes(stranger)).toEqual([]);
  // Its room is there before it is.
  await stranger.route('**/media/**', (route) => route.abort());
  await stranger.reload();
  const box = await stranger.locator('.site-header .brand img:visible').boundingBox();
  expect([box!.width, box!.height]).toEqual([240, 30]);

  await fieldOf('logo').getByRole('button', { name: 'Remove image' }).click();
  await page.locator('.settings-changes ins').getByText('as it came').waitFor();
});

itSlow(
  'confirms what stands as it came, leads to what is wrong, and names drafts on the start page and in the activity',
  async () => {
    const page = await openSignedIn(ada, { expectedComplaints: [/422/] });
    await page.goto(`${base}${paths.admin.company}`);
    const screen = companyPage(page);
    const confirm = page.getByRole('button', { name: /^This is right\s*: Area of on-site support$/ });
    await confirm.click();
    expect(await confirm.getAttribute('aria-pressed')).toBe('true');
    await untilEqual(screen.changes, ['Area of on-site support']);
    await confirm.click();
    await untilEqual(screen.changes, []);
    await confirm.press('Enter');
    // What is typed beside it keeps its place.
    await page.locator('[name="name"]').pressSequentially('!!');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    await page.locator('[name="name"]').fill((await find()).values['name'] as string);
    expect(await page.getByText(/production|placeholder|unset/).count()).toBe(0);

    await page.locator('[name="phone"]').fill('12');
    await page.locator('[name="help_desk_url"]').fill('ftp://it.company');
    await screen.button('Publish').click();
    await untilEqual(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'phone');
    await screen.told.getByRole('button', { name: 'Help desk must begin with https://' }).click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('help_desk_url');
    const started = await find();
    for (const name of ['phone', 'help_desk_url'])
      await page.locator(`[name="${name}"]`).fill(started.values[name] as string);
    await screen.button('Save draft').click();
    await untilEqual(() => screen.place.textContent(), 'Draft saved: 1 change waits to be published.');
    expect(started.sources['area_onsite']).toBe('fallback');
    expect((await find()).draft).toEqual({ area_onsite: started.values['area_onsite'] });
    expect(await findViolationsInBothThemes(page)).toEqual([]);

    await page.goto(`${base}/admin`);
    const drafts = page.getByRole('region', { name: 'Drafts of company and pages' });
    await drafts.getByText('1 change waits to be published, by ada@example.com').waitFor();
    await drafts.getByRole('link', { name: 'Company' }).click();
    await page.locator('.settings-changes').getByText('confirmed').waitFor();
    await screen.button('Publish').click();
    await screen.told.getByText('Published').waitFor();
    expect((await find()).sources['area_onsite']).toBe('setting');
    expect((await find()).values['area_onsite']).toBe(started.values['area_onsite']);
    expect(await confirm.count()).toBe(0);
    await page.goto(`${base}/admin/audit`);
    await page.getByText('changed: Area of on-site support').waitFor();
  },
);

itSlow('keeps what is typed while a draft is saved or discarded, and takes nobody for somebody else', async () => {
  const page = await openSignedIn(ada);
  await page.goto(`${base}${paths.admin.company}`);
  const { button, place } = companyPage(page);
  const phone = page.locator('[name="phone"]');
  await phone.waitFor();
  const published = await phone.inputValue();
  const held: Route[] = [];
  await page.route('**/api/admin/settings/company/draft**', (route) => void held.push(route));
  const letGo = async () => {
    await until(() => held.length === 1);
    await held.shift()!.continue();
  };
  await phone.fill('(555) 010-0111');
  await button('Save draft').click();
  await until(() => held.length === 1);
  await phone.fill('(555) 010-0222');
  await letGo();
  await untilEqual(() => place.textContent(), '1 change not saved yet. This tab keeps what you typed.');
  await button('Save draft').click();
  await letGo();
  await untilEqual(() => place.textContent(), 'Draft saved: 1 change waits to be published.');
  expect((await find()).draft).toEqual({ phone: '(555) 010-0222' });

  await button('Discard changes').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await until(() => held.length === 1);
  await phone.fill('(555) 010-0333');
  await letGo();
  await page.getByText('Everything is as it is published.').waitFor();
  expect(await phone.inputValue()).toBe('(555) 010-0333');
  await button('Save draft').click();
  await letGo();
  await untilEqual(() => place.textContent(), 'Draft saved: 1 change waits to be published.');
  await button('Discard changes').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await letGo();
  await untilEqual(() => phone.inputValue(), published);
});

itSlow('lists the version that somebody else published as soon as it tells of it', async () => {
  const page = await openSignedIn(ada);
  await page.goto(`${base}${paths.admin.company}`);
  const { button, place, versions } = companyPage(page);
  await page.locator('[name="area_remote"]').fill('Anywhere at all');
  const { revision, values } = await find();
  const draft = { revision, values: { partner_name: 'Ben & Partner' }, seen: { partner_name: values['partner_name'] } };
  const kept = await callAs<SettingsView>(base, ben, 'PUT', api.settingsDraft('company'), draft);
  const published = await callAs<SettingsView>(base, ben, 'POST', api.settingsPublication('company'), {
    revision: kept.revision,
  });
  await button('Save draft').click();
  await untilEqual(() => place.textContent(), 'Draft saved: 1 change waits to be published.');
  const current = versions.getByRole('listitem').filter({ hasText: 'On pages now' });
  await current.getByText(`Version ${published.version}`, { exact: true }).waitFor();
  expect(await current.innerText()).toContain('ben@example.com: Name of the partner');
  await button('Discard changes').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await untilEqual(async () => (await find()).draft, null);
});

itSlow('asks about a fact that nobody had said, too, when somebody else says it meanwhile', async () => {
  const page = await openSignedIn(ada, { expectedComplaints: [/409/] });
  await page.goto(`${base}${paths.admin.company}`);
  const { button } = companyPage(page);
  const line = page.locator('[name="phone_accounts"]');
  await line.fill('(555) 010-0');
  const { revision, values } = await find();
  expect(values['phone_accounts']).toBeNull();
  const theirs = { revision, values: { phone_accounts: '(555) 010-0555' } };
  await callAs(base, ben, 'PUT', api.settingsDraft('company'), theirs);
  // Whoever comes back to the tab has it read anew.
  await page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
  await page.getByText('Draft of ben@example.com').waitFor();
  await line.press('End');
  await line.pressSequentially('666');
  await button('Save draft').click();
  await page.getByText('ben@example.com ‘(555) 010-0555’').waitFor();
  expect((await find()).draft).toEqual(theirs.values);
  await button('Keep mine for Line of the account manager').click();
  await button('Save draft').click();
  await untilEqual(async () => (await find()).draft, { phone_accounts: '(555) 010-0666' });
  await button('Discard changes').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await untilEqual(async () => (await find()).draft, null);
});

itSlow('opens no tab for a preview that it does not make while something else is on its way', async () => {
  const page = await openSignedIn(ada);
  await page.goto(`${base}${paths.admin.company}`);
  const { button, place } = companyPage(page);
  const held: Route[] = [];
  await page.route('**/api/admin/settings/company/draft', (route) => void held.push(route));
  await page.locator('[name="phone_accounts"]').fill('(555) 010-0777');
  await button('Save draft').click();
  await until(() => held.length === 1);
  await button('Preview').press('Enter');
  await held[0]!.continue();
  await untilEqual(() => place.textContent(), 'Draft saved: 1 change waits to be published.');
  const [preview] = await Promise.all([page.context().waitForEvent('page'), button('Preview').click()]);
  await preview.waitForURL(`${base}${paths.admin.sitePreview('company')}/`);
  // One that was opened before would stand between them.
  const tabs = page.context().pages();
  expect(tabs.map((tab) => tab.url())).toEqual([page.url(), preview.url()]);
  await page.unroute('**/api/admin/settings/company/draft');
  await button('Discard changes').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await untilEqual(async () => (await find()).draft, null);
});
