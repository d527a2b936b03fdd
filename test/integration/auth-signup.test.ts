import { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { User } from '../../src/auth/accounts/user.entity.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { MailBudgetsService } from '../../src/auth/mails/mail-budgets.service.js';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { PeopleService } from '../../src/people/people.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount } from '../support/accounts.js';
import { closeAuthServers, PASSWORD, startAuthServer } from '../support/auth-server.js';
import type { AuthMail } from '../support/mailbox.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

afterEach(closeAuthServers);

describe('signing up with a taken address', () => {
  itSlow('says so by default', async () => {
    const server = await startAuthServer();
    const { error } = await server.client().signUp({ email: await server.newPerson(), password: PASSWORD });
    expect(error).toMatchObject({ status: 422, code: 'user_already_exists', message: 'User already registered' });
  });

  it('looks like a success where that is concealed, and sends no mail', async () => {
    const server = await startAuthServer({ AUTH_DUPLICATE_SIGNUP: 'conceal' });
    const email = await server.newPerson();
    const { data, error } = await server.client().signUp({ email, password: PASSWORD, options: { data: { a: 1 } } });
    expect(error).toBeNull();
    expect(data).toMatchObject({ session: null, user: { email, role: '', identities: [], user_metadata: { a: 1 } } });
    expect(data.user?.confirmation_sent_at).toBeDefined();
    expect(data.user).not.toHaveProperty('email_confirmed_at');
    expect(await server.mailbox.unread()).toEqual([]);
  });

  it('is refused where addresses need no confirmation', async () => {
    const server = await startAuthServer({ AUTH_MAIL_AUTOCONFIRM: 'true', AUTH_DUPLICATE_SIGNUP: 'conceal' });
    const email = server.newEmail();
    const first = await server.client().signUp({ email, password: PASSWORD });
    expect(first.data.session?.access_token).toBeDefined();
    const { error } = await server.client().signUp({ email, password: PASSWORD });
    expect(error).toMatchObject({ status: 422, code: 'user_already_exists' });

    // Whoever knows the address of somebody who is invited as an author gets neither their account nor their role.
    const invited = await createAccount(server.app, { email: server.newEmail(), emailConfirmedAt: null });
    await server.app.get(PeopleService).grant(OPERATOR, invited.id, { role: 'author', mayPublish: true });
    const taken = await server.client().signUp({ email: invited.email ?? '', password: PASSWORD });
    expect(taken.data.session).toBeNull();

    // Nor does a ban end by it.
    const banned = await createAccount(server.app, { email: server.newEmail(), emailConfirmedAt: null });
    await server.app.get(UsersService).banUser(OPERATOR, banned.id, null);
    const refused = await server.client().signUp({ email: banned.email ?? '', password: PASSWORD });
    expect(refused.error).toMatchObject({ status: 403, code: 'user_banned' });
    const em = server.app.get(EntityManager).fork();
    expect(await em.execute('select from auth.sessions where user_id = ?', [banned.id])).toHaveLength(0);
  });
});

describe('signing up with the address of somebody who comes in by another way', () => {
  const states = ['has come', 'has not come yet'] as const;
  const cases = states.flatMap((state) => ['false', 'true'].map((value) => [state, value] as const));
  it.each(fewOf(cases, ([state, value]) => state === 'has not come yet' && value === 'true'))(
    'neither tells of them nor lets anybody in: who %s (AUTH_MAIL_AUTOCONFIRM: %s)',
    async (state, value) => {
      const server = await startAuthServer({ AUTH_MAIL_AUTOCONFIRM: value });
      const { token } = await server.app.get(AccessTokenService).issueServiceToken(3600);
      const { admin } = server.client({ headers: { Authorization: `Bearer ${token}` } });
      const email = server.newEmail();
      const hasCome = state === 'has come';
      const facts = { phone: '4915112345670', phone_confirm: !hasCome, user_metadata: { full_name: 'Ada' } };
      const { data } = await admin.createUser({ email, ...facts });
      const em = server.app.get(EntityManager).fork();
      if (hasCome) await em.nativeUpdate(User, { email }, { lastSignInAt: new Date() });
      const { user: told, session } = (await server.client().signUp({ email, password: PASSWORD })).data;
      expect(session).toBeNull();
      expect(told).toMatchObject({ id: data.user?.id, email, phone: '', confirmation_sent_at: expect.any(String) });
      expect([told?.user_metadata, told?.app_metadata, told?.identities]).toEqual([{}, {}, []]);
      for (const name of ['phone_confirmed_at', 'confirmed_at', 'last_sign_in_at'])
        expect(told).not.toHaveProperty(name);
    },
  );
});

