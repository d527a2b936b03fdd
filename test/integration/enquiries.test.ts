import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { EnquiryUpkeep } from '../../src/contact/enquiry-upkeep.js';
import { ConnectionPool } from '../../src/database/pool/connection-pool.js';
import { findBudget } from '../../src/database/pool/database-limits.js';
import { PrivacyService } from '../../src/privacy/privacy.service.js';
import { NewEnquiriesService } from '../../src/contact/new-enquiries.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { SiteHealthService } from '../../src/overview/site-health.service.js';
import { SiteService } from '../../src/site/site.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { Clock } from '../../src/shared/clock.js';
import type {
  EnquiryAssignee,
  EnquiryCounts,
  EnquiryPage,
  EnquiryRecord,
} from '../../src/shared/contracts/enquiries.js';
import type { Overview } from '../../src/shared/contracts/overview.js';
import { createAccount, signIn } from '../support/accounts.js';
import { nextMoment } from '../support/clock.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { respellings } from '../support/respellings.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until, untilEqual } from '../support/until.js';

const DAY_MS = 24 * 3600 * 1000;
const NO_LIMITS = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' };

let sink: SmtpSink;
let app: TestApp;
let token: string;

const execute = <T>(sql: string, values: unknown[] = []) => app.get(EntityManager).fork().execute<T[]>(sql, values);

async function signInAsAdmin(to: TestApp): Promise<string> {
  const user = await createAccount(to, { email: 'ada@example.com' });
  await to.get(RolesService).grantAdmin(OPERATOR, user.id);
  return (await signIn(to, user)).accessToken;
}

function administer(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '') {
  return app.inject({ method, url: `/api/admin/enquiries${path}`, headers: { authorization: `Bearer ${token}` } });
}

const toCursor = (text: string) => Buffer.from(text).toString('base64url');
const count = async () => (await administer('GET', '/counts')).json<EnquiryCounts>();

function change(id: string, payload: object) {
  const headers = { authorization: `Bearer ${token}` };
  return app.inject({ method: 'PUT', url: `/api/admin/enquiries/${id}`, headers, payload });
}

function put(path: string, payload: object) {
  const headers = { authorization: `Bearer ${token}` };
  return app.inject({ method: 'PUT', url: `/api/admin/enquiries${path}`, headers, payload });
}

const list = async (query = '') => (await administer('GET', query)).json<EnquiryPage>();

/** Sends an enquiry and waits until its mail has arrived and was noted. */
async function deliver(overrides: Parameters<typeof buildEnquiry>[0] = {}): Promise<EnquiryRecord> {
  const enquiry = buildEnquiry(overrides);
  await sendEnquiry(app, enquiry);
  await until(async () => (await storedFrom(app, enquiry.email))?.delivery === 'sent');
  return (await list(`?search=${encodeURIComponent(enquiry.email)}`)).items[0]!;
}

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url, CONTACT_TO: 'desk@example.com', ...NO_LIMITS });
  token = await signInAsAdmin(app);
});

