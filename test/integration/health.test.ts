import { describe, expect, it, jest } from '@jest/globals';
import { JobQueue } from '../../src/database/job-queue.js';
import { Draining } from '../../src/http/draining.js';
import { HealthController } from '../../src/http/health.controller.js';
import { paths } from '../../src/shared/paths.js';
import { createTestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { openDatabaseGate } from '../support/database-gate.js';
import { createPosts } from '../support/factories.js';

describe('GET /api/health', () => {
  it('says that the process can serve', async () => {
    const { inject } = await createTestApp();
    const answer = await inject('/api/health');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('GET /api/health/details', () => {
  it('looks once for all who ask meanwhile, and again for who asks later', async () => {
    const app = await createTestApp();
    const look = jest.spyOn(app.get(JobQueue), 'findOldestUnfinished');
    const health = app.get(HealthController);
    const [one, other] = await Promise.all([health.checkDetails(), health.checkDetails()]);
    expect(one).toEqual(other);
    expect(look).toHaveBeenCalledTimes(1);
    expect((await app.inject('/api/health/details')).json()).toEqual(one);
    expect(look).toHaveBeenCalledTimes(2);
  });
});

describe('liveness and readiness', () => {
  it('say that the process runs, and that it has pages to show', async () => {
    const { inject } = await createTestApp();
    expect((await inject('/api/health/live')).json()).toEqual({ status: 'ok' });
    const ready = await inject('/api/health/ready');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ status: 'ready' });
    expect(ready.headers['cache-control']).toBe('no-store');
  });

  it('need no database once there are pages: what was kept is shown, also to those who never came before', async () => {
    const gate = await openDatabaseGate(await cloneDatabase());
    const app = await createTestApp({ DATABASE_URL: gate.url });
    await createPosts(app, [{ title: 'Kept for you' }]);
    expect((await app.inject('/api/health/ready')).statusCode).toBe(200);
    await gate.close();
    expect((await app.inject('/api/health/ready')).statusCode).toBe(200);
    expect((await app.inject('/api/health/live')).statusCode).toBe(200);
    expect((await app.inject('/api/health')).statusCode).toBe(503);
    const list = await app.inject(paths.blogs);
    expect({ status: list.statusCode, hasPost: list.body.includes('Kept for you') }).toEqual({
      status: 200,
      hasPost: true,
    });
  });

  it('tell a process without any pages from one that has some, and when that is over', async () => {
    const gate = await openDatabaseGate(await cloneDatabase());
    const { inject } = await createTestApp({ DATABASE_URL: gate.url });
    await gate.close();
    const refused = await inject('/api/health/ready');
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'no_pages' });
    expect((await inject('/api/health/live')).statusCode).toBe(200);
    await gate.open();
    expect((await inject('/api/health/ready')).statusCode).toBe(200);
  });

  it('say that a process is about to end, which goes on serving', async () => {
    const { inject, get } = await createTestApp();
    get(Draining).begin();
    const refused = await inject('/api/health/ready');
    expect({ status: refused.statusCode, retryAfter: refused.headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: '5',
    });
    expect(refused.json()).toMatchObject({ code: 'draining' });
    expect((await inject('/api/health/live')).statusCode).toBe(200);
    expect((await inject(paths.home)).statusCode).toBe(200);
  });
});
