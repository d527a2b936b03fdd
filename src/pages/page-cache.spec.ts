import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Config } from '../config/config.js';
import type { ContentListener } from '../database/content-listener.js';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { paths } from '../shared/paths.js';
import { CompletePage } from './complete-page.js';
import { PageCache, type RenderedPage } from './page-cache.js';

const page = new CompletePage({ status: 200, headers: {}, body: Buffer.from('kept') });
const succeed = () => Promise.resolve({ page, isPublic: true });
const fail = (): Promise<RenderedPage> => Promise.reject(new DatabaseUnavailableError());
/** Renderings end when their page is compressed. */
const untilOver = async () => {
  await page.gzipped();
  await new Promise(setImmediate);
};
const neverAnswer = () => new Promise<RenderedPage>(() => undefined);

let cache: PageCache;

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const listener = { heardAt: 0, onChange: () => undefined } as unknown as ContentListener;
  cache = new PageCache({ mode: 'production' } as Config, listener);
  await cache.answer(paths.blogs, succeed);
  // Nobody has heard from the database since.
  jest.advanceTimersByTime(60_000);
});

afterEach(() => {
  jest.useRealTimers();
});

it('lets nobody wait for a database that is known not to answer, while it is tried and after', async () => {
  expect(await cache.answer(paths.blogs, fail)).toMatchObject({ state: 'stale' });
  const tries = jest.fn(neverAnswer);
  for (let second = 0; second < 60; second += 1) {
    expect(cache.find(paths.blogs)).toMatchObject({ state: 'stale' });
    expect(await cache.answer(paths.blogs, tries)).toMatchObject({ state: 'stale' });
    expect(cache.coming(paths.blogs)).toBeUndefined();
    await untilOver();
    await jest.advanceTimersByTimeAsync(1000);
  }
  expect(tries).not.toHaveBeenCalled();
});

it('shows what is new as soon as the database answers, although nobody came by meanwhile', async () => {
  let isAway = true;
  const render = jest.fn(() => (isAway ? fail() : succeed()));
  await cache.answer(paths.blogs, render);
  await untilOver();
  await jest.advanceTimersByTimeAsync(5000);
  await untilOver();
  expect(render.mock.calls.length).toBeGreaterThan(2);
  isAway = false;
  await jest.advanceTimersByTimeAsync(1000);
  await untilOver();
  expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
  jest.advanceTimersByTime(60_000);
  // Nobody has heard from the database since, and nobody knows it to be down.
  expect(cache.find(paths.blogs)).toBeUndefined();
});
