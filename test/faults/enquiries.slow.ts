import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { scaled } from '../support/fault-scale.js';
import { startServer } from '../support/process.js';
import { randomNumbers } from '../support/random-numbers.js';
import { startSmtpSink, type SinkBehavior, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

const NO_LIMITS = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' };

let sink: SmtpSink;
let app: TestApp;

const idsOfMailsFrom = (email: string) =>
  sink.mails.filter(({ replyTo }) => replyTo.includes(email)).map(({ messageId }) => messageId);
const deliveryOf = async (email: string) => (await storedFrom(app, email))?.delivery;
const areAllSent = async () => (await storedEnquiries(app)).every(({ delivery }) => delivery === 'sent');

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url, ...NO_LIMITS });
});

describe('enquiries and a mail server in trouble', () => {
  it('are all accepted while it is down, and all arrive once when it is back', async () => {
    await sink.stop();
    const enquiries = Array.from({ length: scaled(60, 200) }, () => buildEnquiry());
    // No more at once than the pool of a test has connections: the database is not what is in trouble here.
    for (let start = 0; start < enquiries.length; start += 4) {
      const answers = await Promise.all(enquiries.slice(start, start + 4).map((enquiry) => sendEnquiry(app, enquiry)));
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    }
    await until(async () => (await storedEnquiries(app)).some(({ delivery }) => delivery === 'failing'));
    await sink.start();
    await until(areAllSent);
    expect(sink.mails.flatMap(({ replyTo }) => replyTo).sort()).toEqual(enquiries.map(({ email }) => email).sort());
  });

  it.each(['refuse', 'postpone', 'hang', 'cut'] as const)(
    'arrive after it would %s them, never as two different mails',
    async (behavior: SinkBehavior) => {
      sink.behave(behavior);
      const { email, ...rest } = buildEnquiry();
      const before = { attempts: sink.attempts, offered: sink.offeredIds.length };
      expect((await sendEnquiry(app, { email, ...rest })).statusCode).toBe(200);
      await until(() => sink.attempts > before.attempts);
      if (behavior === 'hang') {
        await until(() => sink.offeredIds.length > before.offered);
        await sink.stop();
        sink.behave('accept');
        await sink.start();
      } else {
        await until(async () => (await deliveryOf(email)) === 'failing');
        expect((await storedFrom(app, email))!.lastError).not.toContain('@');
      }
      sink.behave('accept');
      await until(async () => (await deliveryOf(email)) === 'sent');
      const ids = idsOfMailsFrom(email);
      expect(new Set(ids)).toEqual(new Set([(await storedFrom(app, email))!.messageId]));
      // Only where it was taken and nobody heard of it is it there more than once.
      if (behavior === 'cut') expect(ids.length).toBeGreaterThan(1);
      else expect(ids).toHaveLength(1);
    },
  );
});

/**
 * Whole servers are killed, and each has to be started: half a second of a processor. With five enquiries under way at
 * every moment, five kills find some twenty-five of them somewhere in between.
 */
const KILLS = scaled(5, 50);
const SENDERS = 5;
const LIFETIME_MS = 300;

describe('enquiries and processes that are killed', () => {
  it(
    `are not lost at any of ${KILLS} random moments`,
    async () => {
      const seed = Date.now() % 2 ** 31;
      const random = randomNumbers(seed);
      const accepted: string[] = [];

      const runAndKill = async (moment: number, begin: (firstAnswer: Promise<void>) => Promise<void>) => {
        const server = await startServer(app.environment);
        let noteAnswer = () => {};
        const firstAnswer = new Promise<void>((resolve) => (noteAnswer = resolve));
        const killed = begin(firstAnswer)
          .then(() => delay(moment))
          .then(() => server.stop('SIGKILL'));
        let isAlive = true;
        const send = async () => {
          while (isAlive) {
            const enquiry = buildEnquiry();
            const isAccepted = await fetch(`${server.url}/api/contact`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(enquiry),
            })
              .then(async (answer) => answer.ok && (await answer.text()).length > 0)
              .catch(() => (isAlive = false));
            if (!isAccepted) continue;
            accepted.push(enquiry.email);
            noteAnswer();
          }
        };
        await Promise.all([killed, ...Array.from({ length: SENDERS }, send)]);
      };
      // Two processors: as many at a time. One dies around its first enquiry, the other one while it is busy.
      for (let kills = 0; kills < KILLS; kills += 2) {
        await Promise.all([
          runAndKill(random() * LIFETIME_MS, () => Promise.resolve()),
          runAndKill(random() * LIFETIME_MS, (firstAnswer) => firstAnswer),
        ]);
      }

      const stored = await storedEnquiries(app);
      const lost = accepted.filter((email) => !stored.some((enquiry) => enquiry.email === email));
      expect({ seed, lost }).toEqual({ seed, lost: [] });
      expect(accepted.length).toBeGreaterThanOrEqual(KILLS / 2);
      // What the dead had in their hands goes to the living once they were silent for long enough; let that be now.
      const silence = "update pgboss.job set heartbeat_on = now() - interval '1h' where state = 'active'";
      await app.get(EntityManager).fork().execute(silence);
      await until(areAllSent);
      const twice = stored.filter(({ email, messageId }) => idsOfMailsFrom(email).some((id) => id !== messageId));
      const missing = stored.filter(({ email }) => idsOfMailsFrom(email).length === 0);
      expect({ seed, twice, missing }).toEqual({ seed, twice: [], missing: [] });
    },
    240_000 + KILLS * 10_000,
  );
});
