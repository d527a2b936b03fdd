import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';

const FAILURE = 'Sorry, there was an error. Please try again.';
const UNEXPECTED = 'An unexpected error occurred. Please try again later.';
const SUCCESS = 'Your message has been sent!';

describe('forms', () => {
  let base: string;

  beforeAll(async () => {
    base = await (await createTestApp()).listen();
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

  it('tells that an enquiry could not be sent, and keeps it', async () => {
    const page = await openPage({ expectedComplaints: [/404/, /enquiry|not_found/i] });
    await page.goto(`${base}/contact`, { waitUntil: 'networkidle' });
    await fillEnquiry(page);
    expect(await submit(page)).toBe(FAILURE);
    expect(await page.getByRole('status').filter({ hasText: FAILURE }).count()).toBe(1);
    expect(await read(page)).toBe('The printer is on fire.');
  });

  it('tells that the connection failed, and keeps the enquiry', async () => {
    const page = await openPage({ expectedComplaints: [/api\/contact/, /ERR_FAILED/, /enquiry|fetch/i] });
    await page.goto(`${base}/contact`, { waitUntil: 'networkidle' });
    await page.route('**/api/contact', (route) => route.abort('failed'));
    await fillEnquiry(page);
    expect(await submit(page)).toBe(UNEXPECTED);
    expect(await read(page)).toBe('The printer is on fire.');
  });

  it('sends name, email and message, and clears the form when they arrived', async () => {
    const page = await openPage();
    await page.goto(`${base}/contact`, { waitUntil: 'networkidle' });
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

  it('lets the browser refuse what is missing or no address', async () => {
    const page = await openPage();
    await page.goto(`${base}/contact`, { waitUntil: 'networkidle' });
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
    await page.goto(`${base}/client`, { waitUntil: 'networkidle' });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.locator('main form').getByLabel('Email').fill('owner@example.com');
    await page.locator('main form').getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Log In' }).click();
    expect(requests).toEqual([]);
    expect(page.url()).toBe(`${base}/client`);
    if (javaScriptEnabled) {
      expect(await page.locator('main form').getByRole('status').innerText()).not.toBe('');
      expect(await page.locator('main form').getByLabel('Password').inputValue()).toBe('');
    }
  });
});
