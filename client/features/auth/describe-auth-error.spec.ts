import { describe, expect, it } from '@jest/globals';
import { GoTrueClient, type AuthError } from '@supabase/auth-js';
import { describeAuthError } from './describe-auth-error.js';

const UNREACHABLE = 'The server could not be reached. Please try again in a moment.';

describe('describeAuthError', () => {
  /** The error of the published client after an answer. */
  async function errorOf(answer: () => Promise<Response>): Promise<AuthError> {
    const auth = new GoTrueClient({ url: 'https://site.example/auth/v1', autoRefreshToken: false, fetch: answer });
    const { error } = await auth.signInWithPassword({ email: 'pat@example.com', password: 'a lamp on the left' });
    return error!;
  }

  it('tells the words of the server', async () => {
    const body = { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' };
    const error = await errorOf(() => Promise.resolve(Response.json(body, { status: 400 })));
    expect(describeAuthError(error)).toBe('Invalid login credentials');
  });

  it.each([200, 403, 413, 429, 500, 502])('tells nothing of the page of a proxy with the status %i', async (status) => {
    const error = await errorOf(() => Promise.resolve(new Response('<!doctype html><h1>No</h1>', { status })));
    expect(describeAuthError(error)).toBe(UNREACHABLE);
  });

  it('says so when no answer came', async () => {
    const error = await errorOf(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(describeAuthError(error)).toBe(UNREACHABLE);
  });
});
