import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { GoTrueClient } from '@supabase/auth-js';
import { fetchIsAdmin, forgetIsAdmin } from './fetch-me.js';

const session = { access_token: 'good', user: { id: 'pat' } };
const auth = {
  getSession: () => Promise.resolve({ data: { session }, error: null }),
  getUser: () => Promise.resolve({ data: { user: null }, error: null }),
} as unknown as GoTrueClient;

describe('fetchIsAdmin', () => {
  afterEach(forgetIsAdmin);

  /** The calls to a server that gives one answer after the other, the last one for good. */
  function answers(...given: (() => Promise<Response>)[]) {
    return jest.spyOn(globalThis, 'fetch').mockImplementation(() => (given.length > 1 ? given.shift()! : given[0]!)());
  }

  const told = (role: string | null) => () => Promise.resolve(Response.json({ role }));
  const refused = (status: number) => () => Promise.resolve(new Response('<h1>No</h1>', { status }));

  it.each([
    ['admin', true],
    [null, false],
  ])('asks once about the role %j', async (role, isAdmin) => {
    const fetched = answers(told(role));
    const asked = [fetchIsAdmin(auth, 'pat'), fetchIsAdmin(auth, 'pat')];
    expect(await Promise.all(asked)).toEqual([isAdmin, isAdmin]);
    expect(await fetchIsAdmin(auth, 'pat')).toBe(isAdmin);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  // A session that had ended, limits, a server that starts anew.
  it.each([401, 429, 503])('asks again after the answer %i, which tells nothing about the role', async (status) => {
    answers(refused(status), told('admin'));
    expect(await fetchIsAdmin(auth, 'pat')).toBe(false);
    expect(await fetchIsAdmin(auth, 'pat')).toBe(true);
  });

  it('asks again when no answer came, or one that was not of the product', async () => {
    answers(() => Promise.reject(new TypeError('Failed to fetch')), refused(200), told('admin'));
    await expect(fetchIsAdmin(auth, 'pat')).rejects.toThrow('Failed to fetch');
    await expect(fetchIsAdmin(auth, 'pat')).rejects.toThrow();
    expect(await fetchIsAdmin(auth, 'pat')).toBe(true);
  });

  it('gives up what is never answered, and asks again', async () => {
    const patience = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(patience.signal);
    const fetched = jest.spyOn(globalThis, 'fetch');
    fetched.mockImplementationOnce((_address, init) => {
      return new Promise((_resolve, reject) => {
        if (!init?.signal) return reject(new Error('It would wait for good'));
        init.signal.addEventListener('abort', () => reject(new DOMException('Too late', 'TimeoutError')));
      });
    });
    const asked = fetchIsAdmin(auth, 'pat');
    fetched.mockImplementation(told('admin'));
    setTimeout(() => patience.abort(), 0);
    await expect(asked).rejects.toThrow('Too late');
    expect(await fetchIsAdmin(auth, 'pat')).toBe(true);
  });
});
