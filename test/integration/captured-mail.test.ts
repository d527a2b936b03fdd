import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { EnquiriesService } from '../../src/contact/enquiries.service.js';
import { EnquiryUpkeep } from '../../src/contact/enquiry-upkeep.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { Clock } from '../../src/shared/clock.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { HtmlPage } from '../support/html.js';
import { mintFromUserId, queueMail } from '../support/mail-jobs.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

let app: TestApp;
let folder: string;

const get = async (url: string) => {
  const answer = await app.inject(url);
  return { ...answer, page: new HtmlPage(answer.body) };
};
const links = (page: HtmlPage) => page.all('a').map(({ attribs }) => attribs['href'] ?? '');

beforeAll(async () => {
  app = await createTestApp();
  folder = join(app.config.dataDir, 'mail');
  mintFromUserId(app);
});

describe('captured mails', () => {
  it('are none at first', async () => {
    const { page, statusCode } = await get('/dev/mail');
    expect(statusCode).toBe(200);
    expect(page.visibleText()).toContain('None yet.');
  });

  it('are listed newest first, with their text, their link and their HTML', async () => {
    for (const [index, address] of ['first@example.com', 'second@example.com'].entries()) {
      await queueMail(app, address);
      await until(async () => (await readdir(folder)).filter((name) => name.endsWith('.json')).length > index);
    }
    const { page, headers } = await get('/dev/mail');
    expect(headers['cache-control']).toBe('no-store');
    expect(page.visibleText()).toMatch(/second@example\.com[^]*first@example\.com/);

    const shown = await get(links(page)[0]!);
    expect(shown.page.visibleText()).toContain('second@example.com');
    expect(shown.page.visibleText()).toContain('123456');
    expect(links(shown.page)).toContainEqual(
      expect.stringMatching(/^http:\/\/site\.test\/auth\/confirm\?token_hash=a{56}&/),
    );
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");

    const [frame] = shown.page.all('iframe');
    const html = await get(frame!.attribs['src']!);
    expect(html.page.text('h1')).toBe('Confirm your email address');
    expect(html.page.all('base')[0]!.attribs['target']).toBe('_top');
    expect(html.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'self'.*sandbox /);
  });

  it('are kept as they would have been sent, for nobody else on the machine', async () => {
    const [name] = (await readdir(folder)).filter((file) => file.endsWith('.eml'));
    const mail = await PostalMime.parse(await readFile(join(folder, name!)));
    expect(mail).toMatchObject({
      from: { name: 'Your IT Team', address: 'hello@example.com' },
      messageId: `<${name!.replace('.eml', '')}@site.test>`,
    });
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(join(folder, name!))).mode & 0o077).toBe(0);
  });

  it.each([
    '/dev/mail/nothing',
    '/dev/mail/..%2F..%2Fetc%2Fpasswd',
    '/dev/mail/00000000-0000-0000-0000-000000000000/html',
  ])('are not at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  it('are shown nowhere where mails are sent', async () => {
    const sending = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
    expect((await sending.inject('/dev/mail')).statusCode).toBe(404);
  });

  it('are replaced when an enquiry is sent again, so that nothing stays of one that is erased', async () => {
    const enquiry = buildEnquiry({ email: 'again@example.org' });
    await sendEnquiry(app, enquiry);
    const isSent = async () => (await storedFrom(app, enquiry.email))?.delivery === 'sent';
    await until(isSent);
    const { id, messageId } = (await storedFrom(app, enquiry.email))!;
    const kept = async () => {
      const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      return names.filter((_name, index) => texts[index]!.includes(enquiry.email));
    };
    const first = await kept();
    expect(first.length).toBeGreaterThan(0);
    expect(await runCommand(app, ['enquiries', 'resend', id])).toMatchObject({ code: 0 });
    await until(isSent);
    expect((await storedFrom(app, enquiry.email))!.messageId).not.toBe(messageId);
    const second = await kept();
    expect(second).toHaveLength(first.length);
    expect(second.filter((name) => first.includes(name))).toEqual([]);
    expect(await runCommand(app, ['enquiries', 'erase', id, '--yes'])).toMatchObject({ code: 0 });
    expect(await kept()).toEqual([]);
  });

  itSlow('are handed out, erased and redacted also where mails are sent by now', async () => {
    const [erased, kept, old] = [
      buildEnquiry({ email: 'erased@example.org' }),
      buildEnquiry({ email: 'kept@example.org' }),
      buildEnquiry({ email: 'old@example.org' }),
    ];
    for (const enquiry of [erased, kept, old]) await sendEnquiry(app, enquiry);
    await until(async () => (await storedEnquiries(app)).every(({ delivery }) => delivery === 'sent'));
    const { DATABASE_URL, DATA_DIR } = app.environment;
    const sending = await createTestApp({
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_URL: DATABASE_URL!,
      DATA_DIR: DATA_DIR!,
    });
    const left = async () => {
      const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
      return [erased, kept, old].filter(({ email }) => texts.some((text) => text.includes(email)));
    };
    expect(await left()).toEqual([erased, kept, old]);
    const data = await runCommand(sending, ['privacy', 'export', '--email', erased.email]);
    expect(JSON.parse(data.stdout)).toMatchObject({ captured_mails: [{ to: 'hello@example.com' }] });
    const erasure = await runCommand(sending, ['privacy', 'erase', '--email', erased.email, '--yes']);
    expect(erasure).toMatchObject({ code: 0, stdout: expect.stringContaining('captured mails 1') });
    expect(await left()).toEqual([kept, old]);
    const { id } = (await storedFrom(sending, old.email))!;
    const { version } = await sending.get(EnquiriesService).find(OPERATOR, id);
    await sending.get(EnquiriesService).update(OPERATOR, id, { version, state: 'closed' });
    const later = new Date(Date.now() + (sending.config.contact.retentionDays + 1) * 24 * 3600 * 1000);
    sending.get(Clock).now = () => later;
    await sending.get(EnquiryUpkeep).runAll();
    expect(await left()).toEqual([kept]);
    const { id: last } = (await storedFrom(sending, kept.email))!;
    expect(await runCommand(sending, ['enquiries', 'erase', last, '--yes'])).toMatchObject({ code: 0 });
    expect(await left()).toEqual([]);
  });
});
