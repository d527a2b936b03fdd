import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAuthServers, PASSWORD, startAuthServer } from '../support/auth-server.js';

const limited = { status: 429, body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' } };

afterEach(closeAuthServers);

describe('the limits at their defaults', () => {
  it.each([
    ['/recover', 'POST'],
    ['/otp', 'POST'],
    ['/magiclink', 'POST'],
    ['/resend', 'POST'],
    ['/signup', 'POST'],
    ['/verify', 'POST'],
    ['/user', 'PUT'],
    ['/token?grant_type=refresh_token', 'POST'],
  ])('let an address call %s thirty times at once', async (path, method) => {
    const server = await startAuthServer({}, 'default');
    const body = { email: '-', refresh_token: '-', type: '-' };
    const call = () => server.call(path, { method, body });
    const answers = await Promise.all(Array.from({ length: 33 }, call));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    expect(await call()).toMatchObject(limited);
    server.advance(10);
    expect((await call()).status).not.toBe(429);
  });

  it('count per client behind a proxy that is trusted, and do not believe others', async () => {
    const server = await startAuthServer({ AUTH_IP_HEADER: 'X-Forwarded-For', AUTH_RATE_LIMIT_BURST: '1' }, 'default');
    const call = (forwarded: string) =>
      server.call('/recover', { method: 'POST', body: { email: '-' }, headers: { 'x-forwarded-for': forwarded } });
    expect((await call('10.0.0.1')).status).toBe(400);
    expect(await call('8.8.8.8, 10.0.0.1')).toMatchObject(limited);
    expect((await call('10.0.0.1, 10.0.0.2')).status).toBe(400);
  });

  it('send one person a mail of a kind once in a minute, and thirty mails in an hour', async () => {
    const server = await startAuthServer({ AUTH_RATE_LIMIT_SIGNUP: '0' }, 'default');
    const email = server.newEmail();
    const signUp = (address: string) => server.client().signUp({ email: address, password: PASSWORD });
    await signUp(email);
    const { error } = await signUp(email);
    expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    expect(error?.message).toMatch(/^For security purposes, you can only request this after (59|60) seconds\.$/);
    server.advance(61);
    expect((await signUp(email)).error).toBeNull();
    let sent = 2;
    for (;;) {
      const { error: refused } = await signUp(server.newEmail());
      if (refused) {
        expect(refused).toMatchObject({ code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' });
        break;
      }
      sent += 1;
    }
    expect([30, 31]).toContain(sent);
  });
});