describe('an enquiry', () => {
  it('becomes one mail to the company, which can be answered', async () => {
    const enquiry = buildEnquiry({ name: 'Zoë <b>Vale</b>', message: 'Line one\n  line two & three\r\n"four"' });
    const answer = await sendEnquiry(app, enquiry);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'accepted' });
    const mail = await sink.mailTo('desk@example.com');
    expect(mail).toMatchObject({ replyTo: [enquiry.email], subject: 'New enquiry from Zoë <b>Vale</b>' });
    expect(mail.text).toContain('\n\n> Line one\n>   line two & three\n> "four"\n\n');
    expect(mail.html).toContain('Zoë &lt;b&gt;Vale&lt;/b&gt;');
    await until(async () => (await storedFrom(app, enquiry.email))?.delivery === 'sent');
    expect(await storedFrom(app, enquiry.email)).toMatchObject({
      attempts: 1,
      lastError: null,
      messageId: mail.messageId,
      message: 'Line one\n  line two & three\n"four"',
    });
  });

  it('names an address that only some mail servers take in the mail, and not in its headers', async () => {
    const enquiry = buildEnquiry({ name: 'Jörg', email: 'jörg@bücher.example' });
    expect((await sendEnquiry(app, enquiry)).statusCode).toBe(200);
    const mail = await sink.mailTo('desk@example.com');
    expect(mail).toMatchObject({ replyTo: [], subject: 'New enquiry from Jörg' });
    expect(mail.headerNames).not.toContain('reply-to');
    expect(mail.text).toContain('Write to the address below');
    expect(mail.text).toContain('Email: jörg@bücher.example');
    await until(async () => (await storedFrom(app, enquiry.email))?.delivery === 'sent');
  });

  it('cannot add a header or a recipient to the mail', async () => {
    const name = 'Eve\r\nBcc: victim@example.net\r\n\r\nBuy this';
    await sendEnquiry(app, buildEnquiry({ name }));
    const mail = await sink.mailTo('desk@example.com');
    expect(mail).toMatchObject({
      to: ['desk@example.com'],
      toHeader: ['desk@example.com'],
      subject: 'New enquiry from Eve Bcc: victim@example.net Buy this',
    });
    expect(mail.headerNames).not.toContain('bcc');
    for (const email of ['a@b.example\nBcc: c@d.example', 'a@b.example, c@d.example', '"a b"@c.example', 'a@b@c']) {
      const answer = await sendEnquiry(app, buildEnquiry({ email }));
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ fields: { email: ['Invalid email address'] } });
    }
  });

  it('is taken at the address of the function that it replaces, from every origin', async () => {
    const url = '/functions/v1/send-contact-email';
    const preflight = await app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://elsewhere.example' } });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': expect.stringContaining('apikey'),
    });
    const enquiry = buildEnquiry();
    const answer = await app.inject({ method: 'POST', url, payload: { ...enquiry } });
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'access-control-allow-origin': '*' } });
    expect((await sink.mailTo('desk@example.com')).replyTo).toEqual([enquiry.email]);
    const refusal = await app.inject({ method: 'POST', url, payload: {} });
    expect(refusal).toMatchObject({ statusCode: 400, headers: { 'access-control-allow-origin': '*' } });
  });

  it('is refused with a stable code and a clear message', async () => {
    const before = (await storedEnquiries(app)).length;
    const refuse = async (payload: unknown, headers = {}) => {
      const answer = await sendEnquiry(app, payload, headers);
      return { status: answer.statusCode, ...answer.json<{ code: string; message: string; fields?: object }>() };
    };
    expect(await refuse({ name: ' ', email: 'nobody', message: 7 })).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Full Name is required',
      fields: {
        name: ['Full Name is required'],
        email: ['Invalid email address'],
        message: ['Please tell us how we can help you'],
      },
    });
    expect(await refuse(buildEnquiry({ name: 'Ann\u0000' }))).toMatchObject({ status: 400, code: 'invalid_text' });
    expect(await refuse(buildEnquiry({ message: 'x'.repeat(20_001) }))).toMatchObject({
      status: 400,
      message: 'Your message is too long: please keep it under 20000 characters, or call us',
    });
    expect(await refuse(buildEnquiry({ name: 'x'.repeat(201) }))).toMatchObject({
      fields: { name: ['Your name is too long: please keep it under 200 characters'] },
    });
    expect(await refuse('x'.repeat(1_100_000))).toMatchObject({ status: 413, code: 'request_too_large' });
    expect(await refuse('{')).toMatchObject({ status: 400, code: 'bad_request' });
    for (const payload of ['null', '[]', '"text"']) expect(await refuse(payload)).toMatchObject({ status: 400 });
    expect(await refuse({ ...buildEnquiry(), leave_this_empty: 'watches' })).toMatchObject({
      code: 'suspected_program',
    });
    expect(await refuse(buildEnquiry(), { 'x-form-elapsed': '300' })).toMatchObject({ code: 'suspected_program' });
    expect((await storedEnquiries(app)).length).toBe(before);
  });

  it('that is handed in twice is one, and one that says something else is another', async () => {
    const count = async (email: string) =>
      (await storedEnquiries(app)).filter((enquiry) => enquiry.email === email).length;
    const keyed = buildEnquiry();
    const headers = { 'idempotency-key': 'key-1', 'x-form-elapsed': '5000' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendEnquiry(app, keyed, headers)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(await count(keyed.email)).toBe(1);
    await sendEnquiry(app, { ...keyed, message: 'And the scanner too.' }, headers);
    expect(await count(keyed.email)).toBe(2);
    const unkeyed = buildEnquiry();
    await Promise.all([sendEnquiry(app, unkeyed), sendEnquiry(app, unkeyed)]);
    await sendEnquiry(app, { ...unkeyed, name: ` ${unkeyed.name}\n` });
    expect(await count(unkeyed.email)).toBe(1);
  });
});

