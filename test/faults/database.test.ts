import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { ConnectionPool } from '../../src/database/pool/connection-pool.js';
import { Lease } from '../../src/database/pool/lease.js';
import { READ_LIMIT_MS } from '../../src/pages/page-services.js';
import { paths } from '../../src/shared/paths.js';
import { onCleanup } from '../support/cleanup.js';
import { buildEnquiry } from '../support/enquiries.js';
import { isLong, scaled } from '../support/fault-scale.js';
import { startOutageSite, type Crowd, type OutageSite } from '../support/outage-site.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

const WRITERS = 16;
/** How long a database is in trouble. */
const OUTAGE_MS = scaled(4_000, 60_000);

let site: OutageSite;

beforeAll(async () => {
  site = await startOutageSite();
});

/** The crowd has written something since. */
async function untilWritten(crowd: Crowd): Promise<void> {
  const before = crowd.count();
  await until(() => crowd.count() > before);
}

describe('a database that goes while people write', () => {
  const cut = (at: RegExp, isDelivered: boolean) => async () => {
    await site.gate.cutWhen({ from: 'client', at, isDelivered });
    await site.gate.open();
  };
  const faults: readonly [name: string, times: number, fault: () => Promise<void>][] = [
    ['is restarted', scaled(2, 20), () => site.signalDatabase('SIGINT')],
    ['is killed', scaled(2, 20), () => site.signalDatabase('SIGKILL')],
    ['is cut off in the middle of statements', scaled(4, 20), cut(/insert into/i, false)],
    ['is cut off before COMMIT arrives', scaled(4, 20), cut(/commit/i, false)],
    ['is cut off before COMMIT is answered', scaled(4, 20), cut(/commit/i, true)],
  ];

  const others = ['is restarted', 'is cut off in the middle of statements'];

  it.each(fewOf(faults, ([name]) => !others.includes(name)))(
    'and %s loses nothing and no connection',
    async (_name, times, fault) => {
      const crowd = site.startCrowd(WRITERS);
      for (let time = 0; time < times; time += 1) {
        await untilWritten(crowd);
        await fault();
      }
      await untilWritten(crowd);
      const acknowledged = await crowd.stop();
      expect(crowd.wrong).toEqual([]);
      expect(await site.findLosses(acknowledged)).toEqual([]);
      expect(await site.findPoolHarm()).toEqual([]);
    },
  );
});

describe('a database in trouble for a while', () => {
  const lockEnquiries = async () => {
    const owner = new pg.Client({ connectionString: site.databaseUrl });
    // It ends with the server, too.
    owner.on('error', () => undefined);
    await owner.connect();
    onCleanup(() => owner.end());
    await owner.query('begin; lock table enquiries in access exclusive mode');
    return async () => void (await owner.query('rollback'));
  };
  const through = (begin: () => unknown) => async () => {
    await begin();
    return () => site.gate.open();
  };
  /** Each begins the trouble and hands over what ends it; `spares` is what goes on without that table. */
  const troubles: readonly [name: string, isSpared: boolean, begin: () => Promise<() => Promise<void>>][] = [
    ['is away', false, through(() => site.gate.close())],
    ['takes three seconds for every answer', false, through(() => site.gate.delay(1_500))],
    ['is silent', false, through(() => site.gate.silence())],
    ['has a table that is locked', true, lockEnquiries],
  ];

  it.each(fewOf(troubles, ([name]) => name === 'is silent' || name.startsWith('has a table')))(
    'that %s: pages are shown, all else is told within seconds',
    async (_name, isSpared, begin) => {
      await until(async () => (await ask(paths.blogs)).cache === 'hit');
      const end = await begin();
      const stopAt = performance.now() + OUTAGE_MS;
      const people = Array.from({ length: 12 }, async () => {
        const harm: string[] = [];
        while (performance.now() < stopAt) {
          const { status, body, took } = await ask('/api/contact', buildEnquiry());
          if (status !== 503 || !body.includes('database_unavailable')) harm.push(`contact: ${status} ${body}`);
          if (isLong && took > 6_000) harm.push(`contact took ${Math.round(took)} ms`);
          // What is refused at once would keep the process busier than people do, and those waiting who are spared.
          await delay(100);
        }
        return harm;
      });
      const harm: string[] = [];
      const pageTimes: number[] = [];
      while (performance.now() < stopAt) {
        const page = await ask(paths.blogs);
        if (page.status !== 200) harm.push(`page: ${page.status}`);
        if (isLong) pageTimes.push(page.took);
        const account = { email: `${randomUUID()}@example.com`, password: 'not a password' };
        const answer = await ask('/auth/v1/token?grant_type=password', account);
        const wanted = isSpared ? [400, 'invalid_credentials'] : [503, 'database_unavailable'];
        if (answer.status !== wanted[0] || !answer.body.includes(String(wanted[1]))) {
          harm.push(`sign-in: ${answer.status} ${answer.body}`);
        }
      }
      harm.push(...(await Promise.all(people)).flat());
      // The next trouble begins with a database that is well, whatever came of this one.
      await end();
      const endedAt = performance.now();
      await until(async () => (await ask('/api/contact', buildEnquiry())).status === 200);
      if (isLong) expect(performance.now() - endedAt).toBeLessThan(5_000);
      expect([...new Set(harm)]).toEqual([]);
      if (isLong) {
        expect(median(pageTimes)).toBeLessThan(50);
        // Who finds it out waits as long as a page may; nobody who comes after does.
        expect(pageTimes.filter((took) => took > READ_LIMIT_MS / 2).length).toBeLessThanOrEqual(1);
      }
      expect(await site.findPoolHarm()).toEqual([]);
    },
  );

  function median(values: readonly number[]): number {
    return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  }

  async function ask(path: string, body?: object) {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const answer = await fetch(site.url + path, init);
    const text = await answer.text();
    const took = performance.now() - startedAt;
    return { status: answer.status, cache: answer.headers.get('x-cache'), body: text, took };
  }
});

describe('connections that nobody gives back', () => {
  itSlow('are noticed by these tests', async () => {
    const lease = Lease.prototype as unknown as { giveBack(isBroken: boolean): void };
    const { giveBack } = lease;
    jest.spyOn(lease, 'giveBack').mockImplementation(function (this: Lease, isBroken) {
      // As the query builder does it by itself: one that is broken stays lent.
      if (!isBroken) giveBack.call(this, isBroken);
    });
    const crowd = site.startCrowd(WRITERS);
    await untilWritten(crowd);
    await site.signalDatabase('SIGKILL');
    const pool = site.app.get(ConnectionPool);
    // All of them are gone for whoever writes, although the database is back.
    await until(() => pool.figures().lent === pool.figures().size);
    jest.restoreAllMocks();
    await crowd.stop();
  });
});
