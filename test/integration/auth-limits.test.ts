import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/shared/clock.js';
import { PASSWORD, startAuthServer } from '../support/auth-server.js';
import { fewOf, itSlow } from '../support/slow-tests.js';

const limited = { status: 429, body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' } };

const start = (overrides = {}) => startAuthServer(overrides, 'default');

describe('the limits at their defaults', () => {
  it('let an address call anything thirty times at once', async () => {
    const server = await start();
    let now = Date.now();
    // Nothing flows back while the calls are made.
    server.app.get(Clock).now = () => new Date(now);
    const calls = [
      ['/recover', 'POST', { email: '-' }],
      ['/otp', 'POST', { email: '-' }],
      ['/magiclink', 'POST', { email: '-' }],
      ['/resend', 'POST', { type: '-' }],
      ['/signup', 'POST', { email: '-' }],
      // Nameless people: thirty in an hour.
      ['/signup', 'POST', {}],
      ['/verify', 'POST', { type: '-' }],
      ['/user', 'PUT', { email: '-' }],
      ['/token?grant_type=password', 'POST', { email: '-' }],
    ] as const;
    const few = ['/signup', '/token?grant_type=password'];
    for (const [path, method, body] of fewOf(calls, ([one]) => few.includes(one))) {
      const call = () => server.call(path, { method, body });
      const answers = await Promise.all(Array.from({ length: 33 }, call));
      expect({ path, refused: answers.filter(({ status }) => status === 429).length }).toEqual({ path, refused: 3 });
      expect(await call()).toMatchObject(limited);
      now += 119_000;
      const slow = path === '/signup' && !('email' in body);
      expect((await call()).status === 429).toBe(slow);
      now += 1000;
      expect((await call()).status).not.toBe(429);
    }
    // What follows a link draws on what verifies a code.
    for (let time = 0; time < 30; time += 1) await server.call('/verify', { method: 'POST', body: { type: '-' } });
    expect(await server.call('/verify?token=x&type=signup')).toMatchObject(limited);
  });

  it('count per client behind a proxy that is trusted, and do not believe others', async () => {
    const server = await start({ AUTH_IP_HEADER: 'X-Forwarded-For', AUTH_RATE_LIMIT_BURST: '1' });
    const call = (forwarded: string) =>
      server.call('/recover', { method: 'POST', body: { email: '-' }, headers: { 'x-forwarded-for': forwarded } });
    expect((await call('10.0.0.1')).status).toBe(400);
    expect(await call('8.8.8.8, 10.0.0.1')).toMatchObject(limited);
    expect((await call('10.0.0.1, 10.0.0.2')).status).toBe(400);
  });

  it('count a network of IPv6, which a household has, as one client', async () => {
    const server = await start({ AUTH_IP_HEADER: 'X-Forwarded-For', AUTH_RATE_LIMIT_BURST: '3' });
    const call = (forwarded: string) =>
      server.call('/recover', { method: 'POST', body: { email: '-' }, headers: { 'x-forwarded-for': forwarded } });
    // The fourth writes the same network in another way.
    const sameNetwork = ['2001:db8:0:2::1', '2001:db8:0:2:ffff:ffff:ffff:ffff', '2001:db8:0:2:3::'];
    for (const address of sameNetwork) expect([address, (await call(address)).status]).toEqual([address, 400]);
    expect(await call('2001:0DB8::0002:0:0:0:4')).toMatchObject(limited);
    expect((await call('2001:db8:0:3::1')).status).toBe(400);
    // An address of IPv4 is one client, and the same client when it is written as one of IPv6.
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201']) {
      expect([address, (await call(address)).status]).toEqual([address, 400]);
    }
    expect(await call('192.0.2.1')).toMatchObject(limited);
    expect((await call('::ffff:192.0.2.2')).status).toBe(400);
  });

  itSlow('send one person a mail of a kind once in a minute', async () => {
    const server = await start();
    const email = server.newEmail();
    const signUp = (address: string) => server.client().signUp({ email: address, password: PASSWORD });
    await signUp(email);
    const { error } = await signUp(email);
    expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    expect(error?.message).toMatch(/^For security purposes, you can only request this after (59|60) seconds\.$/);
    server.advance(61);
    expect((await signUp(email)).error).toBeNull();
  });
});
