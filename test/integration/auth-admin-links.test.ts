import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { EmailOtpType, GenerateLinkParams } from '@supabase/auth-js';
import { AuditRecord } from '../../src/audit/audit-entry.entity.js';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

const DAY = 86_400;
const REDIRECT = 'https://app.example/welcome';

let server: AuthServer;
let token: string;

beforeAll(async () => {
  server = await startAuthServer({ AUTH_REDIRECT_URLS: 'https://app.example/**', AUTH_MAIL_LINK: 'verify' });
  token = (await server.app.get(AccessTokenService).issueServiceToken(30 * DAY)).token;
});

const admin = (on = server) => on.client({ headers: { Authorization: `Bearer ${token}` } }).admin;
const call = (path: string, body: unknown, on = server) =>
  on.call(path, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } });

/** Follows a link to the session that it leads to. */
async function follow(link: string, on = server) {
  const { externalUrl } = on.app.config.auth;
  expect(link).toMatch(`${externalUrl}/verify?`);
  const answer = await on.call(link.slice(externalUrl.length));
  expect(answer.status).toBe(303);
  const location = answer.headers.get('location') ?? '';
  const fragment = new URLSearchParams(location.split('#')[1]);
  const [access, refresh] = [fragment.get('access_token'), fragment.get('refresh_token')];
  const client = on.client();
  if (access === null || refresh === null) return { client, user: null, location, fragment };
  const { data, error } = await client.setSession({ access_token: access, refresh_token: refresh });
  if (error) throw error;
  return { client, user: data.user, location, fragment };
}

async function generate(params: GenerateLinkParams) {
  const { data, error } = await admin().generateLink(params);
  if (error) throw error;
  return { user: data.user, ...data.properties };
}

