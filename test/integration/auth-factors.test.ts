import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import {
  beginStep,
  accessTokenOf,
  authenticatorOf,
  callAs,
  claimsOf,
  enrollTotp,
  newSecuredPerson,
  showTotp,
  signInAs,
} from '../support/second-factor.js';
import { payloadOf } from '../support/sign-token.js';
import { itSlow } from '../support/slow-tests.js';

const WRONG = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' };
const NOBODY = '00000000-0000-4000-8000-000000000000';

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ TRUSTED_PROXIES: '127.0.0.1', AUTH_ANONYMOUS_ENABLED: 'true' });
});

const newClient = async () => await signInAs(server, await server.newPerson());
const refused = (status: number, code: string, message: string) => ({ status, body: { code, message } });

describe('an authenticator app', () => {
  it('is added, verified, listed, asked for at the next sign-in, and removed', async () => {
    const email = await server.newPerson();
    const [client, other] = [await signInAs(server, email), await signInAs(server, email)];
    const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' });
    if (error) throw error;
    expect(data).toEqual({
      id: expect.any(String),
      type: 'totp',
      friendly_name: 'My phone',
      totp: {
        qr_code: expect.stringMatching(/^data:image\/svg\+xml;utf-8,<svg xmlns="[^"#]*" viewBox="[^#]*<\/svg>$/),
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.any(String),
      },
    });
    const { id: factorId, totp } = data;
    const { host } = new URL(server.app.config.auth.siteUrl);
    expect(decodeURIComponent(totp.uri)).toBe(
      `otpauth://totp/${host}:${email}?issuer=${host}&secret=${totp.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const factor = {
      id: factorId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      status: 'unverified',
      friendly_name: 'My phone',
      factor_type: 'totp',
      phone: '',
      last_challenged_at: null,
    };
    expect((await client.getUser()).data.user?.factors).toEqual([factor]);
    expect((await client.mfa.listFactors()).data).toMatchObject({ all: [factor], totp: [] });
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' });

    const app = authenticatorOf(server, factorId, totp.secret);
    const before = (await client.getSession()).data.session;
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    const challenge = await client.mfa.challenge({ factorId });
    expect(challenge.data).toEqual({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) });
    const challengeId = challenge.data?.id ?? '';
    expect((await client.mfa.verify({ factorId, challengeId, code: app.code() })).error).toBeNull();
    expect(events).toContain('MFA_CHALLENGE_VERIFIED');

    const after = (await client.getSession()).data.session;
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
    const { session_id: sessionId } = payloadOf(before?.access_token ?? '');
    expect(payloadOf(after?.access_token ?? '')).toMatchObject({
      session_id: sessionId,
      aal: 'aal2',
      amr: [
        { method: 'totp', timestamp: expect.any(Number) },
        { method: 'password', timestamp: expect.any(Number) },
      ],
    });
    expect((await client.mfa.listFactors()).data?.totp).toEqual([
      { ...factor, status: 'verified', last_challenged_at: expect.any(String) },
    ]);
    const level = { currentLevel: 'aal2', nextLevel: 'aal2' };
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject(level);
    // The session on the other device has not shown it.
    expect((await other.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect((await client.refreshSession()).error).toBeNull();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2', session_id: sessionId });

    const later = await signInAs(server, email);
    expect((await later.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ ...level, currentLevel: 'aal1' });
    await showTotp(server, later, app);
    expect(await claimsOf(later)).toMatchObject({ aal: 'aal2' });
    expect((await client.getUser()).error).toBeNull();

    expect(await later.mfa.unenroll({ factorId })).toEqual({ data: { id: factorId }, error: null });
    expect((await client.mfa.listFactors()).data?.all).toEqual([]);
    for (const lowered of [client, later]) {
      expect((await lowered.refreshSession()).error).toBeNull();
      expect(await claimsOf(lowered)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
    }
  });

  it('has the issuer that was asked for, however long the QR code gets', async () => {
    const client = await newClient();
    const issuer = 'Ä: & "Söhne" #'.padEnd(100, '語');
    const { data } = await client.mfa.enroll({ factorType: 'totp', issuer });
    expect(new URL(data?.totp.uri ?? '').searchParams.get('issuer')).toBe(issuer);
    const tooLong = await callAs(server, client, '/factors', { factor_type: 'totp', issuer: `${issuer}x` });
    expect(tooLong).toMatchObject(refused(400, 'validation_failed', 'issuer can have 100 characters at most'));
    const named = await callAs(server, client, '/factors', { factor_type: 'totp', friendly_name: 'x'.repeat(101) });
    expect(named).toMatchObject(refused(400, 'validation_failed', 'friendly_name can have 100 characters at most'));
  });
});

describe('a code', () => {
  it('is accepted once, one step early or late, and none after a newer one', async () => {
    const client = await newClient();
    const app = await enrollTotp(server, client);
    const show = async (code: string) => (await client.mfa.challengeAndVerify({ ...app, code })).error;
    beginStep(server);
    for (const code of [app.code(-2), app.code(2), '12345', 'abcdef']) expect(await show(code)).toMatchObject(WRONG);
    expect(await show(app.code(-1))).toBeNull();
    server.advance(900);
    const present = app.code();
    expect(await show(present)).toBeNull();
    expect(await show(present)).toMatchObject(WRONG);
    expect(await show(app.code(-1))).toMatchObject(WRONG);
    expect(await show(app.code(1))).toBeNull();
    expect(await show(present)).toMatchObject(WRONG);
    server.advance(30);
    // This is the one that was accepted early.
    expect(await show(app.code())).toMatchObject(WRONG);
  });

  itSlow('may be wrong five times in 15 minutes, whoever reads the mails, and a right one waits as well', async () => {
    const { client, app, email } = await newSecuredPerson(server);
    server.advance(60);
    const challengeId = (await client.mfa.challenge({ factorId: app.factorId })).data?.id ?? '';
    const show = async (code: string) => (await client.mfa.verify({ factorId: app.factorId, challengeId, code })).error;
    const wrong = app.code(500);
    for (let count = 0; count < 5; count += 1) expect(await show(wrong)).toMatchObject(WRONG);
    const waiting = { status: 429, code: 'over_request_rate_limit', message: 'Request rate limit reached' };
    expect(await show(app.code())).toMatchObject(waiting);
    await client.resetPasswordForEmail(email);
    const { otp: token } = await server.mailbox.read(email);
    const recovered = server.client();
    expect((await recovered.verifyOtp({ email, token, type: 'recovery' })).error).toBeNull();
    const again = await recovered.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    expect(again.error).toMatchObject(waiting);
    server.advance(900);
    expect((await recovered.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() })).error).toBeNull();
  });
});

describe('a challenge', () => {
  it('is good once, for 300 seconds, for its factor and for the client that began it', async () => {
    const { client, app } = await newSecuredPerson(server);
    const begin = async () => (await callAs(server, client, `/factors/${app.factorId}/challenge`, {})).body['id'];
    const verify = async (id: unknown, code: string, ip?: string) =>
      await callAs(server, client, `/factors/${app.factorId}/verify`, { challenge_id: id, code }, ip);
    server.advance(60);
    const first = await begin();
    const elsewhere = await verify(first, app.code(), '192.0.2.2');
    const mismatch = refused(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
    expect(elsewhere).toMatchObject(mismatch);
    expect(await verify(first, app.code(500))).toMatchObject(refused(422, WRONG.code, WRONG.message));
    const notFound = refused(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
    for (const id of [NOBODY, 'nonsense', undefined]) expect(await verify(id, app.code())).toMatchObject(notFound);
    const empty = await verify(first, '');
    expect(empty).toMatchObject(refused(400, 'validation_failed', 'Code needs to be non-empty'));
    const answer = await verify(first, app.code());
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'bearer', refresh_token: expect.any(String) } });
    server.advance(31);
    expect(await verify(first, app.code())).toMatchObject(mismatch);

    const second = await begin();
    const spare = await enrollTotp(server, client, 'spare');
    const other = await callAs(server, client, `/factors/${spare.factorId}/verify`, {
      challenge_id: second,
      code: '1',
    });
    expect(other).toMatchObject(notFound);
    server.advance(300);
    const expired = (id: unknown) =>
      refused(
        422,
        'mfa_challenge_expired',
        `MFA challenge ${String(id)} has expired, verify against another challenge or create a new challenge.`,
      );
    expect(await verify(second, app.code())).toMatchObject(expired(second));
    // Begun by a clock that was ahead, and is set back.
    server.advance(2 * 3600);
    await client.refreshSession();
    const early = await begin();
    server.advance(-2 * 3600);
    expect(await verify(early, app.code())).toMatchObject(expired(early));
    server.advance(3600);
    await client.refreshSession();
    await begin();
    expect(await verify(second, app.code())).toMatchObject(notFound);
  });
});

describe('a call about factors', () => {
  it('needs a session of somebody with an address, and a factor of theirs', async () => {
    const [client, stranger] = [await newClient(), await newSecuredPerson(server)];
    const noToken = await server.call('/factors', { method: 'POST', body: { factor_type: 'totp' } });
    expect(noToken).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
    const anonymous = server.client();
    await anonymous.signInAnonymously();
    const message = 'Anonymous user not allowed to perform these actions';
    for (const [path, method] of [
      ['/factors', 'POST'],
      [`/factors/${NOBODY}/challenge`, 'POST'],
      [`/factors/${NOBODY}/verify`, 'POST'],
      [`/factors/${NOBODY}`, 'DELETE'],
    ] as const) {
      const answer = await callAs(server, anonymous, path, {}, undefined, method);
      expect(answer).toMatchObject(refused(403, 'no_authorization', message));
      if (path === '/factors') continue;
      const malformed = await callAs(server, client, path.replace(NOBODY, 'x'), { code: '1' }, undefined, method);
      expect(malformed).toMatchObject(refused(404, 'validation_failed', 'factor_id must be an UUID'));
      for (const id of [NOBODY, stranger.app.factorId]) {
        const unknown = await callAs(server, client, path.replace(NOBODY, id), { code: '1' }, undefined, method);
        expect(unknown).toMatchObject(refused(404, 'mfa_factor_not_found', 'Factor not found'));
      }
    }
    expect((await stranger.client.mfa.listFactors()).data?.totp).toHaveLength(1);
  });

  itSlow('that adds one is refused for other types, those that are off, names in use, and too many', async () => {
    const few = await startAuthServer({ AUTH_MFA_MAX_FACTORS: '3' });
    const client = await signInAs(few, await few.newPerson());
    const add = async (body: object) => await callAs(few, client, '/factors', body);
    const oneOf = refused(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn');
    for (const type of ['sms', 'TOTP', '', null, 'toString'])
      expect(await add({ factor_type: type })).toMatchObject(oneOf);
    expect(await add({ factor_type: 1 })).toMatchObject({ status: 400, body: { code: 'bad_json' } });
    const off = (code: string, type: string) => refused(422, code, `MFA enroll is disabled for ${type}`);
    expect(await add({ factor_type: 'phone' })).toMatchObject(off('mfa_phone_enroll_not_enabled', 'Phone'));
    expect(await add({ factor_type: 'webauthn' })).toMatchObject(off('mfa_webauthn_enroll_not_enabled', 'WebAuthn'));
    for (const friendlyName of [undefined, 'one']) {
      await enrollTotp(few, client, friendlyName);
      const name = friendlyName ?? '';
      const conflict = `A factor with the friendly name "${name}" for this user already exists`;
      const again = await add({ factor_type: 'totp', friendly_name: friendlyName });
      expect(again).toMatchObject(refused(422, 'mfa_factor_name_conflict', conflict));
    }
    await enrollTotp(few, client, 'two');
    const tooMany = 'Maximum number of verified factors reached, unenroll to continue';
    const fourth = { factor_type: 'totp', friendly_name: 'three' };
    expect(await add(fourth)).toMatchObject(refused(422, 'too_many_enrolled_mfa_factors', tooMany));
    // Those that nobody goes on with are gone after 300 seconds, but not the one that is being verified.
    few.advance(299);
    const { data } = await client.mfa.listFactors();
    await client.mfa.challenge({ factorId: data?.all[0]?.id ?? '' });
    few.advance(10);
    expect(await add(fourth)).toMatchObject({ status: 200 });
    const left = (await client.mfa.listFactors()).data?.all.map(({ friendly_name: name }) => name);
    expect(left).toEqual([undefined, 'three']);
  });

  itSlow('is refused where authenticator apps are switched off', async () => {
    const off = await startAuthServer({ AUTH_TOTP_ENABLED: 'false' });
    const enroll = await (await signInAs(off, await off.newPerson())).mfa.enroll({ factorType: 'totp' });
    const message = 'MFA enroll is disabled for TOTP';
    expect(enroll.error).toMatchObject({ status: 422, code: 'mfa_totp_enroll_not_enabled', message });
    const mute = await startAuthServer({ AUTH_TOTP_VERIFY_ENABLED: 'false' });
    const client = await signInAs(mute, await mute.newPerson());
    const { factorId } = await enrollTotp(mute, client);
    const disabled = refused(422, 'mfa_totp_verify_not_enabled', 'MFA verification is disabled for TOTP');
    for (const path of ['challenge', 'verify']) {
      expect(await callAs(mute, client, `/factors/${factorId}/${path}`, { code: '1' })).toMatchObject(disabled);
    }
  });

  itSlow('is limited to AUTH_RATE_LIMIT_FACTOR challenges, and as many verifications, in a minute', async () => {
    const strict = await startAuthServer({ AUTH_RATE_LIMIT_FACTOR: '1', AUTH_RATE_LIMIT_BURST: '2' });
    const client = await signInAs(strict, await strict.newPerson());
    for (const path of ['challenge', 'verify']) {
      const call = async () => (await callAs(strict, client, `/factors/${NOBODY}/${path}`, { code: '1' })).status;
      expect([await call(), await call(), await call()]).toEqual([404, 404, 429]);
    }
  });
});

describe('what needs aal2', () => {
  it('is adding and removing factors, and changing the password or an address', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    const spare = await enrollTotp(server, client, 'spare');
    const low = await signInAs(server, email);
    expect(await callAs(server, low, '/factors', { factor_type: 'totp' })).toMatchObject(
      refused(403, 'insufficient_aal', 'AAL2 required to enroll a new factor'),
    );
    const removal = await low.mfa.unenroll({ factorId: app.factorId });
    const message = 'AAL2 required to unenroll verified factor';
    expect(removal.error).toMatchObject({ status: 422, code: 'insufficient_aal', message });
    // Whoever knows the password could have added it before there was another one.
    const first = await low.mfa.challengeAndVerify({ factorId: spare.factorId, code: spare.code() });
    expect(first.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    const update = 'AAL2 session is required to update email or password when MFA is enabled.';
    for (const body of [{ password: 'another horse 8' }, { email: server.newEmail() }, { phone: '4915112345678' }]) {
      const answer = await callAs(server, low, '/user', body, undefined, 'PUT');
      expect(answer).toMatchObject(refused(401, 'insufficient_aal', update));
    }
    expect((await low.updateUser({ data: { name: 'Ada' } })).error).toBeNull();
    expect((await low.updateUser({ email })).error).toBeNull();
    expect((await low.mfa.unenroll({ factorId: spare.factorId })).error).toBeNull();
    expect((await client.updateUser({ password: 'another horse 8' })).error).toBeNull();
    const changed = server.client();
    const again = await changed.signInWithPassword({ email, password: 'another horse 8' });
    expect(again.data.session?.user.factors).toHaveLength(1);
  });

  it('asks the row of the session, not the token, which may be older than the removal of a factor', async () => {
    const { client, app } = await newSecuredPerson(server);
    const spare = await enrollTotp(server, client, 'spare');
    await showTotp(server, client, spare);
    await showTotp(server, client, app);
    // The session was raised by both, and by this one last.
    expect((await client.mfa.unenroll({ factorId: app.factorId })).error).toBeNull();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2' });
    const change = await client.updateUser({ password: 'another horse 8' });
    expect(change.error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    const addition = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'third' });
    expect(addition.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    const removal = await client.mfa.unenroll({ factorId: spare.factorId });
    expect(removal.error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    await client.refreshSession();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
  });

  it('believes no token that says aal2 itself', async () => {
    const { email } = await newSecuredPerson(server);
    const low = await signInAs(server, email);
    const [head = '', payload = '', signature = ''] = (await accessTokenOf(low)).split('.');
    const claims = { ...payloadOf(`.${payload}.`), aal: 'aal2', amr: [{ method: 'totp', timestamp: 1 }] };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const token of [
      `${head}.${encode(claims)}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`,
    ]) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await server.call('/user', { method: 'PUT', headers, body: { password: 'another horse 8' } });
      expect(answer).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
      const addition = await server.call('/factors', { method: 'POST', headers, body: { factor_type: 'totp' } });
      expect(addition).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
    }
    expect((await server.client().signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });
});

describe('sessions below aal2', () => {
  itSlow('of people with a second factor end after AUTH_SESSION_LOW_AAL', async () => {
    const low = await startAuthServer({ AUTH_SESSION_LOW_AAL: '600' });
    const { email, client } = await newSecuredPerson(low);
    const lacking = await signInAs(low, email);
    const without = await signInAs(low, await low.newPerson());
    low.advance(599);
    expect((await lacking.refreshSession()).error).toBeNull();
    low.advance(2);
    expect((await lacking.refreshSession()).error).toMatchObject({
      status: 400,
      code: 'session_expired',
      message: 'Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)',
    });
    for (const other of [client, without]) expect((await other.refreshSession()).error).toBeNull();
  });
});
