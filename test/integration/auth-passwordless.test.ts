import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { payloadOf } from '../support/sign-token.js';

const PHONE = '4915112345678';
const OTHER_PHONE = '4915112345679';
const NAMELESS_PHONE = '4915112345680';
const CODE = '246810';
const UNKNOWN = 'unknown@example.com';
const both = { email: UNKNOWN, phone: PHONE };
const challenge = (length: number, code_challenge_method = 's256') => ({
  email: UNKNOWN,
  code_challenge: 'a'.repeat(length),
  code_challenge_method,
});

let server: AuthServer;
const post = (path: string, body: unknown) => server.call(path, { method: 'POST', body });

type Row = readonly [path: string, body: unknown, status: number, code: string, message: string];
const invalid = (path: string, body: unknown, message: string): Row => [path, body, 400, 'validation_failed', message];

/** The calls of auth-api.md 3, for a server with the defaults. */
const REFUSALS: readonly Row[] = [
  invalid('/otp', both, 'Only an email address or phone number should be provided'),
  invalid('/otp', { email: UNKNOWN, channel: 'sms' }, 'Channel should only be specified with Phone OTP'),
  ['/otp', { email: UNKNOWN, create_user: false }, 422, 'otp_disabled', 'Signups not allowed for otp'],
  ['/otp', { email: 'nobody', create_user: false }, 422, 'otp_disabled', 'Signups not allowed for otp'],
  invalid('/otp', {}, 'One of email or phone must be set'),
  ['/otp', { phone: PHONE }, 400, 'phone_provider_disabled', 'Unsupported phone provider'],
  invalid('/otp', { email: 'nobody' }, 'Unable to validate email address: invalid format'),
  invalid(
    '/otp',
    { email: UNKNOWN, code_challenge: 'a' },
    'PKCE flow requires code_challenge_method and code_challenge',
  ),
  invalid('/otp', challenge(42), 'code challenge has to be between 43 and 128 characters'),
  invalid('/recover', challenge(129), 'code challenge has to be between 43 and 128 characters'),
  invalid('/otp', challenge(43, 'md5'), 'Invalid code challenge method'),
  invalid('/magiclink', { phone: PHONE }, 'An email address is required'),
  invalid('/magiclink', { email: `${'a'.repeat(250)}@example.com` }, 'An email address is too long'),
  invalid('/recover', {}, 'An email address is required'),
  invalid('/recover', { email: 'a@b@c' }, 'Unable to validate email address: invalid format'),
  invalid(
    '/resend',
    { type: 'x', email: UNKNOWN },
    'Missing one of these types: signup, email_change, sms, phone_change',
  ),
  invalid('/resend', {}, 'Missing one of these types: signup, email_change, sms, phone_change'),
  invalid('/resend', { type: 'signup' }, 'Type provided requires an email address'),
  invalid('/resend', { type: 'signup', phone: PHONE }, 'Type provided requires an email address'),
  invalid('/resend', { type: 'sms', email: UNKNOWN }, 'Type provided requires a phone number'),
  invalid('/resend', { type: 'email_change', ...both }, 'Only an email address or phone number should be provided.'),
  invalid('/resend', { type: 'phone_change' }, 'Missing email address or phone number'),
  ['/resend', { type: 'sms', phone: PHONE }, 400, 'phone_provider_disabled', 'Phone logins are disabled'],
  invalid('/verify', { token: '123456', email: UNKNOWN }, 'Verify requires a verification type'),
  invalid('/verify', { type: 'email', email: UNKNOWN }, 'Verify requires either a token or a token hash'),
  invalid(
    '/verify',
    { type: 'email', email: UNKNOWN, token: '1', token_hash: 'a' },
    'Verify requires either a token or a token hash',
  ),
  invalid(
    '/verify',
    { type: 'email', token: '1' },
    'Only an email address or phone number should be provided on verify',
  ),
  invalid(
    '/verify',
    { type: 'email', token: '1', ...both },
    'Only an email address or phone number should be provided on verify',
  ),
  invalid(
    '/verify',
    { type: 'email', token_hash: 'a', email: UNKNOWN },
    'Only the token_hash and type should be provided',
  ),
  invalid(
    '/verify',
    { type: 'email', token_hash: 'a', redirect_to: 'http://site.test' },
    'Only the token_hash and type should be provided',
  ),
  ['/verify', { type: 'email', token: '1', email: 'nobody' }, 422, 'validation_failed', 'Invalid email format'],
  invalid('/verify', { type: 'constructor', token_hash: 'a' }, 'Invalid email verification type'),
  invalid('/verify', { type: 'spell', token: '1', email: UNKNOWN }, 'Unsupported verification type'),
  [
    '/verify',
    { type: 'email', token: '123456', email: UNKNOWN },
    403,
    'otp_expired',
    'Token has expired or is invalid',
  ],
  ['/verify', { type: 'email', token_hash: 'a' }, 403, 'otp_expired', 'Email link is invalid or has expired'],
];

