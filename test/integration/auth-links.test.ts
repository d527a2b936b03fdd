import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { VerificationService } from '../../src/auth/codes/verification.service.js';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { UnavailableException } from '../../src/http/outage.errors.js';
import { PeopleService } from '../../src/people/people.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount, signIn } from '../support/accounts.js';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import type { AuthMail } from '../support/mailbox.js';
import { enrollTotp, newSecuredPerson, showTotp, signInAs } from '../support/second-factor.js';
import { fewOf } from '../support/slow-tests.js';
import { until } from '../support/until.js';

/** Transactions that wait for another one. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    AUTH_REDIRECT_URLS: 'https://app.example/**,https://*.app.example/**,myapp://back',
    AUTH_MAIL_LINK: 'verify',
  });
});

const follow = async (query: URLSearchParams) => {
  const answer = await server.call(`/verify?${query.toString()}`);
  const location = answer.headers.get('location') ?? '';
  return { ...answer, location, fragment: new URLSearchParams(location.split('#')[1]) };
};

describe('a link in a mail', () => {
  it('confirms and hands out tokens once, and says so when it is used again', async () => {
    const email = server.newEmail();
    const emailRedirectTo = 'https://app.example/welcome';
    await server.client().signUp({ email, password: PASSWORD, options: { emailRedirectTo } });
    const { query } = await server.mailbox.read(email);
    expect(query.get('token')).toMatch(/^[0-9a-f]{56}$/);
    const first = await follow(query);
    expect(first).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^https:\/\/app\.example\/welcome#access/),
    });
    expect([...first.fragment.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ]);
    const second = await follow(query);
    expect(second.status).toBe(303);
    expect(Object.fromEntries(second.fragment)).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    });
  });

  it('is followed for the page with the button as a visit would, whatever page asks', async () => {
    const email = server.newEmail();
    const emailRedirectTo = 'https://app.example/welcome';
    await server.client().signUp({ email, password: PASSWORD, options: { emailRedirectTo } });
    const { query } = await server.mailbox.read(email);
    const press = async (changes: Readonly<Record<string, unknown>> = {}) => {
      const body = { token_hash: query.get('token'), type: 'signup', redirect_to: emailRedirectTo, ...changes };
      const headers = { referer: 'http://site.test/auth/confirm?token_hash=x' };
      return await server.call('/verify/link', { method: 'POST', body, headers });
    };
    for (const missing of ['token_hash', 'type']) {
      expect(await press({ [missing]: null })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
    // Whatever passes leaves the link as it is.
    const outage = new UnavailableException('database_unavailable');
    jest.spyOn(server.app.get(VerificationService), 'follow').mockRejectedValueOnce(outage);
    expect(await press()).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    const { body, headers } = await press();
    expect(body).toEqual({
      url: expect.stringMatching(/^https:\/\/app\.example\/welcome#access_token=.+&type=signup$/),
    });
    // A known device, which guesses apart from strangers.
    expect(headers.get('set-cookie')).toMatch(/^known_device=/);
    for (const target of [emailRedirectTo, 'https://evil.example/', null]) {
      const { url } = (await press({ redirect_to: target })).body as { readonly url: string };
      const { location } = await follow(new URLSearchParams({ token: 'x', type: 'signup', redirect_to: target ?? '' }));
      expect(url).toBe(location);
    }
  });

  it('is good for one of two who follow it at once', async () => {
    const email = await server.newPerson();
    await server.client().resetPasswordForEmail(email);
    const { query } = await server.mailbox.read(email);
    const body = { type: 'recovery', token_hash: query.get('token') };
    const answers = await Promise.all([1, 2].map(() => server.call('/verify', { method: 'POST', body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('expires with its code', async () => {
    const email = await server.newPerson();
    await server.client().resetPasswordForEmail(email);
    const { query, otp } = await server.mailbox.read(email);
    server.advance(3601);
    expect((await follow(query)).fragment.get('error_code')).toBe('otp_expired');
    const { error } = await server.client().verifyOtp({ email, token: otp, type: 'recovery' });
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  it.each([
    'https://evil.example/',
    'http://2130706433/',
    'https://site.test@evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'http://site.test.evil.example/',
    'https://[2001:db8::1]?x.app.example/a',
    'https://evil.example?x.app.example/a',
  ])('does not lead to %s', async (target) => {
    const answer = await follow(new URLSearchParams({ token: 'x', type: 'signup', redirect_to: target }));
    expect(answer).toMatchObject({ status: 303, location: expect.stringMatching(/^http:\/\/site\.test#error=/) });
  });

  it.each(['https://a.app.example/x', 'myapp://back'])('leads to %s, which is listed', async (target) => {
    const answer = await follow(new URLSearchParams({ token: 'x', type: 'signup', redirect_to: target }));
    expect(answer).toMatchObject({ status: 303, location: expect.stringMatching(`^${target}#error=`) });
  });

  it('takes the first of two tokens', async () => {
    expect(await server.call('/verify?token=x&token=y&type=signup&type=z')).toMatchObject({ status: 303 });
  });

  it('is as good as before after a program has looked where it leads', async () => {
    const email = server.newEmail();
    const emailRedirectTo = 'https://app.example/welcome';
    await server.client().signUp({ email, password: PASSWORD, options: { emailRedirectTo } });
    const { query } = await server.mailbox.read(email);
    const look = await server.call(`/verify?${query.toString()}`, { method: 'HEAD' });
    expect(look).toMatchObject({ status: 303 });
    expect(look.headers.get('location')).toBe(emailRedirectTo);
    expect((await follow(query)).fragment.get('access_token')).not.toBeNull();
  });

  it('needs a token and a type', async () => {
    for (const query of ['token=x', 'type=signup']) {
      expect(await server.call(`/verify?${query}`)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  });
});

describe('the exchange of a code', () => {
  it('signs in whoever has the verifier, once', async () => {
    const email = await server.newPerson();
    const verifier = randomBytes(32).toString('base64url');
    const challenge = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 's256',
    };
    await server.call('/otp', { method: 'POST', body: { email, ...challenge } });
    const { query } = await server.mailbox.read(email);
    expect(query.get('token')).toMatch(/^pkce_[0-9a-f]{56}$/);
    const { location } = await follow(query);
    const code = new URL(location).searchParams.get('code');
    const exchange = (auth_code: unknown, code_verifier: string) =>
      server.call('/token?grant_type=pkce', { method: 'POST', body: { auth_code, code_verifier } });
    expect(await exchange('', verifier)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await exchange(code, 'wrong')).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } });
    expect(await exchange(code, verifier)).toMatchObject({ status: 200, body: { user: { email } } });
    expect(await exchange(code, verifier)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
  });

  it('works with the client, and not after five minutes', async () => {
    const client = server.client({ flowType: 'pkce' });
    for (const [wait, code] of [
      [0, undefined],
      [301, 'flow_state_expired'],
    ] as const) {
      const email = server.newEmail();
      await client.signUp({ email, password: PASSWORD });
      const { location } = await follow((await server.mailbox.read(email)).query);
      server.advance(wait);
      const { error } = await client.exchangeCodeForSession(new URL(location).searchParams.get('code') ?? '');
      expect(error?.code).toBe(code);
    }
  });
});

it('belongs to the client that asked, also where another one asked by a clock that was a day ahead', async () => {
  const email = await server.newPerson();
  const exchangeWith = async (asking: ReturnType<typeof server.client>) => {
    await asking.resetPasswordForEmail(email);
    const { location } = await follow((await server.mailbox.read(email)).query);
    return asking.exchangeCodeForSession(new URL(location).searchParams.get('code') ?? '');
  };
  server.advance(24 * 3600);
  await server.client({ flowType: 'pkce' }).resetPasswordForEmail(email);
  await server.mailbox.read(email);
  server.advance(-24 * 3600);
  expect((await exchangeWith(server.client({ flowType: 'pkce' }))).error).toBeNull();
});

describe('a code of somebody whose password is changed', () => {
  /** Somebody who is signed in, and a client of theirs elsewhere that has followed a mailed link up to its code. */
  async function startExchange() {
    const email = await server.newPerson();
    const owner = server.client();
    await owner.signInWithPassword({ email, password: PASSWORD });
    const other = server.client({ flowType: 'pkce' });
    await other.resetPasswordForEmail(email);
    const { location } = await follow((await server.mailbox.read(email)).query);
    return { owner, other, code: new URL(location).searchParams.get('code') ?? '' };
  }

  it('signs nobody in any more', async () => {
    const { owner, other, code } = await startExchange();
    expect((await owner.updateUser({ password: 'another horse 8' })).error).toBeNull();
    const { error } = await other.exchangeCodeForSession(code);
    expect(error?.code).toBe('flow_state_not_found');
  });

  it('is refused without a failure of the server when both happen at once', async () => {
    const { owner, other, code } = await startExchange();
    const em = server.app.get(EntityManager).fork();
    const passwords = server.app.get(PasswordsService);
    const hash = passwords.hash.bind(passwords);
    let exchange: ReturnType<typeof other.exchangeCodeForSession> | undefined;
    // The change holds its user while the new password is hashed, until the exchange waits for it.
    const held = jest.spyOn(passwords, 'hash').mockImplementation(async (password) => {
      exchange = other.exchangeCodeForSession(code);
      await until(async () => (await em.execute(WAITING)).length > 0);
      return await hash(password);
    });
    expect((await owner.updateUser({ password: 'another horse 8' })).error).toBeNull();
    expect(held).toHaveBeenCalledTimes(1);
    expect((await exchange)?.error?.code).toBe('flow_state_not_found');
  });
});

