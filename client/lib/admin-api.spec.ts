import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { GoTrueClient } from '@supabase/auth-js';
import { AdminApi } from './admin-api.js';
import { ApiError, SessionExpiredError, UnreachableError } from './api-errors.js';
import { SessionPrompt } from './session-prompt.js';

const PERSON = { userId: 'pat', email: 'pat@example.com', name: 'Pat', role: 'admin', mayPublish: true } as const;
const OFFLINE = { name: 'AuthRetryableFetchError' };

/** A fake of the accounts' client: the signed-in user with a token, and the result of a refresh. */
function fakeAuth(signedIn: { userId: string; token: string } | null, refreshed: string | null = null) {
  const state = { signedIn, error: null as unknown, refreshes: 0 };
  const answer = () => ({
    data: {
      session: state.signedIn && { access_token: state.signedIn.token, user: { id: state.signedIn.userId } },
    },
    error: state.error,
  });
  const auth = {
    getSession: async () => answer(),
    refreshSession: async () => {
      state.refreshes += 1;
      state.signedIn = refreshed === null || !state.signedIn ? null : { ...state.signedIn, token: refreshed };
      return answer();
    },
  };
  return { auth: auth as unknown as GoTrueClient, state };
}

describe('calls to the API', () => {
  /** Tokens that the server takes. */
  let valid: Set<string>;
  const calls: { url: string; init: RequestInit }[] = [];
  let answer: () => Response | Promise<Response>;

  beforeEach(() => {
    valid = new Set(['good']);
    calls.length = 0;
    answer = () => Response.json({ ok: true });
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
      calls.push({ url: url as string, init });
      const token = (init.headers as Record<string, string>)['authorization']?.slice('Bearer '.length) ?? '';
      if (valid.has(token)) return answer();
      return Response.json({ code: 'no_authorization', message: 'No' }, { status: 401 });
    });
  });

  function open({ auth }: { readonly auth: GoTrueClient }) {
    const prompt = new SessionPrompt();
    const onDenied = jest.fn();
    return { api: new AdminApi({ auth, person: PERSON, prompt, onDenied }), prompt, onDenied };
  }

  it('carry the token, the parameters and the body', async () => {
    const { api } = open(fakeAuth({ userId: 'pat', token: 'good' }));
    const query = { q: 'a&b', empty: '', none: undefined, at: 0 };
    expect(await api.put('/api/thing', { version: 2 }, { query })).toEqual({ ok: true });
    expect(calls[0]!.url).toBe('/api/thing?q=a%26b&at=0');
    expect(calls[0]!.init).toMatchObject({ method: 'PUT', body: '{"version":2}' });
    answer = () => new Response(null, { status: 204 });
    expect(await api.delete('/api/thing')).toBeUndefined();
    expect(calls[1]!.init.headers).not.toHaveProperty('content-type');
  });

  it('tell what was refused, and nothing about what went wrong inside', async () => {
    const { api } = open(fakeAuth({ userId: 'pat', token: 'good' }));
    const refusal = { code: 'invalid_post', message: 'Title is required', fields: { title: ['Title is required'] } };
    answer = () => Response.json(refusal, { status: 422 });
    await expect(api.get('/api/thing')).rejects.toMatchObject({ ...refusal, status: 422, body: refusal });
    answer = () => new Response('<html>', { status: 502 });
    const asked = api.get('/api/thing');
    await expect(asked).rejects.toBeInstanceOf(UnreachableError);
    await expect(asked).rejects.toThrow('The server does not answer just now');
    answer = () => new Response('<html>', { status: 413 });
    await expect(api.get('/api/thing')).rejects.toThrow('larger than what a server in front of the site lets through');
    answer = () => {
      throw new TypeError('fetch failed');
    };
    await expect(api.get('/api/thing')).rejects.toEqual(new UnreachableError('connection'));
  });

  it('take no page of something in between, and no half an answer, for what the server did', async () => {
    const { auth, state } = fakeAuth({ userId: 'pat', token: 'good' });
    const { api, prompt } = open({ auth });
    const page = { headers: { 'content-type': 'text/html' } };
    answer = () => new Response('<!doctype html><title>Sign in to the guest network</title>', page);
    await expect(api.put('/api/thing', {})).rejects.toEqual(new UnreachableError('server'));
    await expect(api.delete('/api/thing')).rejects.toEqual(new UnreachableError('server'));
    const refusals: readonly [status: number, body: string][] = [
      [401, '<title>Sign in to the guest network</title>'],
      [403, '{"error":"Forbidden"}'],
      [404, 'default backend - 404'],
      [404, '{"code":404,"message":"Not Found"}'],
      [429, ''],
    ];
    for (const [status, body] of refusals) {
      answer = () => new Response(body, { status });
      await expect(api.put('/api/thing', {})).rejects.toEqual(new UnreachableError('server'));
    }
    expect(state.refreshes).toBe(0);
    expect(prompt.isAsking()).toBe(false);
    answer = () => new Response('{"id": "one", "titl', { headers: { 'content-type': 'application/json' } });
    await expect(api.put('/api/thing', {})).rejects.toEqual(new UnreachableError('server'));
  });

  it('end with the reason of their signal', async () => {
    const { api } = open(fakeAuth({ userId: 'pat', token: 'good' }));
    const signal = AbortSignal.abort(new Error('left'));
    answer = () => {
      throw new TypeError('aborted');
    };
    await expect(api.get('/api/thing', { signal })).rejects.toThrow('left');
  });

  it('are given up when nobody answers, and not for the time in which somebody types a password', async () => {
    const { auth, state } = fakeAuth(null);
    const { api, prompt } = open({ auth });
    answer = () => {
      calls.at(-1)?.init.signal?.throwIfAborted();
      return Response.json({ ok: true });
    };
    const asked = api.put('/api/thing', {}, { patienceMs: 20 });
    await expectAsking(prompt);
    const limit = AbortSignal.timeout(40);
    await new Promise((resolve) => limit.addEventListener('abort', resolve));
    state.signedIn = { userId: 'pat', token: 'good' };
    prompt.settle(true);
    expect(await asked).toEqual({ ok: true });
    answer = () =>
      new Promise((_resolve, reject) => {
        const { signal } = calls.at(-1)!.init;
        if (signal?.aborted) reject(new TypeError('aborted'));
        signal?.addEventListener('abort', () => reject(new TypeError('aborted')));
      });
    await expect(api.get('/api/thing', { patienceMs: 20 })).rejects.toEqual(new UnreachableError('connection'));
    const leaving = new AbortController();
    const left = api.get('/api/thing', { signal: leaving.signal, patienceMs: 30_000 });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
  });

  it('leave nothing behind at their signal, which a page may keep', async () => {
    const { api } = open(fakeAuth({ userId: 'pat', token: 'good' }));
    const { signal } = new AbortController();
    const count = () => getEventListeners(signal, 'abort').length;
    let meanwhile = 0;
    answer = () => {
      meanwhile = count();
      return Response.json({ ok: true });
    };
    await api.get('/api/thing', { signal });
    expect([meanwhile, count()]).toEqual([1, 0]);
  });

  it('are given up when the accounts hand out no token in time', async () => {
    jest.useFakeTimers();
    try {
      const { auth } = fakeAuth({ userId: 'pat', token: 'good' });
      const { api } = open({ auth: { ...auth, getSession: () => new Promise(() => undefined) } as GoTrueClient });
      const asked = api.put('/api/thing', {});
      const refused = expect(asked).rejects.toEqual(new UnreachableError('connection'));
      await jest.advanceTimersByTimeAsync(30_000);
      await refused;
      expect(calls).toHaveLength(0);
      // What is handed out in time leaves no timer behind.
      await open({ auth }).api.get('/api/thing');
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('renew a token that is refused, once, and use what another call renewed', async () => {
    valid = new Set(['new']);
    const fake = fakeAuth({ userId: 'pat', token: 'old' }, 'new');
    const { api } = open(fake);
    expect(await api.get('/api/thing')).toEqual({ ok: true });
    expect(await api.get('/api/thing')).toEqual({ ok: true });
    expect(fake.state.refreshes).toBe(1);
    expect(calls).toHaveLength(3);
  });

  it('ask for the password once, however many wait, and go on', async () => {
    const fake = fakeAuth({ userId: 'pat', token: 'old' });
    const { api, prompt } = open(fake);
    const waiting = Promise.all([api.get('/api/one'), api.post('/api/two', { text: 'kept' })]);
    await expectAsking(prompt);
    fake.state.signedIn = { userId: 'pat', token: 'good' };
    prompt.settle(true);
    expect(await waiting).toEqual([{ ok: true }, { ok: true }]);
    expect(prompt.isAsking()).toBe(false);
    expect(calls.at(-1)!.init.body ?? calls.at(-2)!.init.body).toBe('{"text":"kept"}');
  });

  it('fail when nobody signs in, when somebody else does, and at once in the background', async () => {
    const fake = fakeAuth(null);
    const { api, prompt } = open(fake);
    await expect(api.get('/api/thing', { isBackground: true })).rejects.toBeInstanceOf(SessionExpiredError);
    expect(prompt.isAsking()).toBe(false);
    const declined = expect(api.get('/api/thing')).rejects.toBeInstanceOf(SessionExpiredError);
    await expectAsking(prompt);
    prompt.settle(false);
    await declined;
    fake.state.signedIn = { userId: 'sam', token: 'good' };
    const other = expect(api.get('/api/thing')).rejects.toBeInstanceOf(SessionExpiredError);
    await expectAsking(prompt);
    prompt.settle(true);
    await other;
    expect(calls).toEqual([]);
  });

  it('do not take a network that is down for a session that ended', async () => {
    const fake = fakeAuth(null);
    fake.state.error = OFFLINE;
    const { api, prompt } = open(fake);
    await expect(api.get('/api/thing')).rejects.toBeInstanceOf(UnreachableError);
    expect(prompt.isAsking()).toBe(false);
  });

  it('report a lost role once', async () => {
    const { api, onDenied } = open(fakeAuth({ userId: 'pat', token: 'good' }));
    answer = () => Response.json({ code: 'not_admin', message: 'You must be an admin' }, { status: 403 });
    const refused = [api.get('/api/one'), api.get('/api/two')].map((call) =>
      expect(call).rejects.toBeInstanceOf(ApiError),
    );
    await Promise.all(refused);
    expect(onDenied).toHaveBeenCalledTimes(1);
  });
});

/** Resolves once the prompt asks. */
async function expectAsking(prompt: SessionPrompt): Promise<void> {
  if (prompt.isAsking()) return;
  await new Promise<void>((resolve) => {
    const leave = prompt.subscribe(() => {
      leave();
      resolve();
    });
  });
  expect(prompt.isAsking()).toBe(true);
}