describe('with the defaults', () => {
  beforeAll(async () => {
    server = await startAuthServer({ AUTH_REDIRECT_URLS: 'https://app.example/**' });
  });

  it.each(REFUSALS)('%s refuses %j with %i %s', async (path, body, status, code, message) => {
    expect(await post(path, body)).toMatchObject({ status, body: { code, message } });
  });

  it('says the same and sends nothing where there is nobody to write to, or nothing to say', async () => {
    const email = await server.newPerson();
    for (const [path, body] of [
      ['/recover', { email: UNKNOWN }],
      ['/resend', { type: 'signup', email: UNKNOWN }],
      ['/resend', { type: 'email_change', email: UNKNOWN }],
      ['/resend', { type: 'signup', email }],
      ['/resend', { type: 'email_change', email }],
      ['/resend', { type: 'phone_change', email }],
    ] as const) {
      expect(await post(path, body)).toMatchObject({ status: 200, body: {} });
    }
    expect(await server.mailbox.unread()).toEqual([]);
  });

  it('signs new people up with a code, and known ones in', async () => {
    const email = server.newEmail();
    const options = { data: { name: 'Ada' } };
    for (const [mailType, verifyType] of [
      ['signup', 'email'],
      ['magiclink', 'email'],
      ['magiclink', 'magiclink'],
    ] as const) {
      const client = server.client();
      expect(await client.signInWithOtp({ email, options })).toEqual({
        data: { user: null, session: null },
        error: null,
      });
      const { otp, query } = await server.mailbox.read(email);
      expect(query.get('type')).toBe(mailType);
      const { data, error } = await client.verifyOtp({ email, token: otp, type: verifyType });
      expect(error).toBeNull();
      expect(data.user?.user_metadata).toMatchObject({ name: 'Ada', email_verified: true });
      const { data: claims } = await client.getClaims();
      expect(claims?.claims.amr).toEqual([{ method: 'otp', timestamp: expect.any(Number) }]);
      server.advance(61);
    }
    const known = await server.client().signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(known.error).toBeNull();
  });

  it('mails a new link in place of the old one, not twice in a minute', async () => {
    const email = server.newEmail();
    const client = server.client();
    await client.signUp({ email, password: PASSWORD });
    const first = await server.mailbox.read(email);
    const soon = await client.resend({ type: 'signup', email });
    expect(soon.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    server.advance(61);
    expect((await client.resend({ type: 'signup', email })).error).toBeNull();
    const second = await server.mailbox.read(email);
    expect(second.otp).not.toBe(first.otp);
    const old = await post('/verify', { type: 'signup', token_hash: first.query.get('token_hash') });
    expect(old).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
    expect((await client.verifyOtp({ email, token: second.otp, type: 'signup' })).error).toBeNull();
  });

  it('recovers with the timer of magic links, and tells the client what it was', async () => {
    const email = await server.newPerson();
    const client = server.client();
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    expect((await client.resetPasswordForEmail(email)).error).toBeNull();
    const soon = await client.signInWithOtp({ email });
    expect(soon.error?.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    const { query } = await server.mailbox.read(email);
    const { error } = await client.verifyOtp({ token_hash: query.get('token_hash')!, type: 'recovery' });
    expect(error).toBeNull();
    expect(events).toContain('PASSWORD_RECOVERY');
  });

  // The page for codes says `email`, whatever mail they are from.
  it.each(['recovery', 'email'] as const)(
    'recovers an account that was never confirmed, by a code as %s, without the password of whoever signed up with the address',
    async (type) => {
      const email = server.newEmail();
      await server.client().signUp({ email, password: PASSWORD });
      await server.mailbox.read(email);
      const owner = server.client();
      expect((await owner.resetPasswordForEmail(email)).error).toBeNull();
      const { otp: token } = await server.mailbox.read(email);
      expect((await owner.verifyOtp({ email, token, type })).error).toBeNull();
      // The owner has not chosen one yet.
      const stranger = await server.client().signInWithPassword({ email, password: PASSWORD });
      expect(stranger.error).toMatchObject({ code: 'invalid_credentials' });
      expect((await owner.updateUser({ password: PASSWORD })).error).toBeNull();
      expect((await server.client().signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
    },
  );

  it('mails a code to whoever is asked to prove themselves again', async () => {
    const email = await server.newPerson();
    const client = server.client();
    expect(await server.call('/reauthenticate')).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
    await client.signInWithPassword({ email, password: PASSWORD });
    expect((await client.reauthenticate()).error).toBeNull();
    expect((await server.mailbox.read(email)).otp).toMatch(/^\d{6}$/);
    expect((await client.reauthenticate()).error).toMatchObject({ code: 'over_email_send_rate_limit' });
  });

  it.each([
    'https://evil.example/',
    'http://site.test.evil.example/',
    'http://site.test:8080/',
    'https://site.test/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://127.1/',
    'https://app.example@evil.example/',
    'https://user:secret@app.example/',
    '//evil.example/',
    '\\\\evil.example\\',
    'http:\\\\evil.example/',
    'https://app.example\\@evil.example/',
    'https://evil.example/https://app.example/',
    'javascript:alert(1)',
    'JAVASCRIPT://app.example/%0aalert(1)',
    'data:text/html,x',
    'http://sıte.test/',
    '/relative',
  ])('leads to the site instead of %s, wherever that is asked for', async (target) => {
    const email = server.newEmail();
    const query = new URLSearchParams({ redirect_to: target }).toString();
    // A header cannot carry all of them.
    const isHeader = /^[\x20-\x7e]*$/.test(target);
    const headers: Record<string, string> = isHeader ? { redirect_to: target, referer: target } : {};
    await server.call(`/otp?${query}`, { method: 'POST', body: { email }, headers });
    expect((await server.mailbox.read(email)).query.get('redirect_to')).toBe('http://site.test');
    const link = await server.call(`/verify?token=x&type=signup&${query}`, { headers });
    expect(link.headers.get('location')).toMatch(/^http:\/\/site\.test#error=/);
  });

  it('leads on to the first that is allowed', async () => {
    const location = async (headers: Record<string, string>, query = '') =>
      (await server.call(`/verify?token=pkce_x&type=signup${query}`, { headers })).headers.get('location');
    const [listed, site] = ['https://app.example/a/b?c=d', 'http://site.test/blogs'];
    expect(await location({ referer: site }, `&redirect_to=${encodeURIComponent(listed)}`)).toBe(
      'https://app.example/a/b?c=d&error=access_denied&error_code=otp_expired&error_description=' +
        'Email+link+is+invalid+or+has+expired#error=access_denied&error_code=otp_expired&error_description=' +
        'Email+link+is+invalid+or+has+expired&sb=',
    );
    expect(await location({ referer: site }, '&redirect_to=https://evil.example/')).toMatch(
      /^http:\/\/site\.test\/blogs\?/,
    );
    expect(await location({ redirect_to: listed, referer: site })).toMatch(/^https:\/\/app\.example\/a\/b\?/);
  });

  it('leads to addresses with letters of every script', async () => {
    const email = server.newEmail();
    const target = 'http://site.test/über/работа?q=日本#there';
    const query = new URLSearchParams({ redirect_to: target });
    await server.call(`/otp?${query.toString()}`, { method: 'POST', body: { email } });
    const mail = await server.mailbox.read(email);
    expect(mail.query.get('redirect_to')).toBe(target);
    const link = new URLSearchParams({ ...Object.fromEntries(query), type: 'signup' });
    link.set('token', mail.query.get('token_hash') ?? '');
    const { status, headers } = await server.call(`/verify?${link.toString()}`);
    expect(status).toBe(303);
    const [address, fragment = ''] = (headers.get('location') ?? '').split('#');
    expect(address).toBe(new URL(target).href.split('#')[0]);
    expect(new URLSearchParams(fragment).get('access_token')).not.toBeNull();
  });
});

describe('with phone numbers', () => {
  beforeAll(async () => {
    server = await startAuthServer({
      AUTH_PHONE_ENABLED: 'true',
      AUTH_ANONYMOUS_ENABLED: 'true',
      AUTH_SMS_TEST_OTP: `${PHONE}:${CODE},${OTHER_PHONE}:${CODE},${NAMELESS_PHONE}:${CODE}`,
      AUTH_RATE_LIMIT_SMS: '2',
    });
  });

  it.each<Row>([
    invalid('/otp', { phone: '0123' }, 'Invalid phone number format (E.164 required)'),
    ['/otp', { phone: PHONE, create_user: false }, 422, 'otp_disabled', 'Signups not allowed for otp'],
    invalid('/verify', { type: 'email', token: '1', phone: PHONE }, 'Unsupported verification type'),
    ['/verify', { type: 'sms', token: CODE, phone: PHONE }, 403, 'otp_expired', 'Token has expired or is invalid'],
    [
      '/token?grant_type=password',
      { phone: PHONE, password: 'x' },
      400,
      'invalid_credentials',
      'Invalid login credentials',
    ],
  ])('%s refuses %j with %i %s', async (path, body, status, code, message) => {
    expect(await post(path, body)).toMatchObject({ status, body: { code, message } });
  });

  it('cannot send messages, says so, keeps nothing of it, and counts them', async () => {
    const body = { phone: '4915199999999', password: PASSWORD };
    const statuses = [];
    for (const path of ['/otp', '/signup', '/otp']) statuses.push(await post(path, body));
    expect(statuses).toMatchObject([
      { status: 422, body: { code: 'sms_send_failed' } },
      { status: 422, body: { code: 'sms_send_failed' } },
      { status: 429, body: { code: 'over_sms_send_rate_limit', message: 'SMS rate limit exceeded' } },
    ]);
    expect(await post('/resend', { type: 'sms', phone: body.phone })).toMatchObject({ status: 200, body: {} });
  });

  it('signs up, confirms, signs in, changes the number, and proves it again', async () => {
    const client = server.client();
    const phone = `+${PHONE}`;
    const { data, error } = await client.signUp({ phone, password: PASSWORD });
    expect(error).toBeNull();
    expect(data).toMatchObject({
      session: null,
      user: { phone: PHONE, email: '', app_metadata: { provider: 'phone' }, identities: [{ provider: 'phone' }] },
    });
    const early = await client.signInWithPassword({ phone, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'phone_not_confirmed', message: 'Phone not confirmed' });
    const soon = await client.resend({ type: 'sms', phone });
    expect(soon.error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' });
    server.advance(61);
    // The code of the message lives for a minute.
    expect((await client.verifyOtp({ phone, token: CODE, type: 'sms' })).error).toMatchObject({ code: 'otp_expired' });
    expect(await client.resend({ type: 'sms', phone })).toMatchObject({ data: { messageId: 'test-otp' }, error: null });
    const verified = await client.verifyOtp({ phone, token: CODE, type: 'sms' });
    expect(verified.data.user).toMatchObject({ phone_confirmed_at: expect.any(String) });
    const taken = await client.signUp({ phone, password: PASSWORD });
    expect(taken.error).toMatchObject({ status: 422, code: 'user_already_exists' });

    expect((await client.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
    expect((await client.reauthenticate()).error).toBeNull();
    const changed = await client.updateUser({ phone: OTHER_PHONE });
    expect(changed.data.user).toMatchObject({ phone: PHONE, new_phone: OTHER_PHONE });
    const moved = await client.verifyOtp({ phone: OTHER_PHONE, token: CODE, type: 'phone_change' });
    expect(moved.data.user).toMatchObject({
      phone: OTHER_PHONE,
      identities: [{ identity_data: { phone: OTHER_PHONE } }],
    });
    server.advance(61);
    expect(await client.signInWithOtp({ phone: OTHER_PHONE })).toMatchObject({ data: { messageId: 'test-otp' } });
    expect((await client.verifyOtp({ phone: OTHER_PHONE, token: CODE, type: 'sms' })).error).toBeNull();
  });

  it('lets someone nameless become someone', async () => {
    const client = server.client();
    const { data: before } = await client.signInAnonymously({ options: { data: { cart: 7 } } });
    const nameless = await client.reauthenticate();
    expect(nameless.error).toMatchObject({ status: 400, code: 'validation_failed' });
    const locked = await client.updateUser({ password: PASSWORD });
    expect(locked.error).toMatchObject({ status: 422, code: 'validation_failed' });
    const taken = await client.updateUser({ email: await server.newPerson(), password: PASSWORD });
    expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' });
    const email = server.newEmail();
    const asked = await client.updateUser({ email, password: PASSWORD });
    expect(asked.data.user).toMatchObject({ is_anonymous: true, new_email: email, email: '' });
    // The password alone opens nothing yet.
    const signIn = () => server.client().signInWithPassword({ email, password: PASSWORD });
    expect((await signIn()).error).toMatchObject({ code: 'invalid_credentials' });
    const { otp } = await server.mailbox.read(email);
    const { data } = await client.verifyOtp({ email, token: otp, type: 'email_change' });
    expect(data.user).toMatchObject({ email, is_anonymous: false, identities: [{ provider: 'email' }] });
    expect(data.user).toMatchObject({ id: before.user?.id, user_metadata: { cart: 7 } });
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
    expect(payloadOf(data.session?.access_token ?? '')).toMatchObject({ is_anonymous: false, email });
    expect((await signIn()).data.user).toMatchObject({ id: before.user?.id });
  });

  it('lets someone nameless become someone with a phone', async () => {
    const client = server.client();
    await client.signInAnonymously();
    server.advance(61);
    expect((await client.updateUser({ phone: NAMELESS_PHONE })).error).toBeNull();
    const { data } = await client.verifyOtp({ phone: NAMELESS_PHONE, token: CODE, type: 'phone_change' });
    expect(data.user).toMatchObject({
      phone: NAMELESS_PHONE,
      is_anonymous: false,
      identities: [{ provider: 'phone' }],
    });
  });
});