describe('changing the address', () => {
  it('takes both addresses', async () => {
    const email = await server.newPerson();
    const next = server.newEmail();
    const client = server.client();
    await client.signInWithPassword({ email, password: PASSWORD });
    const { data, error } = await client.updateUser({ email: next });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, new_email: next });
    const [toNew, toOld] = [await server.mailbox.read(next), await server.mailbox.read(email)];
    const half = await server.client().verifyOtp({ email, token: toOld.otp, type: 'email_change' });
    expect(half).toMatchObject({ error: null, data: { user: null, session: null } });
    expect((await follow(toNew.query)).fragment.get('type')).toBe('email_change');
    expect((await client.getUser()).data.user).toMatchObject({ email: next, identities: [{ email: next }] });
  });

  it('refuses one that is taken', async () => {
    const client = server.client();
    await client.signInWithPassword({ email: await server.newPerson(), password: PASSWORD });
    const { error } = await client.updateUser({ email: await server.newPerson() });
    expect(error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  it('refuses both of two who want the address of each other at once', async () => {
    const emails = [await server.newPerson(), await server.newPerson()] as const;
    const clients = emails.map(() => server.client());
    for (const [index, email] of emails.entries()) {
      await clients[index]!.signInWithPassword({ email, password: PASSWORD });
    }
    for (let time = 0; time < 10; time += 1) {
      const answers = await Promise.all(
        clients.map((client, index) => client.updateUser({ email: emails[1 - index] ?? '' })),
      );
      expect(answers.map(({ error }) => error?.code)).toEqual(['email_exists', 'email_exists']);
    }
  });

  const spend = async (on: AuthServer, { query }: AuthMail) => {
    const hash = query.get('token') ?? query.get('token_hash') ?? '';
    return await on.client().verifyOtp({ token_hash: hash, type: 'email_change' });
  };

  it('takes the agreement of both mailboxes, however often one of them agrees', async () => {
    const email = await server.newPerson();
    const next = server.newEmail();
    const client = server.client();
    await client.signInWithPassword({ email, password: PASSWORD });
    await client.updateUser({ email: next });
    await server.mailbox.read(email);
    const half = { error: null, data: { user: null, session: null } };
    expect(await spend(server, await server.mailbox.read(next))).toMatchObject(half);
    // Anybody may ask for the mails again.
    server.advance(61);
    expect((await server.client().resend({ type: 'email_change', email })).error).toBeNull();
    const toOld = await server.mailbox.read(email);
    expect(await spend(server, await server.mailbox.read(next))).toMatchObject(half);
    expect((await client.getUser()).data.user).toMatchObject({ email, new_email: next });
    expect((await spend(server, toOld)).data.user).toMatchObject({ email: next });
  });

  it('voids the links of an address that was asked for before, although the mails about the next one wait', async () => {
    const own = await startAuthServer({
      AUTH_RATE_LIMIT_MAIL: '4',
      ...Object.fromEntries(
        ['KEPT', 'RECIPIENT', 'ADDRESS', 'NETWORK'].map((share) => [`AUTH_RATE_LIMIT_MAIL_${share}`, '0']),
      ),
    });
    const email = await own.newPerson();
    const [mine, another] = [own.newEmail(), own.newEmail()];
    const client = own.client();
    await client.signInWithPassword({ email, password: PASSWORD });
    await client.updateUser({ email: mine });
    const mails = [await own.mailbox.read(mine), await own.mailbox.read(email)];
    own.advance(61);
    // The server has sent what it may, so that these leave later.
    expect((await client.updateUser({ email: another })).error).toBeNull();
    for (const mail of mails) expect((await spend(own, mail)).error).toMatchObject({ code: 'otp_expired' });
    expect((await client.getUser()).data.user).toMatchObject({ email, new_email: another });
  });

  it('of somebody who took the session cannot be carried out after a new password or the first second factor', async () => {
    const own = await startAuthServer({ AUTH_DOUBLE_EMAIL_CONFIRMATION: 'false' });
    const operators = own.app.get(UsersService);
    const ends = {
      'a new password': async (client: Client) => (await client.updateUser({ password: 'another horse 8' })).error,
      'a password of the operator': async (client: Client) => {
        const { data } = await client.getUser();
        await operators.setPassword(OPERATOR, data.user!.id, 'another horse 9');
        return null;
      },
      'the first second factor': async (client: Client) =>
        await showTotp(own, client, await enrollTotp(own, client)).then(() => null),
    };
    for (const [name, end] of fewOf(Object.entries(ends), ([one]) => one === 'a new password')) {
      const email = await own.newPerson();
      const [owner, thief] = [await signInAs(own, email), await signInAs(own, email)];
      const theirs = own.newEmail();
      expect((await thief.updateUser({ email: theirs })).data.user).toMatchObject({ new_email: theirs });
      const mail = await own.mailbox.read(theirs);
      expect({ name, error: await end(owner) }).toEqual({ name, error: null });
      expect((await spend(own, mail)).error).toMatchObject({ code: 'otp_expired' });
      own.advance(61);
      // Takes no session. Where nothing waits, it sends nothing.
      expect((await own.client().resend({ type: 'email_change', email })).error).toBeNull();
      const em = own.app.get(EntityManager).fork();
      expect({ name, waiting: await em.execute('select new_email from auth.users where email = ?', [email]) }).toEqual({
        name,
        waiting: [{ new_email: null }],
      });
      const links = await em.execute(`select 1 from auth.one_time_tokens where type like 'email_change%'`);
      expect({ name, links }).toEqual({ name, links: [] });
    }
  });

  it('stays, where a new password comes with it, and where another factor is added', async () => {
    const { client, email } = await newSecuredPerson(server);
    const next = server.newEmail();
    const { data } = await client.updateUser({ email: next, password: 'another horse 8' });
    expect(data.user).toMatchObject({ email, new_email: next });
    await showTotp(server, client, await enrollTotp(server, client, 'spare'));
    expect((await client.getUser()).data.user).toMatchObject({ email, new_email: next });
  });

  it('voids what was mailed to the former address, also where none has to be confirmed', async () => {
    const own = await startAuthServer({ AUTH_MAIL_AUTOCONFIRM: 'true' });
    const email = own.newEmail();
    const client = own.client();
    await client.signUp({ email, password: PASSWORD });
    await client.resetPasswordForEmail(email);
    const { query } = await own.mailbox.read(email);
    const next = own.newEmail();
    expect((await client.updateUser({ email: next })).data.user).toMatchObject({ email: next });
    const followed = await own.client().verifyOtp({ token_hash: query.get('token_hash') ?? '', type: 'recovery' });
    expect(followed.error).toMatchObject({ code: 'otp_expired' });
  });
});

describe('mails that wait for the mail server', () => {
  it('give way to a later one, whose link they would void, and to a new password', async () => {
    const site = await startAuthServer({
      // Nobody answers there.
      SMTP_URL: 'smtp://127.0.0.1:1',
      AUTH_MAIL_FREQUENCY: '0',
      AUTH_RATE_LIMIT_MAIL_RECIPIENT: '0',
    });
    const em = site.app.get(EntityManager).fork();
    const own = `data ->> 'kind' = 'auth' and data ->> 'userId' in (select id::text from auth.users where email = ?)`;
    /** True once it was tried; its next attempt is put off, or it might be under way when the test goes on. */
    const isPutOff = async (email: string) => {
      const later = `update pgboss.job set start_after = now() + interval '1 hour' where ${own} and state = 'retry'`;
      return (await em.execute<object[]>(`${later} returning id`, [email])).length > 0;
    };
    const waiting = async (email: string) => {
      const unfinished = `select data ->> 'action' as action from pgboss.job where ${own} and state <> 'completed'`;
      return (await em.execute<{ action: string }[]>(unfinished, [email])).map(({ action }) => action).sort();
    };
    const account = await createAccount(site.app);
    const email = String(account.email);
    const ask = async (path: string) => {
      expect(await site.call(path, { method: 'POST', body: { email } })).toMatchObject({ status: 200 });
      const actions = await waiting(email);
      await until(() => isPutOff(email));
      return actions;
    };
    expect(await ask('/recover')).toEqual(['recovery']);
    expect(await ask('/otp')).toEqual(['magiclink']);
    expect(await ask('/recover')).toEqual(['recovery']);
    const { accessToken } = await signIn(site.app, account);
    const headers = { authorization: `Bearer ${accessToken}` };
    const change = await site.call('/user', { method: 'PUT', body: { password: PASSWORD }, headers });
    expect([change.status, await waiting(email)]).toEqual([200, []]);
    expect(await ask('/recover')).toEqual(['recovery']);
    await site.app.get(UsersService).setPassword(OPERATOR, account.id, 'another horse 8');
    expect(await waiting(email)).toEqual([]);
    // Anybody may sign up with an invited address, which does not void the invitation.
    const invited = site.newEmail();
    await site.app.get(PeopleService).invite(OPERATOR, { email: invited, role: 'author' });
    await until(() => isPutOff(invited));
    await site.client().signUp({ email: invited, password: PASSWORD });
    expect(await waiting(invited)).toEqual(['invite', 'signup']);
  });
});
