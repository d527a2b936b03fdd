import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.js';
import type { PersonalData } from '../../src/privacy/privacy.service.js';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { runCommand } from '../support/command.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { withClient } from '../support/installation.js';
import { createReleasedDatabase } from '../support/last-release.js';
import { accessTokenOf } from '../support/second-factor.js';

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer();
});

afterEach(() => assumeAddresses(false));

/** As after a start with another AUTH_MAIL_AUTOCONFIRM. */
function assumeAddresses(isAutoconfirmed: boolean): void {
  Object.assign(server.app.config.auth, { mail: { ...server.app.config.auth.mail, isAutoconfirmed } });
}

/** Somebody who signed up with an address while none had to be confirmed, which by now they have. */
async function newAssumedPerson(
  email = server.newEmail(),
): Promise<{ readonly email: string; readonly client: Client }> {
  assumeAddresses(true);
  const client = server.client();
  const { error } = await client.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
  assumeAddresses(false);
  return { email, client };
}

async function addEnquiry(email: string): Promise<void> {
  expect((await sendEnquiry(server.app, buildEnquiry({ email }))).statusCode).toBe(200);
}

/** How many enquiries the copy of their data has, and whether it says that nobody has shown the address to be theirs. */
async function lookAtCopy(client: Client) {
  const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
  const { enquiries, accounts } = (
    await server.app.inject({ url: '/api/account/export', headers })
  ).json<PersonalData>();
  return { enquiries: enquiries.length, isAssumed: accounts[0]?.email_assumed_at !== null };
}

async function showAddress(email: string): Promise<Client> {
  const client = server.client();
  await client.signInWithOtp({ email });
  const { error } = await client.verifyOtp({ email, token: (await server.mailbox.read(email)).otp, type: 'email' });
  expect(error).toBeNull();
  return client;
}

describe('an address that was confirmed by AUTH_MAIL_AUTOCONFIRM alone', () => {
  it('opens nothing of whoever has it once that is off, but all to who came by a mail to it', async () => {
    const { email, client } = await newAssumedPerson();
    await addEnquiry(email);
    expect(await lookAtCopy(client)).toEqual({ enquiries: 0, isAssumed: true });
    expect(await lookAtCopy(await showAddress(email))).toEqual({ enquiries: 1, isAssumed: true });
    expect(await lookAtCopy(client)).toEqual({ enquiries: 0, isAssumed: true });
  });

  it('leaves the enquiries of whoever has it when the account is erased', async () => {
    const { email, client } = await newAssumedPerson();
    await addEnquiry(email);
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/account/deletion',
      headers: { authorization: `Bearer ${await accessTokenOf(client)}` },
      payload: { confirmation: 'delete my account', password: PASSWORD },
    });
    expect(answer.statusCode).toBe(204);
    const owner = server.client();
    await owner.signUp({ email, password: PASSWORD });
    await owner.verifyOtp({ email, token: (await server.mailbox.read(email)).otp, type: 'signup' });
    expect(await lookAtCopy(owner)).toEqual({ enquiries: 1, isAssumed: false });
  });

  it('is one to which somebody has changed meanwhile, and none when the mail to it was followed', async () => {
    const email = await server.newPerson();
    const client = await showAddress(email);
    const [taken, own] = [server.newEmail(), server.newEmail()];
    await addEnquiry(taken);
    assumeAddresses(true);
    await client.updateUser({ email: taken });
    assumeAddresses(false);
    expect(await lookAtCopy(client)).toEqual({ enquiries: 0, isAssumed: true });

    await client.updateUser({ email: own });
    for (const address of [taken, own]) {
      const { otp } = await server.mailbox.read(address);
      await client.verifyOtp({ email: address, token: otp, type: 'email_change' });
    }
    await addEnquiry(own);
    expect(await lookAtCopy(client)).toEqual({ enquiries: 1, isAssumed: false });
  });

  it('is never one to which the present mailbox alone has agreed, also where the settings have changed meanwhile', async () => {
    const email = await server.newPerson();
    const client = await showAddress(email);
    const next = server.newEmail();
    await client.updateUser({ email: next });
    assumeAddresses(true);
    await client.verifyOtp({ email, token: (await server.mailbox.read(email)).otp, type: 'email_change' });
    assumeAddresses(false);
    expect((await client.getUser()).data.user?.email).toBe(email);
    await client.verifyOtp({ email: next, token: (await server.mailbox.read(next)).otp, type: 'email_change' });
    expect((await client.getUser()).data.user?.email).toBe(next);
  });

  it('is vouched for by an operator who confirms the account', async () => {
    const { email, client } = await newAssumedPerson();
    await addEnquiry(email);
    const confirm = () => runCommand(server.app, ['users', 'confirm', email]);
    expect((await confirm()).stdout).toBe(`${email} is confirmed.\n`);
    expect(await lookAtCopy(client)).toEqual({ enquiries: 1, isAssumed: false });
    expect((await confirm()).stdout).toBe(`${email} is confirmed already.\n`);
  });

  it('is recognized among the accounts of the last release', async () => {
    const url = await createReleasedDatabase();
    await withClient(url, (client) =>
      client.query(`
        insert into auth.users (aud, role, email, created_at, email_confirmed_at, confirmation_sent_at, user_metadata) values
          ('authenticated', '', 'assumed@example.com', '2026-01-01 10:00:00', '2026-01-01 10:00:00.02', null, '{"sub": "1"}'),
          ('authenticated', '', 'shown@example.com', '2026-01-01 10:00', '2026-01-01 10:05', '2026-01-01 10:00', '{"sub": "2"}'),
          ('authenticated', '', 'late@example.com', '2026-01-01 10:00', '2026-01-01 10:05', null, '{"sub": "3"}'),
          ('authenticated', '', 'provided@example.com', '2026-01-01 10:00', '2026-01-01 10:00', null, '{"sub": "4"}'),
          ('authenticated', '', 'waiting@example.com', '2026-01-01 10:00', null, null, '{"sub": "5"}');
        insert into auth.identities (user_id, provider, provider_id, identity_data, created_at)
          select id, 'azure', '4', '{}', created_at from auth.users where email = 'provided@example.com'`),
    );
    await migrate(url);
    const assumed = await withClient(url, async (client) => {
      const { rows } = await client.query<{ email: string }>(
        'select email from auth.users where email_assumed_at is not null',
      );
      return rows.map(({ email }) => email);
    });
    expect(assumed).toEqual(['assumed@example.com']);
  });
});
