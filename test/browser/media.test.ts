import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { IMAGE_MAX_BYTES } from '../../src/shared/limits.js';
import { paths } from '../../src/shared/paths.js';
import { Image } from '../../src/uploads/image.entity.js';
import { MEDIA_PAGE_SIZE } from '../../src/uploads/media-library.service.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { goBack, openPage } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { storageDrivers } from '../support/storages.js';
import { until, untilEqual } from '../support/until.js';

const HOUR_S = 3600;

function makeImage(red: number, width = 600, height = 400): Promise<Buffer> {
  const background = { r: red, g: 120, b: 140 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** The media screen: where things are and what can be done, nothing about what should come of it. */
function mediaPage(page: Page) {
  const cards = page.locator('.media-card');
  return {
    chooser: page.getByLabel('Upload images'),
    cards,
    card: (text: string) => cards.filter({ hasText: text }),
    unusedOnly: page.getByLabel('Only those not shown anywhere'),
    search: page.getByRole('searchbox'),
    more: page.getByRole('button', { name: 'Load more images' }),
    toast: (title: string) => page.locator('[data-sonner-toast]').filter({ hasText: title }),
    outcome: page.getByRole('status', { name: 'What was done' }),
    upload: async (...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
      await page.getByLabel('Upload images').setInputFiles(files),
  };
}

describe.each(fewOf(storageDrivers, ([name]) => name === 'folder'))(
  'the media screen over the %s storage',
  (driver, start) => {
    let app: TestApp;
    let base: string;

    beforeAll(async () => {
      app = await createTestApp(await start());
      base = await app.listen();
    });

    async function openMedia(options: Parameters<typeof openPage>[0] = {}) {
      const account = await createAccount(app);
      await app.get(RolesService).grantAdmin(OPERATOR, account.id);
      const { accessToken, sessionId } = await signIn(app, account);
      const page = await openPage({ width: 1440, reducedMotion: 'reduce', ...options });
      await page.goto(`${base}${paths.terms}`);
      const session = {
        access_token: accessToken,
        refresh_token: 'abcdefghijkl',
        token_type: 'bearer',
        expires_in: HOUR_S,
        expires_at: Math.floor(Date.now() / 1000) + HOUR_S,
        user: { id: account.id, email: account.email, aud: 'authenticated', app_metadata: {}, user_metadata: {} },
      };
      await page.evaluate((value) => localStorage.setItem('supabase.auth.token', value), JSON.stringify(session));
      await page.goto(base + paths.admin.media);
      return { page, screen: mediaPage(page), sessionId };
    }

    it('takes images, says where they are shown, and removes those that nothing shows', async () => {
      const shown = await app.get(UploadsService).storeImage(await makeImage(10, 1200, 500));
      await createPosts(app, [
        {
          title: 'A post with a picture',
          image_url: shown.url,
          content: `<p>Text <img src="${shown.url}" alt=""></p>`,
        },
      ]);
      const { page, screen } = await openMedia({ expectedComplaints: [/ 409/] });
      await screen.card('A post with a picture').first().waitFor();
      await screen.upload(
        { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await makeImage(60) },
        { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await makeImage(90, 300, 500) },
      );
      await screen.toast('Image uploaded successfully').first().waitFor();
      await screen.cards.nth(2).waitFor();
      await untilEqual(() => screen.card('Not shown anywhere').count(), 2);
      await screen.card('one.jpg').getByLabel('Alternative text').fill('One color');
      await screen.card('one.jpg').getByRole('button', { name: /^Save/ }).press('Enter');
      await screen.outcome.filter({ hasText: 'Alternative text saved' }).waitFor();

      await screen.unusedOnly.check();
      await screen.card('A post with a picture').first().waitFor({ state: 'detached' });
      page.on('dialog', (dialog) => void dialog.accept());
      await screen.card('300 × 500').getByRole('button', { name: 'Remove' }).click();
      await screen.outcome.filter({ hasText: 'Image removed' }).waitFor();
      await screen.outcome.and(page.locator(':focus')).waitFor();
      await screen.card('300 × 500').waitFor({ state: 'detached' });

      // Somebody uses the other one meanwhile.
      const { name } = await app
        .get(EntityManager)
        .fork()
        .findOneOrFail(Image, { name: { $like: '%-600x400.jpg' } });
      await createPosts(app, [{ title: 'In the meantime', image_url: `/media/${name}` }]);
      await screen.card('600 × 400').getByRole('button', { name: 'Remove' }).click();
      await screen.outcome.filter({ hasText: 'This image is shown in the post “In the meantime”' }).waitFor();
      await screen.unusedOnly.uncheck();
      await screen.search.fill('meantime');
      await screen.card('A post with a picture').first().waitFor({ state: 'detached' });
      await screen.card('In the meantime').waitFor();
    });

    itSlow('names what is refused, puts another image in the place of one, and lets a post choose one', async () => {
      const { page, screen } = await openMedia({ expectedComplaints: [/ 4(15|22)/] });
      await screen.card('A post with a picture').first().waitFor();
      if (driver === 'folder') {
        page.once('dialog', (dialog) => void dialog.accept());
        await page.getByLabel(/^Another image for 1200 × 500/).setInputFiles({
          name: 'instead.jpg',
          mimeType: 'image/jpeg',
          buffer: await makeImage(11, 1000, 500),
        });
        await screen.outcome.filter({ hasText: '1 post shows instead.jpg now' }).waitFor();
        await screen.card('instead.jpg').filter({ hasText: 'A post with a picture' }).waitFor();
      }

      await screen.upload({ name: 'big.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(IMAGE_MAX_BYTES) });
      await screen.toast('Error').filter({ hasText: 'Image must be less than 5MB' }).waitFor();
      await page.locator('.field-error').filter({ hasText: 'Image must be less than 5MB' }).waitFor();
      await screen.upload({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg></svg>') });
      await screen.toast('Upload failed').filter({ hasText: 'SVG images are not accepted' }).waitFor();
      await page.locator('.field-error').filter({ hasText: 'SVG images are not accepted' }).waitFor();
      await untilEqual(() => screen.chooser.getAttribute('aria-invalid'), 'true');
      // One that is refused holds up none of the others, and is named among them.
      await screen.upload(
        { name: 'three.jpg', mimeType: 'image/jpeg', buffer: await makeImage(130, 310, 200) },
        { name: 'huge.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(IMAGE_MAX_BYTES) },
        { name: 'four.jpg', mimeType: 'image/jpeg', buffer: await makeImage(140, 320, 200) },
      );
      await screen.card('four.jpg').waitFor();
      await screen.outcome.filter({ hasText: 'huge.jpg: Image must be less than 5MB' }).waitFor();
      await screen.upload({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg></svg>') });
      await untilEqual(() => screen.chooser.getAttribute('aria-invalid'), 'true');
      if (driver !== 'folder') return;

      expect(await findViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findViolations(page, COLOR_RULES)).toEqual([]);

      // The one that the test before has described.
      const { name } = await app
        .get(EntityManager)
        .fork()
        .findOneOrFail(Image, { name: { $like: '%-600x400.jpg' } });

      // In a post it brings its words along, and Enter in the search sends no form.
      await page.goto(base + paths.admin.newBlog);
      await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
      await page.getByRole('button', { name: 'Picture from the library' }).press('Enter');
      const picker = page.getByRole('dialog', { name: 'Choose from the library' });
      await picker.getByRole('searchbox').fill('color');
      await page.keyboard.press('Enter');
      await picker.getByRole('button', { name: 'instead.jpg' }).waitFor({ state: 'detached' });
      expect(await findViolations(page)).toEqual([]);
      await picker.getByRole('button', { name: 'one.jpg' }).press('Enter');
      await picker.waitFor({ state: 'detached' });
      const added = page.getByRole('textbox', { name: 'Content' }).getByRole('img', { name: 'One color' });
      await untilEqual(() => added.getAttribute('src'), `/media/${name}`);
      await page.getByRole('button', { name: 'Choose from the library' }).first().click();
      await picker.getByRole('button', { name: 'one.jpg' }).click();
      await untilEqual(() => page.getByLabel('Alternative text').first().inputValue(), 'One color');
    });

    if (driver !== 'folder') return;

    itSlow(
      'asks for the password when the session ends, goes on with the upload, and lists more on demand',
      async () => {
        const rows = Array.from({ length: MEDIA_PAGE_SIZE }, (_, at) => {
          const id = at.toString(16).padStart(32, 'd');
          const createdAt = new Date('2020-01-01T00:00:00Z');
          return { id, name: `${id}-8x8.png`, sourceHash: id.padStart(64, '0'), byteSize: 1000, createdAt };
        });
        await app.get(EntityManager).fork().insertMany(Image, rows);
        const { page, screen, sessionId } = await openMedia({ width: 360, expectedComplaints: [/ 40[0134]/] });
        await screen.cards.first().waitFor();
        // The areas take one line, also when there is one more, and the last one is in view where it is the current one.
        const areas = page.getByRole('navigation', { name: 'Admin' }).getByRole('list');
        await page.goto(base + paths.admin.audit);
        const isInView = () =>
          areas.evaluate((list) => {
            const [{ left, right }, current] = [list.getBoundingClientRect(), list.querySelector('[aria-current]')];
            const at = current?.getBoundingClientRect();
            return (at?.left ?? -1) >= left - 1 && (at?.right ?? Infinity) <= right + 1;
          });
        await untilEqual(isInView, true);
        await page.goto(base + paths.admin.media);
        await screen.cards.first().waitFor();
        const heights = areas.evaluate((list) => {
          list.append(list.lastElementChild?.cloneNode(true) ?? '');
          return [list.clientHeight, list.firstElementChild?.clientHeight];
        });
        expect(new Set(await heights).size).toBe(1);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        await areas.evaluate((list) => list.lastElementChild?.remove());
        const before = await screen.cards.count();
        await screen.more.press('Enter');
        await page.getByText('no more to load').waitFor();
        await screen.cards.nth(before).and(page.locator(':focus')).waitFor();

        await app.get(EntityManager).fork().nativeDelete(Session, { id: sessionId });
        await screen.upload({ name: 'late.jpg', mimeType: 'image/jpeg', buffer: await makeImage(200, 500, 100) });
        await page.getByRole('dialog').getByLabel('Password').waitFor();
        await page.keyboard.press('Escape');
        await screen.toast('Upload failed').filter({ hasText: 'You have been signed out' }).waitFor();
      },
    );

    itSlow(
      'describes images while others are on their way, and keeps what is typed meanwhile and the focus',
      async () => {
        // Pictures of the test before have no files.
        const { page, screen } = await openMedia({ expectedComplaints: [/\/media\/d{20}|status of 404/] });
        const pictures = ['first.jpg', 'second.jpg'].map(async (name, index) => {
          return { name, mimeType: 'image/jpeg', buffer: await makeImage(20 + 180 * index) };
        });
        await screen.upload(...(await Promise.all(pictures)));
        const field = (name: string) => page.getByLabel(`Alternative text of ${name}`);
        const save = (name: string) => page.getByRole('button', { name: `Save the alternative text of ${name}` });
        const held: Route[] = [];
        await page.route('**/api/admin/media/*', (route) =>
          route.request().method() === 'PUT' ? void held.push(route) : route.continue(),
        );
        await field('first.jpg').fill('The first');
        await field('second.jpg').fill('The second');
        await save('first.jpg').press('Enter');
        await save('second.jpg').press('Enter');
        await field('first.jpg').fill('The first, and more');
        await until(() => held.length === 2);
        for (const route of held.splice(0)) await route.continue();
        await save('second.jpg').waitFor({ state: 'detached' });
        await until(async () => (await screen.outcome.textContent())?.includes('Alternative text saved') ?? false);
        expect(await field('first.jpg').inputValue()).toBe('The first, and more');
        await save('first.jpg').press('Enter');
        await until(() => held.length === 1);
        await held[0]!.continue();
        await save('first.jpg').waitFor({ state: 'detached' });
        expect(await field('first.jpg').evaluate((node) => node === document.activeElement)).toBe(true);
        await page.reload();
        await untilEqual(() => field('first.jpg').inputValue(), 'The first, and more');
        expect(await field('second.jpg').inputValue()).toBe('The second');
      },
    );

    itSlow('shows an image that has come while the list was being read for the first time', async () => {
      const { page, screen } = await openMedia({ expectedComplaints: [/\/media\/d{20}|status of 404/] });
      let tellRead = () => {};
      const wasRead = new Promise<void>((resolve) => (tellRead = resolve));
      let deliver = () => {};
      const isDelivered = new Promise<void>((resolve) => (deliver = resolve));
      let isFirst = true;
      await page.route(/\/api\/admin\/media(\?|$)/, async (route) => {
        if (!isFirst) return route.continue();
        isFirst = false;
        // Answered as it was before the upload.
        const response = await route.fetch();
        tellRead();
        await isDelivered;
        // One that was given up has nobody to answer.
        await route.fulfill({ response }).catch(() => undefined);
      });
      await page.reload();
      await wasRead;
      await screen.upload({ name: 'early.jpg', mimeType: 'image/jpeg', buffer: await makeImage(77, 410, 230) });
      await screen.outcome.filter({ hasText: 'Image uploaded successfully' }).waitFor();
      deliver();
      await screen.card('early.jpg').waitFor();
    });

    itSlow('names the first posts of an image that many show, and counts the others', async () => {
      const shared = await app.get(UploadsService).storeImage(await makeImage(40, 700, 500));
      const titles = Array.from({ length: 23 }, (_, index) => `Shares a picture, part ${10 + index}`);
      await createPosts(
        app,
        titles.map((title) => ({ title, image_url: shared.url })),
      );
      const { screen } = await openMedia({ expectedComplaints: [/\/media\/d{20}|status of 404/] });
      const places = screen.card('Shares a picture').getByRole('list', { name: 'Shown in' }).getByRole('listitem');
      await places.first().waitFor();
      expect(await places.allTextContents()).toEqual([...titles.slice(0, 20), 'and 3 more']);
    });

    itSlow(
      'keeps its filters in the address, and asks for no password for what it reads of its own accord',
      async () => {
        const { page, screen, sessionId } = await openMedia({
          expectedComplaints: [/\/media\/d{20}|status of 40[0134]|answer 40[01]/],
        });
        await screen.unusedOnly.check();
        await page.waitForURL(`${base}${paths.admin.media}?unused=true`);
        await screen.search.fill('no such words');
        await page.waitForURL(`${base}${paths.admin.media}?search=no+such+words&unused=true`);
        await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Links' }).click();
        await page.waitForURL(base + paths.admin.links);
        await goBack(page);
        await untilEqual(() => screen.search.inputValue(), 'no such words');
        expect(await screen.unusedOnly.isChecked()).toBe(true);
        await page.getByText('No images match.').waitFor();

        // The menu has asked who this is: it would hear of the end as well, and have the client forget the session.
        await page.locator('.account-items').getByText('Admin', { exact: true }).first().waitFor({ state: 'attached' });
        await app.get(EntityManager).fork().nativeDelete(Session, { id: sessionId });
        // Whoever comes back to the tab has it read anew.
        await page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
        await page.getByText('What you see here is kept, but nothing can be saved.').waitFor();
        await untilEqual(() => page.locator('[aria-busy=true]').count(), 0);
        expect(await page.getByRole('dialog').count()).toBe(0);
      },
    );

    itSlow(
      'keeps the words about an image that are not saved, and what they were typed over, wherever somebody goes',
      async () => {
        const { page, screen } = await openMedia({
          expectedComplaints: [/\/media\/d{20}|status of 40[49]|answer 409/],
        });
        await screen.upload({ name: 'kept.jpg', mimeType: 'image/jpeg', buffer: await makeImage(45) });
        const field = page.getByLabel('Alternative text of kept.jpg');
        await field.fill('A half-written sen');
        await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Links' }).click();
        await page.waitForURL(base + paths.admin.links);
        const em = app.get(EntityManager).fork();
        await em.nativeUpdate(Image, { fileName: 'kept.jpg' }, { alternativeText: 'A shelf' });
        await goBack(page);
        await untilEqual(() => field.inputValue(), 'A half-written sen');
        const save = page.getByRole('button', { name: 'Save the alternative text of kept.jpg' });
        await save.click();
        await screen.outcome.filter({ hasText: 'Meanwhile somebody described this image as “A shelf”' }).waitFor();
        await save.click();
        await save.waitFor({ state: 'detached' });
        await page.reload();
        await untilEqual(() => field.inputValue(), 'A half-written sen');
        expect(await save.count()).toBe(0);
      },
    );

    itSlow('goes on over words that were saved after the screen was left', async () => {
      const { page, screen } = await openMedia({ expectedComplaints: [/\/media\/d{20}|status of 404/] });
      await screen.upload({ name: 'left.jpg', mimeType: 'image/jpeg', buffer: await makeImage(65) });
      const field = page.getByLabel('Alternative text of left.jpg');
      const save = page.getByRole('button', { name: 'Save the alternative text of left.jpg' });
      const held: Route[] = [];
      await page.route('**/api/admin/media/*', (route) =>
        route.request().method() === 'PUT' ? void held.push(route) : route.continue(),
      );
      await field.fill('A cable');
      await save.click();
      await until(() => held.length === 1);
      await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Links' }).click();
      await page.waitForURL(base + paths.admin.links);
      await goBack(page);
      await untilEqual(() => field.inputValue(), 'A cable');
      await held.shift()!.continue();
      await save.waitFor({ state: 'detached' });
      // Nobody else has written them: nothing is asked.
      await field.fill('A cable, coiled');
      await save.click();
      await until(() => held.length === 1);
      await held.shift()!.continue();
      await save.waitFor({ state: 'detached' });
      await page.reload();
      await untilEqual(() => field.inputValue(), 'A cable, coiled');
    });

    itSlow('says what somebody else wrote about an image meanwhile, and lets whoever was later decide', async () => {
      const { page, screen } = await openMedia({ expectedComplaints: [/\/media\/d{20}|status of 40[49]|answer 409/] });
      await screen.upload({ name: 'third.jpg', mimeType: 'image/jpeg', buffer: await makeImage(90) });
      const field = page.getByLabel('Alternative text of third.jpg');
      await field.fill('A cabinet');
      const em = app.get(EntityManager).fork();
      await em.nativeUpdate(Image, { fileName: 'third.jpg' }, { alternativeText: 'A rack of switches' });
      const save = page.getByRole('button', { name: 'Save the alternative text of third.jpg' });
      // Whoever reads what happened does not wait for the list.
      const lists = /\/api\/admin\/media(\?|$)/;
      const held: Route[] = [];
      let isHolding = true;
      await page.route(lists, (route) => (isHolding ? void held.push(route) : route.continue()));
      await save.click();
      await screen.outcome
        .filter({ hasText: 'Meanwhile somebody described this image as “A rack of switches”' })
        .waitFor();
      expect(await field.inputValue()).toBe('A cabinet');
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await save.click();
      expect((await saved).status()).toBe(204);
      isHolding = false;
      for (const route of held.splice(0)) await route.continue();
      await save.waitFor({ state: 'detached' });
      expect((await em.findOneOrFail(Image, { fileName: 'third.jpg' }, { refresh: true })).alternativeText).toBe(
        'A cabinet',
      );
    });
  },
);
