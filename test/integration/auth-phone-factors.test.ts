import { beforeAll, expect, it } from '@jest/globals';
import { AccountDataService } from '../../src/auth/admin/account-data.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { callAs, claimsOf, signInAs } from '../support/second-factor.js';

const PHONE = '4915112345678';
const CODE = '123456';

let server: AuthServer;

beforeAll(async () => {
  const settings = { AUTH_PHONE_FACTORS_ENABLED: 'true', AUTH_SMS_TEST_OTP: `${PHONE}:${CODE}` };
  server = await startAuthServer({ ...settings, TRUSTED_PROXIES: '127.0.0.1' });
});

const refused = (status: number, code: string, message: string) => ({ status, body: { code, message } });
const enroll = async ({ mfa }: Client, phone: string) => {
  const { data, error } = await mfa.enroll({ factorType: 'phone', phone, friendlyName: `at ${phone}` });
  if (error) throw error;
  return data;
};

it('a phone is added, sent a code, verified, asked for at the next sign-in, and exported', async () => {
  const email = await server.newPerson();
  const client = await signInAs(server, email);
  const added = await enroll(client, `+${PHONE}`);
  const { id: factorId } = added;
  expect(added).toEqual({ id: expect.any(String), type: 'phone', friendly_name: `at +${PHONE}`, phone: PHONE });
  const challenge = await client.mfa.challenge({ factorId, channel: 'sms' });
  expect(challenge.data).toEqual({ id: expect.any(String), type: 'phone', expires_at: expect.any(Number) });
  const challengeId = challenge.data?.id ?? '';
  const wrong = { status: 422, code: 'mfa_verification_failed', message: 'Invalid MFA Phone code entered' };
  for (const code of ['654321', `${CODE}0`]) {
    expect((await client.mfa.verify({ factorId, challengeId, code })).error).toMatchObject(wrong);
  }
  expect((await client.mfa.verify({ factorId, challengeId, code: CODE })).error).toBeNull();
  expect(await claimsOf(client)).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, { method: 'password' }] });
  const factor = { id: factorId, factor_type: 'phone', status: 'verified', phone: PHONE };
  expect((await client.mfa.listFactors()).data?.phone).toMatchObject([factor]);
  const again = await client.mfa.verify({ factorId, challengeId, code: CODE });
  expect(again.error).toMatchObject({ code: 'mfa_ip_address_mismatch' });

  server.advance(60);
  const later = await signInAs(server, email);
  const level = (await later.mfa.getAuthenticatorAssuranceLevel()).data;
  expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
  expect((await later.mfa.challengeAndVerify({ factorId, code: CODE })).error).toBeNull();
  const [account] = await server.app.get(AccountDataService).exportAccounts(OPERATOR, email);
  expect(account?.second_factors).toMatchObject([{ type: 'phone', phone: PHONE }]);
  expect((await later.mfa.recoveryCodes.generate()).error).toBeNull();
  expect((await later.mfa.unenroll({ factorId })).error).toBeNull();
  expect((await later.mfa.listFactors()).data?.all).toEqual([]);
});

it('a number is needed that a message can be sent to, once a minute, also when several ask at once', async () => {
  const client = await signInAs(server, await server.newPerson());
  const add = async (phone?: string) => await callAs(server, client, '/factors', { factor_type: 'phone', phone });
  const required = 'Phone number required to enroll Phone factor';
  expect(await add()).toMatchObject(refused(400, 'validation_failed', required));
  const malformed = 'Invalid phone number format (E.164 required)';
  expect(await add('0151')).toMatchObject(refused(400, 'validation_failed', malformed));
  const elsewhere = await enroll(client, '4915100000000');
  const failed = 'Error sending confirmation OTP to provider: no provider is configured';
  for (let count = 0; count < 2; count += 1) {
    const { error } = await client.mfa.challenge({ factorId: elsewhere.id, channel: 'sms' });
    expect(error).toMatchObject({ status: 422, code: 'sms_send_failed', message: failed });
  }
  const { id: factorId } = await enroll(client, PHONE);
  const ask = async () => (await client.mfa.challenge({ factorId, channel: 'sms' })).error;
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.filter((error) => error === null)).toHaveLength(1);
  for (const error of [...answers.filter((answer) => answer !== null), await ask()]) {
    expect(error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' });
  }
  // A number that is added anew is no way around it.
  await client.mfa.unenroll({ factorId });
  const { id: anew } = await enroll(client, PHONE);
  const askAnew = async () => (await client.mfa.challenge({ factorId: anew, channel: 'sms' })).error;
  expect(await askAnew()).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' });
  server.advance(61);
  expect(await askAnew()).toBeNull();
});

it('phones are refused where their codes are switched off', async () => {
  const { database, dataDir } = server.app.config;
  const mute = await startAuthServer({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    AUTH_PHONE_FACTORS_ENABLED: 'true',
    AUTH_PHONE_FACTORS_VERIFY_ENABLED: 'false',
    AUTH_PHONE_ENABLED: 'true',
    DATABASE_POOL_SIZE: '1',
  });
  const client = await signInAs(mute, await mute.newPerson());
  const { id } = await enroll(client, PHONE);
  const message = 'MFA verification is disabled for Phone';
  for (const path of ['challenge', 'verify']) {
    const answer = await callAs(mute, client, `/factors/${id}/${path}`, { code: CODE });
    expect(answer).toMatchObject(refused(422, 'mfa_phone_verify_not_enabled', message));
  }
  // Counting a message that could not be sent takes no second connection, also where there is one.
  const otp = await mute.call('/otp', { method: 'POST', body: { phone: '4915100000001' } });
  expect(otp).toMatchObject({ status: 422, body: { code: 'sms_send_failed' } });
});
