import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createTestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries } from '../support/enquiries.js';
import { scaled } from '../support/fault-scale.js';
import { startSmtpSink, type SinkBehavior } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

const NO_LIMITS = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' };
/** In all: twenty, or two hundred within an hour. */
const ENQUIRIES = scaled(20, 200);
const FAULTS: readonly (SinkBehavior | 'dead')[] = ['dead', 'hang', 'postpone', 'refuse', 'cut'];
const PAUSE_MS = scaled(0, 3_600_000 / ENQUIRIES);

it(
  `loses none of ${ENQUIRIES} enquiries to a mail server that is dead, hangs, puts off, refuses and cuts in turn`,
  async () => {
    const sink = await startSmtpSink();
    const app = await createTestApp({ SMTP_URL: sink.url, ...NO_LIMITS });
    const send = async () => {
      const enquiry = buildEnquiry();
      expect((await sendEnquiry(app, enquiry)).statusCode).toBe(200);
      await delay(PAUSE_MS);
      return enquiry.email;
    };
    const attempts = async () => (await storedEnquiries(app)).reduce((sum, enquiry) => sum + enquiry.attempts, 0);
    const sent: string[] = [];
    for (const fault of FAULTS) {
      if (fault === 'dead') await sink.stop();
      else sink.behave(fault);
      const failed = await attempts();
      for (let count = 0; count < ENQUIRIES / FAULTS.length; count += 1) sent.push(await send());
      // What it says nothing about may be taken: those are waited for until it cuts, or is another one.
      if (fault === 'hang') await until(() => sink.offeredIds.length > 0);
      else await until(async () => (await attempts()) > failed);
      if (fault === 'dead') await sink.start();
    }
    // A server that cuts has taken what it got, and said so to nobody.
    const taken = new Set(sink.mails.map(({ messageId }) => messageId));
    sink.behave('accept');
    // The first one that arrives brings those that wait for their next attempt along.
    sent.push(await send());
    await until(async () => (await storedEnquiries(app)).every(({ delivery }) => delivery === 'sent'));

    const stored = await storedEnquiries(app);
    expect(stored.map(({ email }) => email).sort()).toEqual([...sent].sort());
    const copies = new Map(stored.map(({ email }) => [email, sink.mails.filter((mail) => mail.replyTo[0] === email)]));
    expect(stored.filter(({ email }) => copies.get(email)?.length === 0)).toEqual([]);
    // One name for all copies of a mail; more than one of those only that were taken without a word.
    const strange = stored.filter(({ email, messageId }) => {
      const mails = copies.get(email) ?? [];
      return mails.some((mail) => mail.messageId !== messageId) || (mails.length > 1 && !taken.has(messageId));
    });
    expect(strange).toEqual([]);
  },
  // No less than any other test has.
  scaled(240_000, 2 * 3_600_000),
);