describe('a link that a program asks for', () => {
  it.each([
    ['signup', 'nobody', { password: PASSWORD }],
    ['magiclink', 'somebody', {}],
    ['recovery', 'somebody', {}],
    ['invite', 'nobody', {}],
  ] as const)(
    'of the type %s for %s leads to a session, or its code does, and nothing is mailed',
    async (type, who, extras) => {
      const newAddress = () => (who === 'nobody' ? Promise.resolve(server.newEmail()) : server.newPerson());
      const email = await newAddress();
      const options = { redirectTo: REDIRECT, ...(who === 'nobody' ? { data: { name: 'Ada' } } : {}) };
      const link = await generate({ type, email, ...extras, options } as GenerateLinkParams);
      expect(link).toMatchObject({
        user: { email },
        verification_type: type,
        redirect_to: REDIRECT,
        email_otp: expect.stringMatching(/^\d{6}$/),
        hashed_token: expect.stringMatching(/^[0-9a-f]{56}$/),
      });
      expect(link.user).not.toHaveProperty('hashed_token');
      expect(Object.fromEntries(new URL(link.action_link).searchParams)).toEqual({
        token: link.hashed_token,
        type,
        redirect_to: REDIRECT,
      });
      const { user, location } = await follow(link.action_link);
      expect(location).toMatch(/^https:\/\/app\.example\/welcome#access_token=/);
      expect(user).toMatchObject({ email, id: link.user.id, email_confirmed_at: expect.any(String) });
      if (who === 'nobody') expect(user?.user_metadata).toEqual({ name: 'Ada', email_verified: true });

      const other = await newAddress();
      const { email_otp: otp } = await generate({ type, email: other, ...extras } as GenerateLinkParams);
      const verified = await server.client().verifyOtp({ email: other, token: otp, type: type as EmailOtpType });
      expect(verified.data.user).toMatchObject({ email: other });
      await server.newPerson();
      const mailed = (await server.mailbox.unread()).map(({ to }) => to);
      expect(mailed.filter((to) => to === email || to === other)).toEqual([]);
    },
  );

  it('of the type magiclink signs up whom nobody knows', async () => {
    const email = server.newEmail();
    const link = await generate({ type: 'magiclink', email });
    expect(link).toMatchObject({ verification_type: 'signup', redirect_to: 'http://site.test' });
    expect(new URL(link.action_link).searchParams.get('type')).toBe('signup');
    expect((await follow(link.action_link)).user).toMatchObject({ email });
  });

  it('changes an address with the links of both', async () => {
    const email = await server.newPerson();
    const newEmail = server.newEmail();
    const current = await generate({ type: 'email_change_current', email, newEmail });
    const next = await generate({ type: 'email_change_new', email, newEmail });
    expect([current.verification_type, next.verification_type]).toEqual(['email_change_current', 'email_change_new']);
    for (const { action_link: link } of [current, next]) {
      expect(new URL(link).searchParams.get('type')).toBe('email_change');
    }
    const half = await follow(current.action_link);
    expect(half.fragment.get('message')).toMatch(/^Confirmation link accepted/);
    const { user } = await follow(next.action_link);
    expect(user).toMatchObject({ email: newEmail, identities: [{ email: newEmail }] });
    expect(user).not.toHaveProperty('new_email');
  });

  it('that was for another change confirms nothing of the next', async () => {
    const email = await server.newPerson();
    const first = await generate({ type: 'email_change_new', email, newEmail: server.newEmail() });
    await generate({ type: 'email_change_current', email, newEmail: server.newEmail() });
    expect((await follow(first.action_link)).fragment.get('error_code')).toBe('otp_expired');
  });

  it.each(['https://evil.example/', 'javascript:alert(1)', 'https://app.example@evil.example/', '//evil.example'])(
    'does not lead to %s',
    async (target) => {
      const link = await generate({
        type: 'magiclink',
        email: await server.newPerson(),
        options: { redirectTo: target },
      });
      expect(link.redirect_to).toBe('http://site.test');
      const bodied = await call('/admin/generate_link', {
        ...{ type: 'magiclink', email: await server.newPerson(), redirect_to: target },
      });
      expect(bodied.body['redirect_to']).toBe('http://site.test');
    },
  );

  it('is in the log, without anything that opens it', async () => {
    const email = await server.newPerson();
    const { user, hashed_token: hash } = await generate({ type: 'recovery', email });
    const lines = await server.app.get(EntityManager).fork().find(AuditRecord, { subjectId: user.id });
    expect(lines).toMatchObject([
      { actorKind: 'program', action: 'user.link_generated', subject: email, details: { type: 'recovery' } },
    ]);
    expect(JSON.stringify(lines.map(({ details }) => details))).not.toContain(hash);
  });

  it.each([
    [{ type: 'sms' }, 400, 'validation_failed', 'Invalid email action link type requested: sms'],
    [{ type: '__proto__' }, 400, 'validation_failed', 'Invalid email action link type requested: __proto__'],
    [{ type: 'recovery', email: 'x' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
    [{ type: 'recovery', email: '' }, 400, 'validation_failed', 'An email address is required'],
    [{ type: 'recovery' }, 404, 'user_not_found', 'User with this email not found'],
    [{ type: 'email_change_new' }, 404, 'user_not_found', 'User with this email not found'],
    [{ type: 'email_change_current' }, 404, 'user_not_found', 'User with this email not found'],
    [{ type: 'signup' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [{ type: 'signup', password: 'x' }, 422, 'weak_password', 'Password should be at least 6 characters.'],
    [{ type: 'invite', data: { a: '\ud800' } }, 400, 'validation_failed', 'The request holds a character that no text'],
    [{ type: 'invite', data: 'x' }, 400, 'bad_json', 'Could not parse request body as JSON: data'],
  ])('is refused for nobody with %j', async (body, status, code, message) => {
    expect(await call('/admin/generate_link', { email: 'nobody@example.com', ...body })).toMatchObject({
      status,
      body: { code, message: expect.stringContaining(message) },
    });
  });

  it('is refused for confirmed people, for addresses that are taken, and for one link where one is enough', async () => {
    const [email, taken] = [await server.newPerson(), await server.newPerson()];
    const exists = { status: 422, body: { code: 'email_exists' } };
    for (const type of ['signup', 'invite'])
      expect(await call('/admin/generate_link', { type, email })).toMatchObject(exists);
    const change = { type: 'email_change_new', email, new_email: taken };
    expect(await call('/admin/generate_link', change)).toMatchObject(exists);
    expect(await call('/admin/generate_link', { ...change, new_email: '' })).toMatchObject({
      status: 400,
      body: { message: 'An email address is required' },
    });
    const single = await startAuthServer({ ...server.app.environment, AUTH_DOUBLE_EMAIL_CONFIRMATION: 'false' });
    expect(await call('/admin/generate_link', { ...change, type: 'email_change_current' }, single)).toMatchObject({
      status: 400,
      body: { message: 'Enable secure email change to generate link for current email' },
    });
  });
});

describe('an invitation', () => {
  let sink: SmtpSink;
  let site: AuthServer;

  beforeAll(async () => {
    sink = await startSmtpSink();
    site = await startAuthServer({
      ...{ DATA_DIR: server.app.environment.DATA_DIR, SMTP_URL: sink.url, AUTH_MAIL_LINK: 'verify' },
      AUTH_REDIRECT_URLS: 'https://app.example/**',
    });
  });

  it('is mailed, and its link leads to a session in which a password is chosen', async () => {
    const email = site.newEmail();
    const options = { data: { name: 'Ada' }, redirectTo: REDIRECT };
    const { data, error } = await admin(site).inviteUserByEmail(email, options);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      invited_at: expect.any(String),
      confirmation_sent_at: expect.any(String),
      user_metadata: { name: 'Ada' },
      app_metadata: { provider: 'email', providers: ['email'] },
    });
    const mail = await sink.mailTo(email);
    expect(mail.subject).toMatch(/^Your invitation to /);
    const { client, user, location } = await follow(mail.link ?? '', site);
    expect(location).toMatch(/^https:\/\/app\.example\/welcome#.*type=invite/);
    expect(user).toMatchObject({ email, email_confirmed_at: expect.any(String), user_metadata: { name: 'Ada' } });
    expect((await client.updateUser({ password: PASSWORD })).error).toBeNull();
    expect((await site.client().signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
    const again = await admin(site).inviteUserByEmail(email);
    expect(again.error).toMatchObject({
      status: 422,
      code: 'email_exists',
      message: 'A user with this email address has already been registered',
    });
  });

  it('is sent again after a minute, and takes the password of whoever had claimed the address', async () => {
    const email = site.newEmail();
    await site.client().signUp({ email, password: PASSWORD, options: { data: { city: 'Bonn' } } });
    await sink.mailTo(email);
    const soon = await admin(site).inviteUserByEmail(email);
    expect(soon.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    site.advance(61);
    const { data } = await admin(site).inviteUserByEmail(email, { data: { name: 'Ada' } });
    expect(data.user).toMatchObject({ invited_at: expect.any(String), user_metadata: { city: 'Bonn', name: 'Ada' } });
    const first = await sink.mailTo(email);
    site.advance(61);
    expect((await admin(site).inviteUserByEmail(email)).error).toBeNull();
    const second = await sink.mailTo(email);
    const verify = (code = '') => site.client().verifyOtp({ email, token: code, type: 'invite' });
    expect((await verify(first.code)).error).toMatchObject({ code: 'otp_expired' });
    expect((await verify(second.code)).error).toBeNull();
    const stranger = await site.client().signInWithPassword({ email, password: PASSWORD });
    expect(stranger.error).toMatchObject({ code: 'invalid_credentials' });
  });

  it('takes the password of an imported account too, which signed in where no address had to be confirmed', async () => {
    const email = site.newEmail();
    await site.client().signUp({ email, password: PASSWORD });
    await sink.mailTo(email);
    const em = site.app.get(EntityManager).fork();
    await em.execute('update auth.users set last_sign_in_at = created_at where email = ?', [email]);
    site.advance(61);
    expect((await admin(site).inviteUserByEmail(email)).error).toBeNull();
    const { code: token = '' } = await sink.mailTo(email);
    expect((await site.client().verifyOtp({ email, token, type: 'invite' })).error).toBeNull();
    const stranger = await site.client().signInWithPassword({ email, password: PASSWORD });
    expect(stranger.error).toMatchObject({ code: 'invalid_credentials' });
  });

  it('is good for as long as its mail says where the setting was lowered meanwhile', async () => {
    const email = site.newEmail();
    expect((await admin(site).inviteUserByEmail(email)).error).toBeNull();
    const { code: token = '' } = await sink.mailTo(email);
    const { mail } = site.app.config.auth;
    const { inviteExpiresIn } = mail;
    Object.assign(mail, { inviteExpiresIn: 3600 });
    try {
      expect((await site.client().verifyOtp({ email, token, type: 'invite' })).error).toBeNull();
    } finally {
      Object.assign(mail, { inviteExpiresIn });
    }
  });

  it('is good for seven days, unlike the way to a new password, and sent again for seven more', async () => {
    const email = site.newEmail();
    const verify = (code = '', type: 'invite' | 'recovery' = 'invite') =>
      site.client().verifyOtp({ email, token: code, type });
    const days = async (count: number) => {
      await admin(site).inviteUserByEmail(email);
      const mail = await sink.mailTo(email);
      expect(mail.text).toContain('Link and code hold for 7 days and work once.');
      site.advance(count * 86_400);
      return await verify(mail.code);
    };
    expect((await days(7.01)).error).toMatchObject({ code: 'otp_expired' });
    expect((await days(6.9)).error).toBeNull();
    await site.client().resetPasswordForEmail(email);
    const { text, code } = await sink.mailTo(email);
    expect(text).toContain('hold for 1 hour');
    site.advance(3601);
    expect((await verify(code, 'recovery')).error).toMatchObject({ code: 'otp_expired' });
  });

  it('is one mail, however many ask for it at once', async () => {
    const email = site.newEmail();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('/invite', { email }, site)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(new Set(statuses.slice(1))).toEqual(
      new Set(statuses.slice(1).filter((status) => [422, 429].includes(status))),
    );
  });

  it.each([
    [{}, 400, 'validation_failed', 'An email address is required'],
    [{ email: 'x' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
    [{ email: 'a@b.co', data: { a: '\0' } }, 400, 'validation_failed', 'The request holds a character'],
    [{ email: 'a@b.co', data: [] }, 400, 'bad_json', 'Could not parse request body as JSON: data'],
  ])('is refused for %j', async (body, status, code, message) => {
    expect(await call('/invite', body, site)).toMatchObject({
      status,
      body: { code, message: expect.stringContaining(message) },
    });
  });

  itSlow('counts for its recipient and for the server, not for the program that sends many', async () => {
    const own = await startAuthServer({
      DATA_DIR: server.app.environment.DATA_DIR,
      AUTH_RATE_LIMIT_MAIL: '12',
      AUTH_RATE_LIMIT_MAIL_KEPT: '0',
      AUTH_RATE_LIMIT_MAIL_ADDRESS: '1',
      AUTH_RATE_LIMIT_MAIL_NETWORK: '1',
    });
    const errors = [];
    for (let count = 0; count < 18; count += 1) errors.push((await admin(own).inviteUserByEmail(own.newEmail())).error);
    expect(errors.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => null));
    expect(errors.at(-1)).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
  });
});