describe('the form without scripts', () => {
  const post = (fields: Record<string, string>, to = app) =>
    to.inject({
      method: 'POST',
      url: '/contact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });

  it('leads to a confirmation', async () => {
    const enquiry = buildEnquiry();
    const answer = await post({ ...enquiry, leave_this_empty: '' });
    expect(answer).toMatchObject({ statusCode: 303, headers: { location: '/contact/sent#sent' } });
    const page = new HtmlPage((await app.inject('/contact/sent')).body);
    expect(page.visibleText()).toContain('Your message has been sent!');
    expect(page.meta('robots')).toBe('noindex');
    expect(await storedFrom(app, enquiry.email)).not.toBeNull();
  });

  it('comes back with all that was typed, for nobody else', async () => {
    const typed = { name: '"><script>alert(1)</script>', email: 'pat@', message: 'Secret </textarea> words' };
    const answer = await post(typed);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['cache-control']).toBe('no-store');
    const page = new HtmlPage(answer.body);
    const valueOf = (name: string) => page.all('input').find(({ attribs }) => attribs['name'] === name)!.attribs;
    expect(valueOf('name')['value']).toBe(typed.name);
    expect(valueOf('email')).toMatchObject({ value: 'pat@', 'aria-invalid': 'true' });
    expect(page.text('textarea')).toBe(typed.message);
    expect(page.visibleText()).toMatch(/was not sent yet[^]*Invalid email address/);
    expect((await app.inject('/contact')).body).not.toContain('Secret');
  });

  it('that was filled in by a program comes back with that field empty', async () => {
    const answer = await post({ ...buildEnquiry(), leave_this_empty: 'watches' });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain('watches');
    expect(new HtmlPage(answer.body).visibleText()).toContain('Please send your message once more.');
  });
});

describe('administrators', () => {
  it('see what was written, a page at a time, and find it', async () => {
    await until(async () => (await storedEnquiries(app)).every(({ delivery }) => delivery === 'sent'));
    const all = (await list('?limit=100')).items;
    expect(all.length).toBeGreaterThan(4);
    const first = await list('?limit=2');
    const second = await list(`?limit=100&cursor=${first.next_cursor}`);
    expect(respellings(first.next_cursor!)).toHaveLength(3);
    for (const cursor of [...respellings(first.next_cursor!), toCursor(`1_${'-'.repeat(36)}`), toCursor('1_2')]) {
      expect([cursor, (await administer('GET', `?cursor=${cursor}`)).statusCode]).toEqual([cursor, 400]);
    }
    expect([...first.items, ...second.items]).toEqual(all);
    expect(second.next_cursor).toBeNull();
    const found = await deliver({ name: '100%_Robin\\', message: 'About the NAS' });
    for (const search of ['100%_robin\\', 'THE nas', found.email]) {
      expect((await list(`?search=${encodeURIComponent(search)}`)).items.map(({ id }) => id)).toEqual([found.id]);
    }
    expect((await list('?search=%25%25')).items).toEqual([]);
    expect((await administer('GET', `/${found.id}`)).json()).toEqual(found);
    for (const query of [
      '?state=lost',
      '?assignee=ada',
      '?delivery=lost',
      '?limit=0',
      '?limit=101',
      '?cursor=nonsense',
      '/export?format=xls',
    ]) {
      expect((await administer('GET', query)).statusCode).toBe(400);
    }
    for (const id of ['7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e55', 'nonsense']) {
      expect((await administer('GET', `/${id}`)).json()).toMatchObject({ code: 'enquiry_not_found' });
    }
    expect((await app.inject('/api/admin/enquiries')).statusCode).toBe(401);
  });

  it('look after enquiries: open, assign, note, answer, close, each told in the activity', async () => {
    const before = await count();
    const { id, version, ...sent } = await deliver();
    expect(sent).toMatchObject({ state: 'new', opened_at: null, assignee_id: null, note: '', redacts_at: null });
    expect(await count()).toEqual({ ...before, new: before.new + 1 });
    for (let time = 0; time < 2; time += 1) {
      const opened = (await administer('PUT', `/${id}/opened`)).json<EnquiryRecord>();
      expect(opened).toMatchObject({ state: 'open', version, opened_at: expect.any(String) });
    }
    expect(await count()).toEqual({ ...before, open: before.open + 1 });
    const [admin] = (await administer('GET', '/assignees')).json<EnquiryAssignee[]>();
    expect(admin).toMatchObject({ email: 'ada@example.com' });
    const stranger = await createAccount(app);
    const refused = await change(id, { version, assignee_id: stranger.id, note: 'Lost?' });
    expect(refused.json()).toMatchObject({ code: 'unknown_assignee' });
    const kept = await change(id, { version, assignee_id: admin!.id, note: ' Called back\r\n<b>twice</b> ' });
    const noted = kept.json<EnquiryRecord>();
    expect(noted).toMatchObject({ version: version + 1, note: 'Called back\n<b>twice</b>', assignee_id: admin!.id });
    for (const [query, isFound] of [
      [`?assignee=${admin!.id}`, true],
      [`?assignee=none`, false],
      ['?state=open&delivery=sent', true],
      ['?state=answered', false],
    ] as const) {
      expect([query, (await list(query)).items.some((item) => item.id === id)]).toEqual([query, isFound]);
    }
    const closed = (await change(id, { version: version + 1, state: 'closed' })).json<EnquiryRecord>();
    expect(closed).toMatchObject({ state: 'closed', closed_by: admin!.id });
    expect(Date.parse(closed.redacts_at!)).toBe(Date.parse(closed.closed_at!) + 30 * DAY_MS);
    // Programs send null for what they leave as it is.
    const left = await change(id, { version: version + 2, state: null, note: null });
    expect(left.json()).toMatchObject({ version: version + 2, state: 'closed', note: noted.note });
    expect((await change(id, { version: version + 2, state: 'answered' })).json()).toMatchObject({ closed_by: null });
    await change(id, { version: version + 3, state: 'open', assignee_id: null });
    const lines = await execute<{ action: string; subject: string; details: object }>(
      "select action, subject, details from audit_log where subject_type = 'enquiry' and subject_id = ? order by id",
      [id],
    );
    expect(lines.map(({ action }) => action)).toEqual([
      'enquiry.assigned',
      'enquiry.noted',
      'enquiry.closed',
      'enquiry.answered',
      'enquiry.reopened',
      'enquiry.unassigned',
    ]);
    expect(lines[0]).toMatchObject({ subject: id.slice(0, 8), details: { to: 'ada@example.com' } });
    for (const input of [{}, { version: 'x' }, { version, state: 'new' }, { version, note: 'x'.repeat(10_001) }]) {
      expect((await change(id, input)).statusCode).toBe(400);
    }
  });

  it('answer by mail, as a part of the same conversation, and an answer sent twice is one', async () => {
    const enquiry = await deliver({ name: 'Robin Reed', message: 'Is <b>Monday</b> fine?' });
    const { id, message_id: first, email } = enquiry;
    const answerIds = [randomUUID(), randomUUID()] as const;
    const text = 'Hello Robin,\r\n\r\nMonday & <i>nine</i> is fine.\nAda';
    const sent = await Promise.all(
      [1, 2, 3].map(() => put(`/${id}/answers/${answerIds[0]}`, { version: enquiry.version, text })),
    );
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const mail = await sink.mailTo(email);
    expect(mail).toMatchObject({
      subject: 'Re: Your message to Your IT Team',
      replyTo: ['desk@example.com'],
      inReplyTo: first,
      references: [first],
    });
    expect(mail.headerNames).not.toContain('auto-submitted');
    expect(mail.text).toContain('Hello Robin,\n\nMonday & <i>nine</i> is fine.\nAda\n\nYou wrote on ');
    expect(mail.text).toContain('\n\n> Is <b>Monday</b> fine?');
    expect(mail.html).toContain('Monday &amp; &lt;i&gt;nine&lt;/i&gt; is fine.');
    const find = async () => (await administer('GET', `/${id}`)).json<EnquiryRecord>();
    await until(async () => (await find()).answers[0]?.delivery === 'sent');
    const answered = await find();
    expect(answered).toMatchObject({ state: 'answered', answers: [{ message_id: mail.messageId }] });
    const late = await put(`/${id}/answers/${answerIds[1]}`, { version: enquiry.version, text: 'Me, too' });
    expect(late.json()).toMatchObject({ code: 'enquiry_changed', current: { answers: { length: 1 } } });
    const other = await put(`/${id}/answers/${answerIds[0]}`, { version: answered.version, text: 'Other' });
    expect(other.json()).toMatchObject({ code: 'answer_exists' });
    for (const input of [{ version: 1, text: ' \n' }, { version: 1, text: 'x'.repeat(10_001) }, { text: 'x' }]) {
      expect((await put(`/${id}/answers/${randomUUID()}`, input)).statusCode).toBe(400);
    }
    expect((await put(`/${randomUUID()}/answers/${randomUUID()}`, { version: 1, text })).statusCode).toBe(404);
    // A closed one is open again, and the next mail continues the conversation.
    const closed = (await change(id, { version: answered.version, state: 'closed' })).json<EnquiryRecord>();
    const second = await put(`/${id}/answers/${answerIds[1]}`, { version: closed.version, text: 'Still fine' });
    expect(second.json()).toMatchObject({ state: 'answered', closed_at: null, answers: { length: 2 } });
    expect(await sink.mailTo(email)).toMatchObject({ references: [first, mail.messageId], inReplyTo: mail.messageId });
    expect(sink.mails.filter(({ to }) => to.includes(email))).toHaveLength(2);
    const data = await app.get(PrivacyService).export(OPERATOR, email);
    expect(data.enquiries).toMatchObject([{ answers: [{ text: text.replaceAll('\r', '') }, {}] }]);
    const { answers } = await app.get(PrivacyService).export(OPERATOR, 'ada@example.com');
    expect(answers.map((answer) => ({ ...answer, created_at: '' }))).toEqual(
      answerIds.map((answerId) => ({ id: answerId, enquiry_id: id, created_at: '' })),
    );
    expect((await administer('DELETE', `/${id}`)).statusCode).toBe(204);
    expect(await execute('select 1 from enquiry_answers where enquiry_id = ?', [id])).toEqual([]);
    expect(await execute("select 1 from pgboss.job where data->>'enquiryId' = ?", [id])).toEqual([]);
  });

  it('are told when an answer is refused, and try it once more', async () => {
    const { id, version, email } = await deliver();
    const answerId = randomUUID();
    sink.behave('refuse', email);
    await put(`/${id}/answers/${answerId}`, { version, text: 'Hello' });
    const find = async () => (await administer('GET', `/${id}`)).json<EnquiryRecord>().answers[0]!;
    await until(async () => (await find()).delivery === 'refused');
    expect((await find()).last_error).toMatch(/recipient was refused/);
    expect((await find()).last_error).not.toContain(email);
    sink.behave('accept', email);
    expect((await administer('POST', `/${id}/answers/${answerId}/resend`)).json()).toMatchObject({ id });
    expect((await sink.mailTo(email)).messageId).toBe((await find()).message_id);
    await until(async () => (await find()).delivery === 'sent');
    expect((await administer('POST', `/${id}/answers/${randomUUID()}/resend`)).json()).toMatchObject({
      code: 'answer_not_found',
    });
    // What fell out of the queue is found; its text goes with that of the enquiry.
    const unfinished = `select 1 from pgboss.job where data ->> 'answerId' = ? and state in ('created', 'retry', 'active')`;
    await untilEqual(() => execute(unfinished, [answerId]), []);
    await execute(`update enquiry_answers set delivery = 'waiting' where id = ?`, [answerId]);
    await app.get(EnquiryUpkeep).runAll();
    await until(async () => (await find()).delivery === 'sent');
    await execute(`update enquiries set handled_at = now() - interval '31 days' where id = ?`, [id]);
    await app.get(EnquiryUpkeep).runAll();
    expect(await find()).toMatchObject({ text: '', delivery: 'sent' });
    const gone = await put(`/${id}/answers/${randomUUID()}`, { version: version + 1, text: 'Hello' });
    expect(gone.json()).toMatchObject({ code: 'enquiry_redacted' });
  });

  it('share texts that answers begin with', async () => {
    const id = randomUUID();
    const saved = (path: string, method: 'GET' | 'PUT' | 'DELETE', payload?: object) =>
      app.inject({
        method,
        url: `/api/admin/saved-answers${path}`,
        headers: { authorization: `Bearer ${token}` },
        ...(payload ? { payload } : {}),
      });
    const price = { id, name: 'Price', text: 'Hello {name},\n...', version: 1 };
    for (let time = 0; time < 2; time += 1) {
      const answer = await saved(`/${id}`, 'PUT', { version: 0, name: ' Price ', text: price.text });
      expect(answer.json()).toEqual(price);
    }
    expect((await saved(`/${randomUUID()}`, 'PUT', { ...price, version: 0 })).json()).toMatchObject({
      code: 'name_taken',
      message: 'There is a saved answer with the name ‘Price’ already.',
    });
    const [changed, late] = await Promise.all(
      ['One', 'Two'].map((text) => saved(`/${id}`, 'PUT', { version: 1, name: 'Price', text })),
    );
    expect([changed!.statusCode, late!.statusCode].toSorted()).toEqual([200, 409]);
    expect((await saved('', 'GET')).json()).toMatchObject([{ id, version: 2 }]);
    for (let time = 0; time < 2; time += 1) expect((await saved(`/${id}`, 'DELETE')).statusCode).toBe(204);
    expect((await saved('', 'GET')).json()).toEqual([]);
  });

  it('hear of each other: of two at once the later one overwrites nothing unseen', async () => {
    const { id, version } = await deliver();
    const answers = await Promise.all(
      [1, 2, 3].map((n) => change(id, { version, note: `Note ${n}`, state: 'closed' })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    const kept = answers.find(({ statusCode }) => statusCode === 200)!.json<EnquiryRecord>();
    for (const answer of answers.filter(({ statusCode }) => statusCode === 409)) {
      expect(answer.json()).toMatchObject({
        code: 'enquiry_changed',
        message: expect.stringContaining('Somebody else changed this enquiry'),
        current: { note: kept.note, version: version + 1 },
      });
    }
    expect((await administer('GET', `/${id}`)).json()).toEqual(kept);
  });

  it('send enquiries again and erase them', async () => {
    const { id, message_id: messageId, email } = await deliver();
    await sink.mailTo('desk@example.com');
    expect((await administer('POST', `/${id}/resend`)).json()).toMatchObject({ delivery: 'waiting' });
    await until(() => sink.mails.filter((mail) => mail.replyTo.includes(email)).length === 2);
    expect(new Set(sink.mails.filter((mail) => mail.replyTo.includes(email)).map((mail) => mail.messageId)).size).toBe(
      2,
    );
    expect(sink.mails.map((mail) => mail.messageId)).toContain(messageId);
    await until(async () => (await storedFrom(app, email))?.delivery === 'sent');
    const erased = "select 1 from audit_log where action = 'enquiry.erased' and actor_id is not null";
    const before = await execute(erased);
    expect((await administer('DELETE', `/${id}`)).statusCode).toBe(204);
    expect((await administer('DELETE', `/${id}`)).statusCode).toBe(404);
    expect(await execute("select 1 from pgboss.job where data->>'enquiryId' = ?", [id])).toEqual([]);
    // What was done and when stays in the log, without the enquiry.
    const traces = 'select action from audit_log where subject_id = ? or subject = ?';
    expect(await execute(traces, [id, id.slice(0, 8)])).toEqual([]);
    expect(await execute(erased)).toHaveLength(before.length + 1);
  });

  it('take everything out, safe to open in a spreadsheet', async () => {
    await deliver({ name: '=HYPERLINK("https://evil.example")', message: ' +1\n"quoted", @once' });
    const csv = await administer('GET', '/export');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="enquiries.csv"');
    expect(csv.body).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(csv.body).toContain(`"'+1\n""quoted"", @once"`);
    expect(csv.body.startsWith('\uFEFFid,created_at,name,email,message,state,')).toBe(true);
    const json = await administer('GET', '/export?format=json');
    expect(json.json()).toEqual((await list('?limit=100')).items);
    const filter = 'state=closed&search=Printer';
    const filtered = (await administer('GET', `/export?format=json&${filter}`)).json<EnquiryRecord[]>();
    expect(filtered).toEqual((await list(`?limit=100&${filter}`)).items);
    expect(filtered.length).toBeLessThan(json.json<EnquiryRecord[]>().length);
    expect((await administer('GET', '/export?state=lost')).statusCode).toBe(400);
    const told = "select details, actor_email as who from audit_log where action = 'enquiry.exported' order by id";
    expect(await execute(told)).toEqual([
      { details: { format: 'csv' }, who: 'ada@example.com' },
      { details: { format: 'json' }, who: 'ada@example.com' },
      // Not the words: they may be a name.
      { details: { format: 'json', state: 'closed', is_searched: true }, who: 'ada@example.com' },
    ]);
  });
});

describe('an export of very many', () => {
  const COUNT = 1600;

  it('has them all, once each and the newest first, where together they take more of the database than a request has', async () => {
    // Two of a second each, so that their ids decide as well.
    await execute(
      `insert into enquiries (id, idempotency_key, name, email, message, delivery, message_id, created_at, handled_at)
       select gen_random_uuid(), 'many-' || n, 'Pat', 'many@example.org', 'Hello', 'sent', '<many-' || n || '@example.org>',
         timestamptz '2001-01-01' + n / 2 * interval '1 s', now()
       from generate_series(1, ?::int) n`,
      [COUNT],
    );
    const pool = app.get(ConnectionPool);
    const { requestLimits } = pool;
    const roles = app.get(RolesService);
    const require = roles.requireAdmin.bind(roles);
    // Each part asks for the role first.
    const slow = jest.spyOn(roles, 'requireAdmin').mockImplementation(async (actor) => {
      findBudget(requestLimits)['spentMs'] += 3000;
      return await require(actor);
    });
    pool.requestLimits = { ...requestLimits, totalMs: 10_000 };
    try {
      const answer = await administer('GET', '/export?format=json&search=many@example.org');
      const ids = answer.json<EnquiryRecord[]>().map(({ id }) => id);
      const stored = await execute<{ id: string }>(
        `select id from enquiries where email = 'many@example.org' order by created_at desc, id desc`,
      );
      expect(ids).toEqual(stored.map(({ id }) => id));
      expect(ids).toHaveLength(COUNT);
    } finally {
      pool.requestLimits = requestLimits;
      slow.mockRestore();
      // What follows learns from all that there is which words spam has.
      await execute(`delete from enquiries where email = 'many@example.org'`);
    }
  });
});

describe('spam', () => {
  const states = async (query: string, email: string) =>
    (await list(`${query}${query === '' ? '?' : '&'}search=${encodeURIComponent(email)}`)).items.map(
      ({ state }) => state,
    );
  const find = async (email: string) =>
    (await list(`?state=spam&search=${encodeURIComponent(email)}`)).items[0] as EnquiryRecord;

  const mailAbout = (subject: string) => until(() => sink.mails.some((mail) => mail.subject === subject));

  it('is sorted by its sender: told to nobody, kept, and delivered once it is not spam after all', async () => {
    const { id, version, email } = await deliver({ message: 'We are <b>number one</b>' });
    const before = await count();
    expect((await change(id, { version, state: 'spam' })).json()).toMatchObject({
      state: 'spam',
      spam_reason: 'marked',
    });
    expect(await count()).toEqual({ ...before, new: before.new - 1 });
    expect(await states('', email)).toEqual([]);
    expect(await states('?state=closed', email)).toEqual([]);
    // The answer to a form tells nobody that they are blocked; addresses have no case here.
    const again = buildEnquiry({ email: email.toUpperCase(), message: 'Number one again' });
    expect((await sendEnquiry(app, again)).json()).toEqual({ status: 'accepted' });
    const held = await find(email);
    expect(held).toMatchObject({ message: 'Number one again', spam_reason: 'sender', delivery: 'waiting' });
    expect(Date.parse(held.redacts_at!)).toBe(Date.parse(held.created_at) + 30 * DAY_MS);
    expect(await count()).toEqual({ ...before, new: before.new - 1 });
    await app.get(EnquiryUpkeep).runAll();
    const jobs = `select 1 from pgboss.job where name like 'mail-%' and data ->> 'enquiryId' = ?`;
    expect(await execute(jobs, [held.id])).toEqual([]);
    const exported = (await administer('GET', `/export?format=json&search=${email}`)).json<EnquiryRecord[]>();
    expect(exported.map(({ spam_reason: reason }) => reason)).toEqual(['sender', 'marked']);
    // An answer says so as well as the state does.
    const answer = { version: held.version, text: 'You were blocked by mistake.' };
    const released = (await put(`/${held.id}/answers/${randomUUID()}`, answer)).json<EnquiryRecord>();
    expect(released).toMatchObject({ state: 'answered', spam_reason: null });
    await mailAbout(`New enquiry from ${again.name}`);
    // The answer as well: later tests have mails refused, and want to know of none that was given up.
    const findReleased = async () => (await administer('GET', `/${held.id}`)).json<EnquiryRecord>();
    await until(async () => (await findReleased()).answers[0]?.delivery === 'sent');
    // The last decision about a sender counts.
    const third = await deliver({ email });
    expect(third).toMatchObject({ state: 'new', spam_reason: null });
    const lines = await execute<{ action: string }>(
      'select action from audit_log where subject_id in (?, ?) order by id',
      [id, held.id],
    );
    expect(lines.map(({ action }) => action)).toEqual(['enquiry.marked_spam', 'enquiry.answered_by_mail']);
    const marked = await find(email);
    const opened = await change(id, { version: marked.version, state: 'open' });
    expect(opened.json()).toMatchObject({ state: 'open', closed_by: null });
  });

  it('is mailed no more and keeps no alarm up once a person has marked it, until it is no spam after all', async () => {
    const enquiry = buildEnquiry();
    sink.behave('postpone');
    await sendEnquiry(app, enquiry);
    await until(async () => (await storedFrom(app, enquiry.email))?.delivery === 'failing');
    const { id, version } = (await list(`?search=${encodeURIComponent(enquiry.email)}`)).items[0]!;
    // Its next attempt is put off, or it might be under way when it is marked.
    const later = `update pgboss.job set start_after = now() + interval '1 hour' where data ->> 'enquiryId' = ? and state = 'retry'`;
    await until(async () => (await execute(`${later} returning id`, [id])).length > 0);
    const marked = (await change(id, { version, state: 'spam' })).json<EnquiryRecord>();
    expect(marked).toMatchObject({ spam_reason: 'marked', delivery: 'waiting', last_error: null });
    const jobs = `select 1 from pgboss.job where name like 'mail-%' and data ->> 'enquiryId' = ?`;
    expect(await execute(jobs, [id])).toEqual([]);
    await app.get(EnquiryUpkeep).runAll();
    expect(await execute(jobs, [id])).toEqual([]);
    sink.behave('accept');
    const isSent = async () => (await storedFrom(app, enquiry.email))?.delivery === 'sent';
    const opened = (await change(id, { version: marked.version, state: 'open' })).json<EnquiryRecord>();
    await until(isSent);
    // Whoever wants the mail of what is marked gets it.
    const again = (await change(id, { version: opened.version, state: 'spam' })).json<EnquiryRecord>();
    expect((await administer('POST', `/${id}/resend`)).json()).toMatchObject({ state: 'spam', delivery: 'waiting' });
    await until(isSent);
    await change(id, { version: again.version, state: 'open' });
  });

  itSlow('is sorted by the words of what was marked, and the mail says so', async () => {
    const mark = async (message: string, state: 'spam' | 'closed') => {
      const enquiry = buildEnquiry({ message });
      await sendEnquiry(app, enquiry);
      const { id, version } = (await list(`?search=${enquiry.email}`)).items[0]!;
      await change(id, { version, state });
    };
    for (let n = 0; n < 10; n += 1) {
      await mark(`Dear owner ${n}, backlinks and SEO ranking for your website`, 'spam');
      await mark(`Our laptop ${n} does not start, can somebody come by?`, 'closed');
    }
    const sorted = buildEnquiry({ message: 'SEO! Backlinks that lift the ranking of your website, dear owner' });
    await sendEnquiry(app, sorted);
    await until(async () => (await storedFrom(app, sorted.email))?.delivery === 'sent');
    expect(await find(sorted.email)).toMatchObject({ state: 'spam', spam_reason: 'words' });
    await mailAbout(`Spam? Enquiry from ${sorted.name}`);
    const genuine = await deliver({ message: 'Our laptop does not start' });
    expect(genuine).toMatchObject({ state: 'new', spam_reason: null });
  });
});

describe('the keeper', () => {
  it('counts the days of those from before that rule from their first delivery, also when they are sent again', async () => {
    const clock = app.get(Clock);
    const { id, email } = await deliver();
    const age =
      "update enquiries set is_kept_while_open = default, sent_at = sent_at - interval '20 days' where id = ?";
    await execute(age, [id]);
    const { sentAt } = (await storedFrom(app, email))!;
    const sendAgain = async () => (await administer('POST', `/${id}/resend`)).json<EnquiryRecord>();
    expect(await sendAgain()).toMatchObject({ delivery: 'waiting', sent_at: sentAt!.toISOString() });
    await until(async () => (await storedFrom(app, email))?.delivery === 'sent');
    expect((await storedFrom(app, email))?.sentAt).toEqual(sentAt);
    // Also while the mail cannot leave.
    sink.behave('refuse');
    await sendAgain();
    await until(async () => (await storedFrom(app, email))?.delivery === 'failing');
    const now = Date.now();
    clock.now = () => new Date(now + 11 * DAY_MS);
    await app.get(EnquiryUpkeep).runAll();
    clock.now = nextMoment;
    sink.behave('accept');
    expect(await storedFrom(app, email)).toMatchObject({ message: '', redactedAt: expect.any(Date) });
    expect((await administer('DELETE', `/${id}`)).statusCode).toBe(204);
  });

  it('counts the days from closing; for those from before that rule, from the delivery as they were promised', async () => {
    const clock = app.get(Clock);
    const close = async ({ id, version }: EnquiryRecord) => change(id, { version, state: 'closed', note: 'A note' });
    const [closed, open, before, beforeAndClosed] = [
      await deliver(),
      await deliver(),
      await deliver(),
      await deliver(),
    ];
    await until(async () => (await storedEnquiries(app)).every(({ delivery }) => delivery === 'sent'));
    // As the release before wrote them.
    const ids = [before.id, beforeAndClosed.id];
    await execute('update enquiries set is_kept_while_open = default where id in (?, ?)', ids);
    sink.behave('refuse');
    const failing = buildEnquiry();
    await sendEnquiry(app, failing);
    await until(async () => (await storedFrom(app, failing.email))?.delivery === 'failing');
    const now = Date.now();
    const messageOf = async ({ email }: { email: string }) => (await storedFrom(app, email))!.message;
    const wind = async (days: number) => {
      clock.now = () => new Date(now + days * DAY_MS);
      await app.get(EnquiryUpkeep).runAll();
    };
    for (const enquiry of [closed, beforeAndClosed]) expect((await close(enquiry)).statusCode).toBe(200);
    // All were delivered twenty days before they were closed.
    await execute("update enquiries set sent_at = sent_at - interval '20 days' where delivery = 'sent'");
    await wind(9);
    for (const enquiry of [closed, open, before, beforeAndClosed]) expect(await messageOf(enquiry)).not.toBe('');
    await wind(29);
    for (const enquiry of [before, beforeAndClosed]) expect(await messageOf(enquiry)).toBe('');
    for (const enquiry of [closed, open, failing]) expect(await messageOf(enquiry)).not.toBe('');
    await wind(31);
    expect(await storedFrom(app, closed.email)).toMatchObject({ message: '', note: '', redactedAt: expect.any(Date) });
    for (const enquiry of [open, failing]) expect(await messageOf(enquiry)).not.toBe('');
    clock.now = nextMoment;
    expect((await administer('POST', `/${closed.id}/resend`)).json()).toMatchObject({ code: 'enquiry_redacted' });
    const late = await change(closed.id, { version: closed.version + 1, note: 'Too late' });
    expect(late.json()).toMatchObject({ code: 'enquiry_redacted' });
  });

  it('finds what fell out of the queue; the health detail tells how long a mail has been waiting', async () => {
    const readHealth = async () =>
      (await app.inject('/api/health/details')).json<{ mail: { oldest_undelivered_seconds: number | null } }>().mail;
    expect((await readHealth()).oldest_undelivered_seconds).toBeGreaterThanOrEqual(0);
    const [failing] = (await list('?delivery=failing')).items;
    expect(failing).toMatchObject({ last_error: 'The recipient was refused: EENVELOPE RCPT TO 550' });
    await until(async () => {
      await execute("delete from pgboss.job where name = 'mail-enquiries' and state <> 'active'");
      return (await execute("select 1 from pgboss.job where name = 'mail-enquiries'")).length === 0;
    });
    expect(await readHealth()).toEqual({ oldest_undelivered_seconds: null });
    sink.behave('accept');
    await app.get(EnquiryUpkeep).runAll();
    await until(async () => (await storedFrom(app, failing!.email))?.delivery === 'sent');
  });
});

describe('the start page of the admin area', () => {
  const look = async () => {
    const answer = await app.inject({ url: '/api/admin/overview', headers: { authorization: `Bearer ${token}` } });
    expect(answer.statusCode).toBe(200);
    return answer.json<Overview>();
  };

  it('has the newest enquiries that wait, posts that wait or are planned, and what doctor finds', async () => {
    const { count } = (await look()).enquiries!;
    const { id, version } = await deliver({ name: 'Newest', message: `Line\n\n one ${'word '.repeat(100)}` });
    const created = (state: object) => createPosts(app, [{ ...state }]);
    await created({ title: 'A draft', is_published: false });
    await created({ title: 'Live' });
    await created({ title: 'Live with edits' });
    await created({ title: 'Planned', is_published: false });
    await execute(`update blog_posts set kept_at = now() where title = 'Live with edits'`);
    await execute(`update blog_posts set scheduled_at = '2031-01-01' where title = 'Planned'`);
    await untilEqual(async () => (await look()).health?.is_running, false);
    const { failed, enquiries, waiting, scheduled, reads, health } = await look();
    expect(failed).toEqual([]);
    expect(enquiries).toMatchObject({ count: count + 1, items: { 0: { id, name: 'Newest', is_undelivered: false } } });
    expect(enquiries!.items.length).toBe(Math.min(5, count + 1));
    expect(enquiries!.items[0]!.beginning).toMatch(/^Line one (?:word )+word…$/);
    expect(waiting!.items.map(({ title }) => title).sort()).toEqual(['A draft', 'Live with edits']);
    expect(waiting!.count).toBe(2);
    expect(scheduled).toMatchObject({ count: 1, items: [{ title: 'Planned' }] });
    expect(reads === null).toBe(app.config.site.readCountsDays === null);
    expect(health!.items).toEqual([]);
    expect((await change(id, { version, state: 'answered' })).statusCode).toBe(200);
    expect((await look()).enquiries!.count).toBe(count);
  });

  it('lists what a good start takes, by facts, until all of it is done', async () => {
    const undone = async () => (await look()).start!.flatMap(({ name, is_done: isDone }) => (isDone ? [] : name));
    const all = ['name', 'phone', 'facts', 'post', 'backup', 'factor'];
    await execute('delete from enquiries');
    await execute(`update blog_posts set first_published_at = null`);
    expect(await undone()).toEqual(all);
    await execute(`delete from site_marks where name = 'mail.delivered'`);
    expect(await undone()).toEqual(['name', 'phone', 'facts', 'post', 'mail', 'backup', 'factor']);
    await execute(`insert into site_marks (name, at) values ('mail.delivered', now()), ('backup.made', now())`);
    await execute(`update blog_posts set first_published_at = now()`);
    await execute(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       select gen_random_uuid(), user_id, 'totp', 'unverified', now(), now() from user_roles`,
    );
    expect(await undone()).toEqual(['name', 'phone', 'facts', 'factor']);
    await execute(`update auth.mfa_factors set status = 'verified'`);
    // Who has one shows it.
    await execute(`update auth.sessions set aal = 'aal2'`);
    expect(await undone()).toEqual(['name', 'phone', 'facts']);
    const help = { help_desk_url: 'https://desk.vale.company' };
    const setting = JSON.stringify({ name: 'Vale', phone: '(555) 010-7', open_friday: '08:00-12:00', ...help });
    await execute(
      `insert into settings_documents (name, revision, content, version, changed_at, changed_by_kind)
       values ('company', 1, '${setting}', 1, now(), 'system')`,
    );
    await app.get(SiteService).refresh();
    expect((await look()).start).toEqual([]);
    await execute('delete from settings_documents');
    await app.get(SiteService).refresh();
    await execute('delete from auth.mfa_factors');
  });

  it('shows the rest where a part fails', async () => {
    const broken = [
      jest.spyOn(app.get(NewEnquiriesService), 'summarize').mockRejectedValue(new Error('secret')),
      jest.spyOn(app.get(SiteHealthService), 'read').mockRejectedValue(new Error('secret')),
    ];
    const overview = await look();
    for (const each of broken) each.mockRestore();
    expect(overview).toMatchObject({ failed: ['enquiries', 'health'], enquiries: null, health: null });
    expect(overview.scheduled).toMatchObject({ count: 1 });
    expect(JSON.stringify(overview)).not.toContain('secret');
  });
});
