import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Locator, Page, Route } from 'playwright-core';
import { EnquiriesService } from '../../src/contact/enquiries.service.js';
import { EnquiryAnswer } from '../../src/contact/enquiry-answer.entity.js';
import { Enquiry } from '../../src/contact/enquiry.entity.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { callAs, createMember, endSessions, openSignedIn, startSession } from '../support/admin-area.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { openPage, recordRequests, visit } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { findNarrowScrolling } from '../support/sideways-scrolling.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const FAILURE = 'Sorry, there was an error. Please try again.';
const UNEXPECTED = 'An unexpected error occurred. Please try again later.';
const SUCCESS = 'Your message has been sent!';

describe('forms', () => {
  let app: TestApp;
  let base: string;

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
  });

  async function fillEnquiry(page: Page, email = 'owner@example.com') {
    await page.getByLabel('Full Name').fill('Pat Doe');
    await page.getByLabel('Business Email').fill(email);
    await page.getByLabel('How can we help you?').fill('The printer is on fire.');
  }

  /** Presses the button, answers the alert and gives its text. */
  async function submit(page: Page): Promise<string> {
    const alert = page.waitForEvent('dialog');
    // The press itself ends only when the alert is closed.
    const press = page.getByRole('button', { name: 'Schedule Free Consultation' }).click();
    const dialog = await alert;
    const message = dialog.message();
    await dialog.accept();
    await press;
    return message;
  }

  const read = (page: Page) => page.getByLabel('How can we help you?').inputValue();

  itSlow('tells that an enquiry could not be sent, and keeps it', async () => {
    const page = await openPage({ expectedComplaints: [/503/] });
    await visit(page, `${base}/contact`);
    const answer = { code: 'busy', message: 'Too many messages were sent.' };
    await page.route('**/api/contact', (route) => route.fulfill({ status: 503, json: answer }));
    await fillEnquiry(page);
    expect(await submit(page)).toBe(FAILURE);
    const told = page.getByRole('status').filter({ hasText: FAILURE });
    expect(await told.innerText()).toContain('Too many messages were sent.');
    expect(await read(page)).toBe('The printer is on fire.');
  });

  itSlow('takes no page that something in between sends for a receipt, and keeps the enquiry', async () => {
    const page = await openPage({ expectedComplaints: [/answered 200/] });
    await visit(page, `${base}/contact`);
    const answer = { contentType: 'text/html', body: '<title>Sign in to the guest network</title>' };
    await page.route('**/api/contact', (route) => route.fulfill(answer));
    await fillEnquiry(page);
    expect(await submit(page)).toBe(FAILURE);
    expect(await read(page)).toBe('The printer is on fire.');
  });

  itSlow('tells that the connection failed, and keeps the enquiry', async () => {
    const page = await openPage({ expectedComplaints: [/api\/contact/, /ERR_FAILED/, /enquiry|fetch/i] });
    await visit(page, `${base}/contact`);
    await page.route('**/api/contact', (route) => route.abort('failed'));
    await fillEnquiry(page);
    expect(await submit(page)).toBe(UNEXPECTED);
    expect(await read(page)).toBe('The printer is on fire.');
  });

  itSlow('sends name, email and message, and clears the form when they arrived', async () => {
    const page = await openPage();
    await visit(page, `${base}/contact`);
    let sent: unknown;
    await page.route('**/api/contact', async (route) => {
      sent = route.request().postDataJSON();
      await route.fulfill({ status: 200, json: {} });
    });
    await fillEnquiry(page);
    expect(await submit(page)).toBe(SUCCESS);
    expect(sent).toEqual({ name: 'Pat Doe', email: 'owner@example.com', message: 'The printer is on fire.' });
    expect(await read(page)).toBe('');
  });

  itSlow(
    'makes one enquiry of a button that is pressed twice, and of a second try after an answer was lost',
    async () => {
      const page = await openPage({ expectedComplaints: [/api\/contact/, /ERR_FAILED/, /enquiry|fetch/i] });
      await visit(page, `${base}/contact`);
      await fillEnquiry(page, 'twice@example.com');
      // The server takes it, and the answer gets lost.
      const lose = async (route: Route) => {
        await route.fetch();
        await route.abort('failed');
      };
      await page.route('**/api/contact', lose);
      expect(await submit(page)).toBe(UNEXPECTED);
      await page.unroute('**/api/contact', lose);
      const alerts: string[] = [];
      page.on('dialog', (dialog) => {
        alerts.push(dialog.message());
        void dialog.accept();
      });
      await page.getByRole('button', { name: 'Schedule Free Consultation' }).dblclick();
      await page.getByRole('status').filter({ hasText: SUCCESS }).waitFor();
      expect(alerts).toEqual([SUCCESS]);
      expect(await read(page)).toBe('');
      const stored = await storedEnquiries(app);
      expect(stored.filter(({ email }) => email === 'twice@example.com')).toHaveLength(1);
    },
  );

  it('sends an enquiry without JavaScript, and gives back what was typed when something is wrong', async () => {
    const page = await openPage({ javaScriptEnabled: false, expectedComplaints: [/answer 400/, /400/] });
    await page.goto(`${base}/contact`);
    await fillEnquiry(page, 'plain@example.com');
    await page.getByLabel('Full Name').fill('   ');
    await page.getByRole('button', { name: 'Schedule Free Consultation' }).click();
    await page.getByRole('alert').waitFor();
    await untilEqual(() => page.getByText('Full Name is required').count(), 1);
    expect(await findNarrowScrolling(page)).toEqual([]);
    expect(await read(page)).toBe('The printer is on fire.');
    await page.getByLabel('Full Name').fill('Pat Doe');
    await page.getByRole('button', { name: 'Schedule Free Consultation' }).click();
    await page.waitForURL(`${base}/contact/sent#sent`);
    await page.getByText(SUCCESS).waitFor();
    // Whoever opens the page by itself sent nothing.
    await page.goto('about:blank');
    await page.goto(`${base}/contact/sent`);
    expect(await page.getByText(SUCCESS).isVisible()).toBe(false);
    const stored = await storedEnquiries(app);
    expect(stored.filter(({ email }) => email === 'plain@example.com')).toMatchObject([{ name: 'Pat Doe' }]);
  });

  itSlow('shows administrators what was sent, and lets them follow it up', async () => {
    const member = await createMember(app, 'ann@example.com');
    const page = await openSignedIn(await startSession(base, member));
    const row = page.getByRole('article', { name: 'Pat Doe' }).filter({ hasText: 'plain@example.com' });
    const press = (name: RegExp) => row.getByRole('button', { name }).click();
    await page.goto(`${base}/admin/enquiries`);
    await row.getByText('The printer is on fire.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, COLOR_RULES)).toEqual([]);
    const count = page.getByRole('link', { name: /^Enquiries/ });
    await untilEqual(() => count.textContent(), 'Enquiries2 · 2 new, 2 to answer, 2 of them new');
    await row.getByRole('link', { name: 'Pat Doe' }).click();
    const note = page.getByLabel('Note');
    await note.waitFor();
    await untilEqual(() => count.textContent(), 'Enquiries2 · 1 new, 2 to answer, 1 of them new');
    expect(await findViolations(page)).toEqual([]);
    // While a note is typed, somebody else saves one.
    await note.fill('Mine');
    const enquiry = (await storedFrom(app, 'plain@example.com'))!;
    await app.get(EntityManager).fork().nativeUpdate(Enquiry, { id: enquiry.id }, { note: 'Theirs', version: 7 });
    await page.getByText('Somebody else saved another note while you wrote:').waitFor();
    expect(await note.inputValue()).toBe('Mine');
    await page.reload();
    await page.getByRole('button', { name: 'Save mine in its place' }).click();
    await page.getByText('changed the note on the enquiry').waitFor();
    // The answer is kept by the tab, begins the next one under a name, and leaves once.
    const words = page.getByLabel('Your answer');
    await words.fill('Hello Pat Doe, call the fire brigade.');
    await page.reload();
    await page.getByText('Saved answers', { exact: true }).click();
    await page.getByLabel('Keep what is written below as').fill('Fire');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Send answer' }).dblclick();
    await page.getByText('answered the enquiry by mail').waitFor();
    await page.getByText('From you', { exact: true }).waitFor();
    await untilEqual(() => words.inputValue(), '');
    await page.getByLabel('Begin with').selectOption('Fire');
    await page.getByRole('button', { name: 'Insert the saved answer' }).click();
    expect(await words.inputValue()).toBe('Hello Pat Doe, call the fire brigade.');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await words.and(page.locator(':focus')).waitFor();
    await page.getByRole('link', { name: 'All enquiries' }).click();
    // Spam is out of sight, and comes back from where it is shown.
    await press(/^Spam/);
    await row.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Look into the spam' }).click();
    await row.getByRole('link', { name: 'Pat Doe' }).click();
    await page.getByText('It was marked as spam.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'It is not spam' }).click();
    await page.getByText('took the enquiry out of the spam').waitFor();
    await page.getByRole('heading', { name: 'Pat Doe' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('link', { name: 'All enquiries' }).click();
    await press(/^Close/);
    await row.getByText('Closed', { exact: true }).waitFor();
    expect(await storedFrom(app, 'plain@example.com')).toMatchObject({ note: 'Mine', version: 12 });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toBe('enquiries.csv');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Closed');
    await page.getByRole('searchbox').fill('PLAIN@');
    await page.getByText('1 enquiry shown, no more to load.').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await press(/^Erase/);
    await page.getByText('No enquiry fits.').waitFor();
    expect((await storedEnquiries(app)).some(({ email }) => email === 'plain@example.com')).toBe(false);
  });

  itSlow(
    'shows administrators the words of a message in the direction of its script, and no half of a sign',
    async () => {
      const message = `${'x'.repeat(99)}${'👋'.repeat(120)}`;
      await sendEnquiry(app, buildEnquiry({ email: 'half@example.com', name: 'שלום', message }));
      await sendEnquiry(app, buildEnquiry({ email: 'right@example.com', name: 'שלום', message: 'המדפסת לא עובדת.' }));
      const page = await openSignedIn(await startSession(base, await createMember(app, 'reader@example.com')));
      await page.goto(`${base}/admin/enquiries`);
      const rows = page.getByRole('article').filter({ hasText: 'שלום' });
      const shortened = rows.filter({ hasText: 'half@' }).locator('summary');
      expect(await shortened.textContent()).toMatch(/^x{99}(?:👋)*…$/u);
      const right = rows.filter({ hasText: 'right@' });
      const directionOf = (words: Locator) => words.evaluate((element) => getComputedStyle(element).direction);
      expect(await directionOf(right.locator('h2'))).toBe('rtl');
      expect(await directionOf(right.getByText('המדפסת'))).toBe('rtl');
      await right.getByRole('link', { name: 'שלום' }).click();
      // The page of one enquiry alone has it: the list has the words of several.
      expect(await directionOf(page.locator('#enquiry-name'))).toBe('rtl');
      expect(await directionOf(page.locator('.enquiry-words'))).toBe('rtl');
    },
  );

  itSlow('keeps what is typed while an enquiry is on its way, which is not sent with it', async () => {
    const page = await openPage();
    await visit(page, `${base}/contact`);
    const typed = Promise.withResolvers<void>();
    await page.route('**/api/contact', async (route) => {
      await typed.promise;
      await route.continue();
    });
    page.once('dialog', (dialog) => void dialog.accept());
    await fillEnquiry(page, 'postscript@example.com');
    await page.getByRole('button', { name: 'Schedule Free Consultation' }).click();
    await page.getByLabel('How can we help you?').fill('The printer is on fire. And the fax.');
    typed.resolve();
    await page.getByRole('status').filter({ hasText: SUCCESS }).waitFor();
    expect(await read(page)).toBe('The printer is on fire. And the fax.');
    expect(await storedFrom(app, 'postscript@example.com')).toMatchObject({ message: 'The printer is on fire.' });
    expect(await submit(page)).toBe(SUCCESS);
    expect(await read(page)).toBe('');
  });

  itSlow('tells administrators in the list whose last answer was refused, though it counts as answered', async () => {
    const [refused, arrived] = [buildEnquiry(), buildEnquiry()];
    for (const enquiry of [refused, arrived]) await sendEnquiry(app, enquiry);
    const em = app.get(EntityManager).fork();
    const answer = async (email: string, deliveries: readonly ('refused' | 'sent')[]) => {
      const { id: enquiry } = (await storedFrom(app, email))!;
      for (const [minute, delivery] of deliveries.entries()) {
        const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
        const messageId = `<${randomUUID()}@site.test>`;
        await em.insert(EnquiryAnswer, { id: randomUUID(), enquiry, text: 'Yes', delivery, messageId, createdAt });
      }
      await em.nativeUpdate(Enquiry, { id: enquiry }, { answeredAt: new Date() });
    };
    await answer(refused.email, ['sent', 'refused']);
    await answer(arrived.email, ['refused', 'sent']);
    const page = await openSignedIn(await startSession(base, await createMember(app, 'refused@example.com')));
    await page.goto(`${base}/admin/enquiries`);
    const sentence = 'They do not have the last answer: their mail server refused it.';
    const rowOf = (email: string) => page.getByRole('article').filter({ hasText: email });
    await rowOf(refused.email).getByText(sentence).waitFor();
    await rowOf(arrived.email).getByText('Answered', { exact: true }).waitFor();
    expect(await rowOf(arrived.email).getByText(sentence).count()).toBe(0);
  });

  itSlow(
    'fits administrators with a phone, whatever a saved answer is called, and shows them where they are',
    async () => {
      await sendEnquiry(app, buildEnquiry({ email: 'narrow@example.com' }));
      const session = await startSession(base, await createMember(app, 'phone@example.com'));
      const name = 'Telekommunikationsgesetz'.repeat(3);
      await callAs(base, session, 'PUT', adminPaths.savedAnswer(randomUUID()), {
        version: 0,
        name,
        text: 'Thank you.',
      });
      const page = await openSignedIn(session, { width: 360 });
      await page.goto(`${base}/admin/enquiries/${(await storedFrom(app, 'narrow@example.com'))!.id}`);
      await page.getByLabel('Begin with').waitFor();
      expect(await findNarrowScrolling(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      // The number of those that are new comes a moment later, and pushes what is behind it on.
      await page.goto(`${base}/admin/audit`);
      await page.locator('.nav-count').waitFor();
      const isInSight = () =>
        page.locator('.admin-nav [aria-current]').evaluate((link) => link.getBoundingClientRect().right < innerWidth);
      await untilEqual(isInSight, true);
    },
  );

  itSlow('sends an enquiry when the script that checks it cannot be had, and the server checks it then', async () => {
    const page = await openPage({ expectedComplaints: [/ERR_FAILED/, /400/] });
    await page.route('**/assets/enquiry-rules-*', (route) => route.abort('failed'));
    await visit(page, `${base}/contact`);
    await fillEnquiry(page, 'unchecked@example.com');
    await page.getByLabel('How can we help you?').fill('   ');
    expect(await submit(page)).toBe(FAILURE);
    await page.getByRole('status').filter({ hasText: 'Please tell us how we can help you' }).waitFor();
    await fillEnquiry(page, 'unchecked@example.com');
    expect(await submit(page)).toBe(SUCCESS);
    expect(await storedFrom(app, 'unchecked@example.com')).toMatchObject({ message: 'The printer is on fire.' });
  });

  describe('at one enquiry', () => {
    const send = async (email: string, name: string) => {
      await sendEnquiry(app, buildEnquiry({ email, name }));
      return `${base}/admin/enquiries/${(await storedFrom(app, email))!.id}`;
    };

    itSlow(
      'keeps what is typed while an answer or a note is on its way, and says of nobody that they were faster',
      async () => {
        const page = await openSignedIn(await startSession(base, await createMember(app, 'slow@example.com')));
        const told = recordTexts(page);
        await page.goto(await send('slow-net@example.com', 'A $& B $$'));
        const answer = page.getByLabel('Your answer');
        const note = page.getByLabel('Note');
        const held = await holdCalls(page, 'PUT');

        await answer.fill('Yes.');
        await page.getByRole('button', { name: 'Send answer' }).click();
        await answer.fill('Yes. And on Monday.');
        await held.letGo();
        await page.getByText('From you', { exact: true }).waitFor();
        await page.getByText('Another answer was sent while you wrote: it stands above.').waitFor();
        expect(await answer.inputValue()).toBe('Yes. And on Monday.');
        await page.getByRole('button', { name: 'Discard', exact: true }).click();

        await note.fill('Call');
        await page.getByRole('button', { name: 'Save note' }).click();
        await note.fill('Call back');
        await held.letGo();
        await page.getByText('changed the note on the enquiry').waitFor();
        expect(await note.inputValue()).toBe('Call back');
        await page.getByRole('button', { name: 'Save note' }).click();
        await held.letGo();
        await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
        expect(await note.inputValue()).toBe('Call back');
        expect((await told()).filter((text) => text.includes('Somebody else'))).toEqual([]);

        // A change waits for the one before it.
        await page.getByLabel('State', { exact: true }).selectOption('Closed');
        await page.getByRole('button', { name: 'Change the state' }).click();
        await page.getByLabel('Looked after by').selectOption('slow@example.com');
        await page.getByRole('button', { name: 'Assign the enquiry' }).click();
        await held.letGo();
        await held.letGo();
        await untilEqual(async () => (await storedFrom(app, 'slow-net@example.com'))!.assignee !== null, true);
        expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('closed');
        expect((await storedFrom(app, 'slow-net@example.com'))!.closedAt).not.toBeNull();
      },
    );

    itSlow(
      'takes an answer for sent whose receipt was lost, and sends what was written since as another one',
      async () => {
        const page = await openSignedIn(await startSession(base, await createMember(app, 'lost@example.com')), {
          expectedComplaints: [/ERR_CONNECTION_RESET/],
        });
        await page.goto(await send('lost-receipt@example.com', 'A $& B $$'));
        const answer = page.getByLabel('Your answer');
        const answers = page.locator('.enquiry-answers .enquiry-words');
        const sendAndLose = async (text: string) => {
          await page.route('**/answers/*', async (route) => {
            await route.fetch();
            await route.abort('connectionreset');
          });
          await answer.fill(text);
          await page.getByRole('button', { name: 'Send answer' }).click();
          await page.getByText('The server could not be reached.').waitFor();
          await page.unroute('**/answers/*');
        };

        await sendAndLose('First.');
        await page.reload();
        await untilEqual(() => answers.allTextContents(), ['First.']);
        await untilEqual(() => answer.inputValue(), '');

        await sendAndLose('Second.');
        await answer.fill('Second, and more.');
        await untilEqual(() => answers.allTextContents(), ['First.', 'Second.']);
        await page.getByRole('button', { name: 'Send mine as well' }).click();
        await untilEqual(() => answers.allTextContents(), ['First.', 'Second.', 'Second, and more.']);
        await untilEqual(() => answer.inputValue(), '');

        // A name is a name, whatever it is made of.
        await page.getByText('Saved answers', { exact: true }).click();
        await answer.fill('Dear {name},');
        await page.getByLabel('Keep what is written below as').fill('Greeting');
        await page.getByRole('button', { name: 'Keep it' }).click();
        await page.getByRole('button', { name: 'Discard', exact: true }).click();
        await page.getByLabel('Begin with').selectOption('Greeting');
        await page.getByRole('button', { name: 'Insert the saved answer' }).click();
        expect(await answer.inputValue()).toBe('Dear A $& B $$,');
      },
    );

    itSlow('begins an answer with the text that is chosen, not with each that the arrow keys pass', async () => {
      const session = await startSession(base, await createMember(app, 'chooser@example.com'));
      for (const number of [1, 2]) {
        const answer = { version: 0, name: `${number}. text`, text: `Text ${number}.` };
        await callAs(base, session, 'PUT', adminPaths.savedAnswer(randomUUID()), answer);
      }
      const page = await openSignedIn(session);
      await page.goto(await send('chosen-text@example.com', 'Pat Doe'));
      const choice = page.getByLabel('Begin with');
      const words = page.getByLabel('Your answer');
      for (const key of ['ArrowDown', 'ArrowDown']) await choice.press(key);
      expect(await choice.locator('option:checked').textContent()).toBe('2. text');
      expect(await words.inputValue()).toBe('');
      const insert = page.getByRole('button', { name: 'Insert the saved answer' });
      await insert.press('Enter');
      await untilEqual(() => words.inputValue(), 'Text 2.');
      expect(await insert.getAttribute('aria-disabled')).toBe('true');
    });

    it('gives an enquiry the state and the assignee that were chosen, not each that the arrow keys pass', async () => {
      const session = await startSession(base, await createMember(app, 'settler@example.com'));
      await createMember(app, 'settled-on@example.com');
      const page = await openSignedIn(session);
      const address = await send('settled@example.com', 'Pat Doe');
      await page.goto(address);
      const state = page.getByLabel('State', { exact: true });
      const assignee = page.getByLabel('Looked after by');
      const people = assignee.locator('option');
      await people.nth(2).waitFor({ state: 'attached' });
      const requests = recordRequests(page);

      for (const key of ['ArrowDown', 'ArrowDown']) await state.press(key);
      expect(await state.inputValue()).toBe('closed');
      const change = page.getByRole('button', { name: 'Change the state' });
      await change.press('Enter');
      await page.locator('.enquiry-card .state-closed').waitFor();
      await untilEqual(() => change.getAttribute('aria-disabled'), 'true');
      await change.and(page.locator(':focus')).waitFor();

      for (const key of ['ArrowDown', 'ArrowDown']) await assignee.press(key);
      const chosen = await people.nth(2).getAttribute('value');
      expect(await assignee.inputValue()).toBe(chosen);
      await page.getByRole('button', { name: 'Assign the enquiry' }).press('Enter');
      await untilEqual(async () => (await storedFrom(app, 'settled@example.com'))!.assignee === null, false);

      const isChange = (method: string, url: string) =>
        method === 'PUT' && url.endsWith(adminPaths.enquiry(address.split('/').at(-1)!));
      expect(
        requests
          .filter((request) => isChange(request.method(), request.url()))
          .map((request): unknown => request.postDataJSON()),
      ).toEqual([
        { version: expect.any(Number), state: 'closed' },
        { version: expect.any(Number), assignee_id: chosen },
      ]);
    });

    itSlow("takes a note for saved whose receipt was lost, and for nobody else's", async () => {
      const page = await openSignedIn(await startSession(base, await createMember(app, 'lost-note@example.com')), {
        expectedComplaints: [/ERR_CONNECTION_RESET/],
      });
      const told = recordTexts(page);
      await page.goto(await send('lost-note@example.org', 'Pat Doe'));
      const note = page.getByLabel('Note');
      await note.fill(' Call back\non Monday \n');
      await page.route('**/api/admin/enquiries/*', async (route) => {
        if (route.request().method() !== 'PUT') return route.fallback();
        await route.fetch();
        await route.abort('connectionreset');
      });
      await page.getByRole('button', { name: 'Save note' }).click();
      const failure = page.getByText('The server could not be reached.');
      await failure.waitFor();
      await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
      await failure.waitFor({ state: 'detached' });
      expect(await note.inputValue()).toBe('Call back\non Monday');
      expect((await told()).filter((text) => text.includes('Somebody else'))).toEqual([]);
    });

    itSlow('takes an enquiry off the screens of others when it is erased, and says what an export lacks', async () => {
      const page = await openSignedIn(await startSession(base, await createMember(app, 'erased@example.com')), {
        expectedComplaints: [/404/, /ERR_CONNECTION_RESET/],
      });
      await page.goto(await send('erased-sender@example.com', 'Erased Person'));
      await page.getByLabel('Your answer').fill('Half an answer');
      const { id } = (await storedFrom(app, 'erased-sender@example.com'))!;
      // Otherwise the page complains that it could not say that somebody has read it.
      await untilEqual(async () => (await storedFrom(app, 'erased-sender@example.com'))!.openedAt !== null, true);
      // What stands between, such as a proxy during a deployment, knows of no erasing.
      const path = adminPaths.enquiry(id);
      let isAnsweredBetween = false;
      await page.route(`**${path}`, async (route) => {
        await route.fulfill({ status: 404, contentType: 'text/plain', body: 'default backend - 404' });
        isAnsweredBetween = true;
      });
      await until(() => isAnsweredBetween);
      await page.unroute(`**${path}`);
      await page.waitForResponse((answer) => answer.url().endsWith(path) && answer.ok());
      expect(await page.getByLabel('Your answer').inputValue()).toBe('Half an answer');
      await app.get(EnquiriesService).erase(OPERATOR, id);
      await page.getByText('There is no such enquiry: it was erased').waitFor();
      expect(await page.getByRole('main').textContent()).not.toMatch(/Erased Person|printer/i);
      // Their own words are theirs, to be copied elsewhere.
      const typed = page.getByLabel('Your answer, which was not sent');
      expect(await typed.inputValue()).toBe('Half an answer');
      await page.getByRole('button', { name: 'Discard the answer' }).click();
      await typed.waitFor({ state: 'detached' });
      await page.locator('h1:focus').waitFor();
      await page.getByRole('link', { name: 'All enquiries' }).click();
      await page.route('**/enquiries/export?*', (route) => route.abort('connectionreset'));
      await page.getByRole('button', { name: 'Export CSV' }).click();
      await page.getByText('The export failed: The server could not be reached. Check your connection').waitFor();
    });

    itSlow('keeps what somebody typed for them, also where somebody else signs in in their tab', async () => {
      const ada = await createMember(app, 'ada-typed@example.com');
      const ben = await createMember(app, 'ben-typed@example.com');
      const enquiry = await send('shared-tab@example.com', 'Pat Doe');
      const page = await openSignedIn(await startSession(base, ada));
      page.on('dialog', (dialog) => void dialog.accept());
      const phone = page.locator('[name="phone"]');
      const signInAs = async (member: typeof ada) => {
        const session = JSON.stringify(await startSession(base, member));
        await page.evaluate((value) => localStorage.setItem('supabase.auth.token', value), session);
      };
      await page.goto(enquiry);
      await page.getByLabel('Note').fill('Half a note');
      await page.getByLabel('Your answer').fill('Half an answer');
      await page.goto(`${base}/admin/company`);
      await phone.fill('(555) 010-0777');
      await signInAs(ben);
      await page.goto(`${base}/admin/company`);
      await phone.waitFor();
      expect(await phone.inputValue()).not.toBe('(555) 010-0777');
      await page.goto(enquiry);
      await page.getByLabel('Note').waitFor();
      expect(await page.getByLabel('Note').inputValue()).toBe('');
      expect(await page.getByLabel('Your answer').inputValue()).toBe('');
      await signInAs(ada);
      await page.goto(enquiry);
      await untilEqual(() => page.getByLabel('Your answer').inputValue(), 'Half an answer');
      expect(await page.getByLabel('Note').inputValue()).toBe('Half a note');
      await page.goto(`${base}/admin/company`);
      await untilEqual(() => phone.inputValue(), '(555) 010-0777');
    });
  });

  itSlow('asks for no password where a list that is read anew finds that the session has ended', async () => {
    await sendEnquiry(app, buildEnquiry({ email: 'away@example.com' }));
    const session = await startSession(base, await createMember(app, 'ended@example.com'));
    const page = await openSignedIn(session, { expectedComplaints: [/40[013]/] });
    await page.goto(`${base}/admin/enquiries`);
    await page.getByRole('link', { name: 'away@example.com' }).waitFor();
    await endSessions(base, session);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await page.getByText('You have been signed out. What you see here is kept').waitFor();
    // Whoever is asked waits for the answer.
    await page.locator('.managed-posts[aria-busy=false]').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'away@example.com' }).count()).toBe(1);
  });

  itSlow('lets who has signed in since go on as themselves in a page that belongs to somebody else', async () => {
    const ada = await createMember(app, 'ada-went@example.com');
    const ben = await createMember(app, 'ben-came@example.com');
    const page = await openSignedIn(await startSession(base, ada));
    await page.goto(`${base}/admin/enquiries`);
    await page.getByRole('heading', { level: 1, name: 'Enquiries' }).waitFor();
    // As the accounts' client does in another tab.
    await page.evaluate(
      (session) => {
        localStorage.setItem('supabase.auth.token', JSON.stringify(session));
        new BroadcastChannel('supabase.auth.token').postMessage({ event: 'SIGNED_IN', session });
      },
      await startSession(base, ben),
    );
    const notice = page.getByText('This page belongs to ada-went@example.com, but ben-came@example.com has signed in');
    await notice.waitFor();
    await page.getByRole('link', { name: 'Go on as ben-came@example.com' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.waitForURL(`${base}/admin/blogs`);
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  it('lets the browser refuse what is missing or no address', async () => {
    const page = await openPage();
    await visit(page, `${base}/contact`);
    const isValid = () => page.locator('main form').evaluate((form: HTMLFormElement) => form.checkValidity());
    expect(await isValid()).toBe(false);
    await fillEnquiry(page, 'not an address');
    expect(await isValid()).toBe(false);
    await fillEnquiry(page);
    expect(await isValid()).toBe(true);
    expect(await page.getByLabel('How can we help you?').getAttribute('rows')).toBe('4');
  });

  it.each([true, false])('never sends a password from the client page (JavaScript %s)', async (javaScriptEnabled) => {
    const page = await openPage({ javaScriptEnabled });
    if (javaScriptEnabled) await visit(page, `${base}/client`);
    else await page.goto(`${base}/client`);
    const requests = recordRequests(page);
    await page.locator('main form').getByLabel('Email').fill('owner@example.com');
    await page.locator('main form').getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Log In' }).click();
    if (javaScriptEnabled) {
      expect(await page.locator('main form').getByRole('status').innerText()).not.toBe('');
      await untilEqual(() => page.locator('main form').getByLabel('Password').inputValue(), '');
    }
    await untilEqual(() => page.locator('main form').count(), 1);
    expect(requests).toEqual([]);
    expect(page.url()).toBe(`${base}/client`);
  });

  itSlow('makes no screen wider than a phone by the count of what waits', async () => {
    const member = await createMember(app, 'narrow@example.com');
    await sendEnquiry(app, buildEnquiry());
    const page = await openSignedIn(await startSession(base, member), { width: 360 });
    await page.goto(`${base}/admin/reads`);
    await page.getByRole('link', { name: /^Enquiries.* new/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

/** Holds calls about enquiries until they are let go, one after the other. */
async function holdCalls(page: Page, method: string): Promise<{ letGo(): Promise<void> }> {
  const held: Route[] = [];
  await page.route('**/api/admin/enquiries/**', async (route) => {
    if (route.request().method() === method && !route.request().url().endsWith('/opened')) held.push(route);
    else await route.continue();
  });
  return {
    letGo: async () => {
      await until(() => held.length > 0);
      await held.shift()!.continue();
    },
  };
}

/** Records what the page says of its own accord. */
function recordTexts(page: Page): () => Promise<string[]> {
  const record = page.addInitScript(() => {
    const texts: string[] = [];
    Object.assign(window, { toldTexts: texts });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) texts.push(node.textContent ?? '');
    }).observe(document, { childList: true, subtree: true });
  });
  return async () => {
    await record;
    return page.evaluate(() => (window as unknown as { readonly toldTexts: string[] }).toldTexts);
  };
}
