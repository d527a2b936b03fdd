import { expect, it } from '@jest/globals';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { paths } from '../../src/shared/paths.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp } from '../support/create-test-app.js';
import { buildEnquiry } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { scaled } from '../support/fault-scale.js';
import { oversizedRequests } from '../support/oversized-requests.js';
import { startServer } from '../support/process.js';
import { exchange } from '../support/raw-exchange.js';
import { readUsage } from '../support/process-usage.js';
import { until } from '../support/until.js';
import { sendVisitors } from '../support/visitors.js';

/** Rounds of each half: the first half makes the process as large as such requests make it. */
const ROUNDS = scaled(1, 10);
/** At once. */
const SENDERS = scaled(2, 4);
/** That the second half may add: what the collector has not looked at yet. A leak of what is sent would be far more. */
const MEMORY_MB = 150;

/** Asks again after a 503: on a busy machine the database may take longer than a request may wait for it. */
async function refusalOf(url: string, bytes: Buffer) {
  let status: number | undefined;
  await until(async () => (status = await exchange(url, bytes)) !== 503);
  return status;
}

it('what is too large anywhere is refused by its own status, and hurts no visitor', async () => {
  const app = await createTestApp({
    CONTACT_RATE_LIMIT_ADDRESS: '0',
    CONTACT_RATE_LIMIT_OVERALL: '0',
    // Each round guesses a password of the same account.
    AUTH_GUESSES_PASSWORD: '0',
    AUTH_GUESSES_PAUSE: '0',
  });
  await createPosts(app, [{}]);
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  const { accessToken } = await signIn(app, account);
  await app.close();
  const server = await startServer({ ...app.environment, LOG_LEVEL: 'error' });
  const visitors = sendVisitors(server.url, [
    { path: paths.home },
    { path: paths.api.posts },
    { path: paths.api.contact, body: () => buildEnquiry() },
  ]);
  await until(() => visitors.count > 100);

  const wrong: string[] = [];
  const sendAll = async () => {
    const waiting = Array.from({ length: ROUNDS }, () => oversizedRequests(accessToken)).flat();
    const send = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const status = await refusalOf(server.url, next.bytes);
        if (status !== next.status) wrong.push(`${next.name}: ${status} instead of ${next.status}`);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
  };
  const { descriptors } = readUsage([server.pid]);
  await sendAll();
  const { megabytes } = readUsage([server.pid]);
  await sendAll();
  const seen = visitors.count;
  await until(() => visitors.count > seen + 100);
  expect(wrong).toEqual([]);
  expect(readUsage([server.pid]).megabytes - megabytes).toBeLessThan(MEMORY_MB);
  await until(() => readUsage([server.pid]).descriptors <= descriptors + 5);
  await visitors.leave();
  expect(visitors.failures).toEqual([]);
  const { stdout, stderr, code } = await server.stop();
  expect({ code, stderr, errors: stdout.match(/^.*"level":50.*$/gm) }).toEqual({ code: 0, stderr: '', errors: null });
});