describe('two sign-ups at once', () => {
  it.each(fewOf(['reveal', 'conceal'], (duplicates) => duplicates === 'conceal'))(
    'are answered as one after the other where accounts are to be %s',
    async (duplicates) => {
      const server = await startAuthServer({ AUTH_DUPLICATE_SIGNUP: duplicates });
      const budgets = server.app.get(MailBudgetsService);
      const startTimer = budgets.startTimer.bind(budgets);
      let begun = 0;
      const email = server.newEmail();
      // Each has looked for the account of the address by then.
      jest.spyOn(budgets, 'startTimer').mockImplementation(async (...timer) => {
        begun += 1;
        await until(() => begun >= 2);
        return await startTimer(...timer);
      });
      const answers = await Promise.all([0, 1].map(() => server.client().signUp({ email, password: PASSWORD })));
      expect(answers.map(({ error }) => error?.code ?? 'none').sort()).toEqual(['none', 'over_email_send_rate_limit']);
      expect((await server.mailbox.read(email)).otp).not.toBe('');
    },
  );
});

describe('what somebody tells about themselves', () => {
  const refusal = { status: 400, code: 'validation_failed' };

  it('is no more than access tokens can carry: whoever knows an address must not make its account useless', async () => {
    const server = await startAuthServer({ AUTH_DUPLICATE_SIGNUP: 'conceal' });
    const data = { note: 'x'.repeat(20_000) };
    const known = await server.newPerson();
    for (const email of [server.newEmail(), known]) {
      expect((await server.client().signUp({ email, password: PASSWORD, options: { data } })).error).toMatchObject(
        refusal,
      );
      expect((await server.client().signInWithOtp({ email, options: { data } })).error).toMatchObject(refusal);
    }
    const email = server.newEmail();
    const client = server.client();
    const most = { note: 'x'.repeat(8_000) };
    await client.signUp({ email, password: PASSWORD, options: { data: most } });
    await client.verifyOtp({ email, token: (await server.mailbox.read(email)).otp, type: 'signup' });
    expect((await client.getUser()).data.user?.user_metadata).toMatchObject(most);
    expect((await client.updateUser({ data: { more: 'é'.repeat(200) } })).error).toMatchObject(refusal);
    // Tokens carry those of programs beside them.
    const { token } = await server.app.get(AccessTokenService).issueServiceToken(3600);
    const { admin } = server.client({ headers: { Authorization: `Bearer ${token}` } });
    const { id = '' } = (await client.getUser()).data.user ?? {};
    const give = (length: number) => admin.updateUserById(id, { app_metadata: { rights: 'x'.repeat(length) } });
    expect((await give(8_000)).error).toMatchObject(refusal);
    expect((await give(700)).error).toBeNull();
    expect((await client.refreshSession()).error).toBeNull();
    expect((await client.getUser()).data.user?.app_metadata).toHaveProperty('rights');
    // More that is there already, as from elsewhere, can only become less.
    const em = server.app.get(EntityManager).fork();
    await em.nativeUpdate(User, { email }, { userMetadata: { ...data, more: 'less' } });
    expect((await client.updateUser({ data: { more: 'and more' } })).error).toMatchObject(refusal);
    expect((await client.updateUser({ data: { more: null } })).error).toBeNull();
    expect((await client.updateUser({ data: { note: 'short' } })).data.user?.user_metadata).toEqual({ note: 'short' });
  });
});

describe('signing up with an invited address', () => {
  const hashOf = ({ query }: AuthMail) => query.get('token_hash') ?? '';

  itSlow(
    'leaves the invitation as good as it was, by its link and its code, and confirms the address all the same',
    async () => {
      for (const door of ['link', 'code', 'sign-up'] as const) {
        const server = await startAuthServer({ AUTH_MAIL_FREQUENCY: '0' });
        const people = server.app.get(PeopleService);
        const email = server.newEmail();
        await people.invite(OPERATOR, { email, role: 'author' });
        const invitation = await server.mailbox.read(email);
        const until = (await people.list(OPERATOR)).find((person) => person.email === email)?.invited_until;
        expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now() + 6 * 86_400_000);
        // Anybody may do this, in either way.
        expect((await server.client().signUp({ email, password: PASSWORD })).error).toBeNull();
        const mail = await server.mailbox.read(email);
        expect((await people.list(OPERATOR)).find((person) => person.email === email)?.invited_until).toBe(until);
        const client = server.client();
        const { error } = await {
          link: () => client.verifyOtp({ token_hash: hashOf(invitation), type: 'invite' }),
          code: () => client.verifyOtp({ email, token: invitation.otp, type: 'email' }),
          'sign-up': () => client.verifyOtp({ email, token: mail.otp, type: 'signup' }),
        }[door]();
        expect([door, error]).toEqual([door, null]);
        // One of them is enough, and the other one is spent with it.
        const late = await server.client().verifyOtp({ token_hash: hashOf(mail), type: 'signup' });
        expect(late.error).toMatchObject({ code: 'otp_expired' });
        const later = await server.client().verifyOtp({ token_hash: hashOf(invitation), type: 'invite' });
        expect(later.error).toMatchObject({ code: 'otp_expired' });
      }
    },
  );
});

