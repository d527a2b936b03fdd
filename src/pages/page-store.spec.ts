import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { CompletePage } from './complete-page.js';
import { PageStore } from './page-store.js';

const KILOBYTE = 1024;

function entryOf(body: Buffer) {
  return { page: new CompletePage({ status: 200, headers: {}, body }), generation: 0, begunAt: 0 };
}

it('lets go of what was not asked for longest', () => {
  const store = new PageStore(400 * KILOBYTE);
  for (const address of ['/a', '/b', '/c']) store.set(address, entryOf(Buffer.alloc(100 * KILOBYTE)));
  store.get('/a');
  store.set('/d', entryOf(Buffer.alloc(100 * KILOBYTE)));
  expect(['/a', '/b', '/c', '/d'].map((address) => store.get(address) !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

it('counts what is there and nothing else, and keeps nothing beyond its bound', () => {
  const store = new PageStore(400 * KILOBYTE);
  for (let turn = 0; turn < 3; turn += 1) store.set('/a', entryOf(Buffer.alloc(10 * KILOBYTE)));
  expect(store.bytes).toBe(store.get('/a')?.page.bytes);
  store.set('/a', entryOf(Buffer.alloc(500 * KILOBYTE)));
  expect(store.get('/a')).toBeUndefined();
  expect(store.bytes).toBe(0);
});

it('counts encodings that are made later', async () => {
  const store = new PageStore(150 * KILOBYTE);
  const { page, ...rest } = entryOf(randomBytes(100 * KILOBYTE));
  store.set('/a', { page, ...rest });
  await page.prepare(['gzip']);
  expect(page.bodyIn('gzip').length).toBeGreaterThan(100 * KILOBYTE);
  expect(store.get('/a')).toBeUndefined();
  expect(store.bytes).toBe(0);
});

it('holds what fills it exactly, and counts no encoding of a page that has gone', async () => {
  const { page, ...rest } = entryOf(randomBytes(100 * KILOBYTE));
  const store = new PageStore(page.bytes);
  store.set('/a', { page, ...rest });
  expect(store.get('/a')?.page).toBe(page);
  store.delete('/a');
  store.delete('/never');
  await page.prepare(['gzip']);
  expect(store.bytes).toBe(0);
});
