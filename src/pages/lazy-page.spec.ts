import { gunzipSync } from 'node:zlib';
import { expect, it, jest } from '@jest/globals';
import { LazyPage } from './lazy-page.js';

const HEADERS = { 'content-type': 'text/html; charset=utf-8', etag: 'W/"data"' };
const HTML = `<!DOCTYPE html>${Array.from({ length: 2000 }, (_, index) => `${index * 7919} `).join('')}`;

it('is rendered when its body is wanted, once', () => {
  const render = jest.fn(() => HTML);
  const page = new LazyPage({ status: 200, headers: HEADERS }, render);
  const handleComplete = jest.fn();
  page.handleComplete = handleComplete;
  expect(page).toMatchObject({ status: 200, headers: HEADERS, etag: HEADERS.etag });
  expect(render).not.toHaveBeenCalled();
  const whole = page.complete();
  expect(page.complete()).toBe(whole);
  expect(whole).toMatchObject({ status: 200, headers: HEADERS, etag: HEADERS.etag });
  expect(String(whole.bodyIn('identity'))).toBe(HTML);
  expect(render).toHaveBeenCalledTimes(1);
  expect(handleComplete.mock.calls).toEqual([[whole]]);
});

it('is compressed quickly, once for all who waited, and at its best for what is kept', async () => {
  const page = new LazyPage({ status: 200, headers: HEADERS }, () => HTML);
  const whole = page.complete();
  const quick = page.gzipQuickly();
  expect(page.gzipQuickly()).toBe(quick);
  expect(String(gunzipSync(quick ?? ''))).toBe(HTML);
  expect(await whole.prepare(['gzip'])).toBe('gzip');
  const best = whole.bodyIn('gzip');
  expect(String(gunzipSync(best))).toBe(HTML);
  expect(best.length).toBeLessThan(quick?.length ?? 0);
});

it('that fails tells everybody, and is never complete', () => {
  const page = new LazyPage({ status: 200, headers: HEADERS }, () => {
    throw new Error('A component threw');
  });
  const handleComplete = jest.fn();
  page.handleComplete = handleComplete;
  for (let visitor = 0; visitor < 2; visitor += 1) expect(() => page.complete()).toThrow('A component threw');
  expect(handleComplete).not.toHaveBeenCalled();
});