describe('signing up', () => {
  it('mails a code, gives no session until it is confirmed, then one', async () => {
    const server = await startAuthServer();
    const client = server.client();
    const email = server.newEmail();
    const { data, error } = await client.signUp({ email, password: PASSWORD, options: { data: { name: 'Ada' } } });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toEqual({
      id: expect.any(String),
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      confirmation_sent_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { sub: data.user?.id, name: 'Ada', email, email_verified: false, phone_verified: false },
      identities: [
        {
          identity_id: expect.any(String),
          id: data.user?.id,
          user_id: data.user?.id,
          identity_data: { sub: data.user?.id, name: 'Ada', email, email_verified: false, phone_verified: false },
          provider: 'email',
          last_sign_in_at: expect.any(String),
          created_at: expect.any(String),
          updated_at: expect.any(String),
          email,
        },
      ],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      is_anonymous: false,
    });
    const early = await client.signInWithPassword({ email, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' });

    const mail = await server.mailbox.read(email);
    const verified = await client.verifyOtp({ email, token: mail.otp, type: 'signup' });
    expect(verified.error).toBeNull();
    expect(verified.data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(verified.data.user).toMatchObject({ email, user_metadata: { email_verified: true } });
    expect(verified.data.user?.email_confirmed_at).toBeDefined();

    const again = await server.client().verifyOtp({ email, token: mail.otp, type: 'signup' });
    expect(again.error).toMatchObject({ status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' });
    const { data: signedIn } = await server.client().signInWithPassword({ email, password: PASSWORD });
    expect(signedIn.session?.refresh_token).toMatch(/^[a-z2-7]{12}$/);
  });

  it('can be closed', async () => {
    const server = await startAuthServer({ AUTH_DISABLE_SIGNUP: 'true' });
    const { error } = await server.client().signUp({ email: server.newEmail(), password: PASSWORD });
    expect(error).toMatchObject({ status: 422, code: 'signup_disabled' });
  });

  itSlow('without an address is possible only where it is allowed', async () => {
    const closed = await startAuthServer();
    const { error } = await closed.client().signInAnonymously();
    expect(error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
    const open = await startAuthServer({ AUTH_ANONYMOUS_ENABLED: 'true' });
    const { data } = await open.client().signInAnonymously({ options: { data: { a: 1 } } });
    expect(data.user).toMatchObject({ is_anonymous: true, identities: [], user_metadata: { a: 1 }, email: '' });
  });

  it('is refused in the contracted words, in either envelope', async () => {
    const server = await startAuthServer();
    for (const [body, status, code, message] of [
      [{ email: 'a@example.com' }, 400, 'validation_failed', 'Signup requires a valid password'],
      [
        { email: 'a@example.com', password: '12345' },
        422,
        'weak_password',
        'Password should be at least 6 characters.',
      ],
      [
        { email: 'nobody', password: PASSWORD },
        400,
        'validation_failed',
        'Unable to validate email address: invalid format',
      ],
      [{ phone: '4915112345678', password: PASSWORD }, 400, 'phone_provider_disabled', 'Phone signups are disabled'],
    ] as const) {
      expect(await server.call('/signup', { method: 'POST', body })).toMatchObject({ status, body: { code, message } });
      const legacy = await server.call('/signup', { method: 'POST', body, headers: { 'x-supabase-api-version': '' } });
      expect(legacy.body).toMatchObject({ code: status, error_code: code, msg: message });
    }
  });
});

describe('the API', () => {
  itSlow('stands at the root where it is told to, and leaves pages alone', async () => {
    const server = await startAuthServer({ AUTH_BASE_PATH: '/', AUTH_MAIL_AUTOCONFIRM: 'true' });
    const { data } = await server.client().signUp({ email: server.newEmail(), password: PASSWORD });
    expect(data.session?.access_token).toBeDefined();
    expect((await server.call('/health')).body).toMatchObject({ name: 'GoTrue' });
    expect((await server.call('/blogs')).headers.get('content-type')).toMatch(/html/);
  });

  it('lets browsers of other sites call it and read its errors', async () => {
    const server = await startAuthServer();
    const preflight = await server.call('/token', { method: 'OPTIONS', headers: { origin: 'https://app.example' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/apikey/);
    const answer = await server.call('/nowhere');
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/X-Supabase-Api-Version/);
    const large = await server.call('/signup', { method: 'POST', body: 'x'.repeat(1_048_577) });
    expect(large).toMatchObject({ status: 413, body: { code: 'request_entity_too_large' } });
  });
});
