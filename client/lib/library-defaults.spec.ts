import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { createAdminQueries } from './admin-queries.js';
import { ApiError, UnreachableError } from './api-errors.js';

// The defaults of libraries that product.md 9.4 names, read from the libraries: an upgrade that
// changes one shows here. What a library keeps to itself is read from its published code.
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const read = (path: string) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8');

/** The number that the code gives a name or, in an expression, puts at the place of the group. */
function numberIn(path: string, pattern: RegExp): number {
  const found = new Set([...read(path).matchAll(pattern)].map(([, digits]) => Number(digits)));
  if (found.size !== 1) throw new Error(`${path} does not say one thing about ${pattern.source}`);
  return [...found][0]!;
}

describe('the cache of queries', () => {
  beforeEach(() => {
    // Outside browsers the library has other defaults.
    environmentManager.setIsServer(() => false);
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
    environmentManager.setIsServer(() => true);
  });

  it.each([
    ['the library’s', () => new QueryClient()],
    ['ours', createAdminQueries],
  ])('drops what nobody used for five minutes (%s)', (_whose, create) => {
    const queries = create();
    const query = queries.getQueryCache().build(queries, { queryKey: ['any'] });
    expect(query.gcTime).toBe(5 * MINUTE);
    queries.clear();
  });

  /** When a query that always fails is tried, in milliseconds from the first try. */
  async function triesOf(queries: QueryClient, error: Error, options: { readonly retry?: number } = {}) {
    const start = Date.now();
    const tries: number[] = [];
    const queryFn = () => {
      tries.push(Date.now() - start);
      return Promise.reject(error);
    };
    const leave = new QueryObserver(queries, { queryKey: ['any'], queryFn, ...options }).subscribe(() => undefined);
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    leave();
    queries.clear();
    return tries;
  }

  it.each([
    ['the library', () => new QueryClient()],
    ['ours', createAdminQueries],
  ])('tries three times again, after one, two and four seconds (%s)', async (_whose, create) => {
    expect(await triesOf(create(), new UnreachableError())).toEqual([0, SECOND, 3 * SECOND, 7 * SECOND]);
  });

  it('never waits longer than 30 seconds', async () => {
    const tries = await triesOf(new QueryClient(), new Error('down'), { retry: 8 });
    const pauses = tries.slice(1).map((at, index) => (at - tries[index]!) / SECOND);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('does not ask again what was refused', async () => {
    const refusal = new ApiError(422, 'invalid', 'No', {}, undefined);
    expect(await triesOf(createAdminQueries(), refusal)).toEqual([0]);
    expect(
      await triesOf(createAdminQueries(), new ApiError(500, 'unexpected_failure', 'Oh', {}, undefined)),
    ).toHaveLength(4);
  });
});

describe('the defaults of other libraries', () => {
  it('opens tooltips after 700 ms, the next one within 300 ms at once', () => {
    const code = '@radix-ui/react-tooltip/dist/index.mjs';
    expect(numberIn(code, /DEFAULT_DELAY_DURATION = (\d+)/g)).toBe(700);
    expect(read(code)).toContain('delayDuration = DEFAULT_DELAY_DURATION');
    expect(numberIn(code, /skipDelayDuration = (\d+)/g)).toBe(300);
  });

  it('shows a toast for four seconds, three at most', () => {
    const code = 'sonner/dist/index.mjs';
    expect(numberIn(code, /TOAST_LIFETIME = (\d+)/g)).toBe(4 * SECOND);
    expect(read(code)).toMatch(/durationFromToaster \|\| TOAST_LIFETIME/);
    expect(numberIn(code, /VISIBLE_TOASTS_AMOUNT = (\d+)/g)).toBe(3);
    expect(read(code)).toContain('visibleToasts = VISIBLE_TOASTS_AMOUNT');
  });

  it('merges what the editor’s history records within a second, and keeps a hundred steps', () => {
    const code = 'quill/modules/history.js';
    expect(numberIn(code, /\bdelay: (\d+)/g)).toBe(SECOND);
    expect(numberIn(code, /\bmaxStack: (\d+)/g)).toBe(100);
  });

  it('has eight levels of indentation', () => {
    expect(/whitelist: \[([\d, ]+)\]/.exec(read('quill/formats/indent.js'))?.[1]).toBe('1, 2, 3, 4, 5, 6, 7, 8');
  });

  it('looks after a session every 30 seconds, and renews it three ticks before its end', async () => {
    const constants = (await import(
      new URL('../../node_modules/@supabase/auth-js/dist/module/lib/constants.js', import.meta.url).href
    )) as Readonly<Record<string, unknown>>;
    expect(constants).toMatchObject({
      AUTO_REFRESH_TICK_DURATION_MS: 30 * SECOND,
      AUTO_REFRESH_TICK_THRESHOLD: 3,
      EXPIRY_MARGIN_MS: 90 * SECOND,
      JWKS_TTL: 10 * MINUTE,
      STORAGE_KEY: 'supabase.auth.token',
    });
  });

  it('tries to renew a session again after 200 ms, doubling, and warns of one that is 120 seconds old', () => {
    const code = '@supabase/auth-js/dist/module/GoTrueClient.js';
    expect(numberIn(code, /sleep\((\d+) \* Math\.pow\(2, attempt - 1\)\)/g)).toBe(200);
    expect(numberIn(code, /nextBackOffInterval = (\d+) \* Math\.pow\(2, attempt\)/g)).toBe(200);
    expect(read(code)).toContain('nextBackOffInterval - startedAt < AUTO_REFRESH_TICK_DURATION_MS');
    expect(numberIn(code, /timeNow - issuedAt >= (\d+)/g)).toBe(120);
  });
});
