import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer();
});

describe('signing up', () => {
  it('mails a code, gives no session until it is confirmed, then one', async () => {
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
});
