import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { createAdministrator, buildForm } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries } from '../support/enquiries.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

let app: TestApp;
let sink: SmtpSink;

/** Lets the database refuse what it is given as it does when its disk is full (SQLSTATE 53100). */
async function fillDisk(table: string): Promise<() => Promise<unknown>> {
  const run = (sql: string) => app.get(EntityManager).fork().execute(sql);
  await run(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await run(`create trigger full_disk before insert or update on ${table} execute function refuse()`);
  return () => run(`drop trigger full_disk on ${table}`);
}

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url, CONTACT_TO: 'office@example.com', CONTACT_ACKNOWLEDGE: 'true' });
});

describe('a database whose disk is full', () => {
  it('is named in the answer to an enquiry, which is taken in and acknowledged once there is room', async () => {
    const free = await fillDisk('enquiries');
    const enquiry = buildEnquiry();
    const refused = await sendEnquiry(app, enquiry);
    expect(refused.statusCode).toBe(507);
    expect(refused.json()).toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('try again in a few minutes'),
    });
    expect(await storedEnquiries(app)).toEqual([]);
    await free();
    expect((await sendEnquiry(app, enquiry)).statusCode).toBe(200);
    // What was not stored did not use up the acknowledgement of the day.
    await until(() => sink.mails.some(({ to }) => to.includes(enquiry.email)));
  });

  it('is named to whoever writes', async () => {
    const ann = await createAdministrator(app, 'ann@example.com');
    const free = await fillDisk('blog_posts');
    expect(await ann.call('POST', '/posts', buildForm())).toMatchObject({ status: 507, body: { code: 'disk_full' } });
    await free();
    expect(await ann.call('POST', '/posts', buildForm())).toMatchObject({ status: 201 });
  });

  it('signs nobody out: the API of accounts says 503, which its client tries again', async () => {
    await fillDisk('auth.users');
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/signup',
      payload: { email: 'new@example.com', password: 'a lamp on the left' },
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.json()).toMatchObject({ code: 503, error_code: 'disk_full' });
  });
});
