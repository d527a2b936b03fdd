import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Config } from '../config/config.js';
import type { ContentListener } from '../database/content-listener.js';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { paths } from '../shared/paths.js';
import { CompletePage } from './complete-page.js';
import { PageCache, type RenderedPage } from './page-cache.js';

const page = new CompletePage({ status: 200, headers: {}, body: Buffer.from('kept') });
const succeed = () => Promise.resolve({ page, isPublic: true });
const fail = () => Promise.reject(new DatabaseUnavailableError());
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

it('lets nobody wait for a database that is known not to answer', async () => {
  expect(await cache.answer(paths.blogs, fail)).toMatchObject({ state: 'stale' });
  expect(cache.find(paths.blogs)).toMatchObject({ state: 'stale' });
  jest.advanceTimersByTime(1500);
  // The one who has it tried again, and those who come while it is.
  expect(await cache.answer(paths.blogs, neverAnswer)).toMatchObject({ state: 'stale' });
  expect(cache.coming(paths.blogs)).toBeUndefined();
  expect(await cache.answer(paths.blogs, neverAnswer)).toMatchObject({ state: 'stale' });
});

it('shows what was rendered behind the back of a visitor as soon as it is there', async () => {
  await cache.answer(paths.blogs, fail);
  await untilOver();
  jest.advanceTimersByTime(1500);
  await cache.answer(paths.blogs, succeed);
  await untilOver();
  expect(cache.find(paths.blogs)).toMatchObject({ state: 'hit' });
});

it('waits for the database again when long ago was the last time that it did not answer', async () => {
  await cache.answer(paths.blogs, fail);
  await untilOver();
  jest.advanceTimersByTime(10_000);
  expect(cache.find(paths.blogs)).toBeUndefined();
  expect(await cache.answer(paths.blogs, succeed)).toMatchObject({ state: 'miss' });
});
