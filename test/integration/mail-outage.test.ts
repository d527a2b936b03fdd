import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { mintFromUserId, queueMail } from '../support/mail-jobs.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

let sink: SmtpSink;
let app: TestApp;
let jobIds: readonly string[];

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url });
});
beforeEach(() => {
  ({ jobIds } = mintFromUserId(app));
});

describe('a mail server in trouble', () => {
  it('gets the mail when it is there again', async () => {
    await sink.stop();
    await queueMail(app, 'later@example.com');
    await until(() => jobIds.length > 0);
    await sink.start();
    expect(await sink.mailTo('later@example.com')).toMatchObject({ to: ['later@example.com'] });
  });

  it('gets the same mail again when it put it off: same Message-ID, and the minter is told so', async () => {
    sink.behave('postpone');
    const before = sink.offeredIds.length;
    await queueMail(app, 'postponed@example.com');
    await until(() => sink.offeredIds.length > before);
    sink.behave('accept');
    const { messageId } = await sink.mailTo('postponed@example.com');
    expect(new Set(sink.offeredIds.slice(before))).toEqual(new Set([messageId]));
    expect(new Set(jobIds).size).toBe(1);
    expect(messageId).toBe(`<${jobIds[0]}@example.com>`);
  });

  it('that hangs does not keep a process from stopping, and another process sends the mail', async () => {
    sink.behave('hang');
    const before = sink.offeredIds.length;
    await queueMail(app, 'hanging@example.com');
    await until(() => sink.offeredIds.length > before);
    const successor = await createTestApp({ SMTP_URL: sink.url, DATABASE_URL: app.environment.DATABASE_URL });
    mintFromUserId(successor);
    await app.close();
    sink.behave('accept');
    const { messageId } = await sink.mailTo('hanging@example.com');
    expect(sink.offeredIds.slice(before)).toEqual([messageId, messageId]);
  });
});
