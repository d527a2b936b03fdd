import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountDataService } from '../../src/auth/admin/account-data.service.js';
import { AdminUsersService } from '../../src/auth/admin/admin-users.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { adminUserBody } from '../../src/auth/api/request-bodies.js';
import { JOB_QUEUE_SCHEMA } from '../../src/database/job-queue-schema.js';
import type { AccountNoticeJob } from '../../src/mail/mail.service.js';
import { PeopleService } from '../../src/people/people.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { enrollTotp, showTotp, signInAs } from '../support/second-factor.js';
import { itSlow } from '../support/slow-tests.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ TRUSTED_PROXIES: '127.0.0.1', AUTH_RATE_LIMIT_MAIL: '10' });
});

// Each test begins with all the mails of an hour.
beforeEach(async () => {
  await server.app.get(EntityManager).fork().execute('delete from auth.rate_limits');
});

/** An administrator who has signed in before. */
async function newAdmin() {
  const email = await server.newPerson();
  const id = await idOf(email);
  await server.app.get(RolesService).grantAdmin(OPERATOR, id);
  return { email, id };
}

async function idOf(email: string): Promise<string> {
  return (await server.app.get(UsersService).findByEmailOrId(OPERATOR, email))?.id ?? '';
}

const signIn = (email: string, headers: Record<string, string> = {}) =>
  server.call('/token?grant_type=password', { method: 'POST', body: { email, password: PASSWORD }, headers });

/** The notices that were queued for somebody, the oldest first. */
async function noticesTo(userId: string): Promise<AccountNoticeJob[]> {
  const em = server.app.get(EntityManager).fork();
  const select = `select data from ${JOB_QUEUE_SCHEMA}.job
    where data->>'kind' = 'account' and data->>'userId' = ? order by created_on, data->>'formerAddress' nulls first`;
  const rows = await em.execute<{ data: AccountNoticeJob }[]>(select, [userId]);
  return rows.map(({ data }) => data);
}

const kindsTo = async (userId: string) => (await noticesTo(userId)).map(({ event }) => event.kind);

describe('administrators hear by mail', () => {
  it('of a sign-in on a device that is not known, with its browser, system and address', async () => {
    const { email, id } = await newAdmin();
    const from = { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' };
    const first = await signIn(email, from);
    const { subject, text } = await server.mailbox.read(email);
    expect(subject).toContain('New sign-in');
    expect(text).toContain('Browser: Firefox\nSystem: Windows\nInternet address: 203.0.113.7\n');
    expect(text).toContain('http://site.test/account');

    // The same browser without its cookies, from beside it: once a day.
    await signIn(email, { ...from, 'x-forwarded-for': '203.0.113.9' });
    // A device that is known by its cookie, wherever it is.
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await signIn(email, { cookie, 'x-forwarded-for': '198.51.100.1' })).status).toBe(200);
    expect(await kindsTo(id)).toEqual(['new_device']);

    await signIn(email, { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.1' });
    expect(await kindsTo(id)).toEqual(['new_device', 'new_device']);
  });

  it('of no more than five new devices a day, however many there are', async () => {
    const { email, id } = await newAdmin();
    for (let network = 1; network <= 7; network += 1) {
      expect((await signIn(email, { 'x-forwarded-for': `203.0.${network}.1` })).status).toBe(200);
    }
    expect(await kindsTo(id)).toHaveLength(5);
  });

  it('of a password that they or an operator changed', async () => {
    const { email, id } = await newAdmin();
    const client = await signInAs(server, email);
    await client.updateUser({ password: `${PASSWORD} new` });
    await server.app.get(UsersService).setPassword(OPERATOR, id, `${PASSWORD} newer`);
    expect(await kindsTo(id)).toEqual(['new_device', 'password_changed', 'password_changed']);
  });

  it('of a role that somebody gave them, without a word of a new password', async () => {
    const email = await server.newPerson();
    const people = server.app.get(PeopleService);
    const { person } = await people.invite(OPERATOR, { email, role: 'author' });
    const granted = await server.mailbox.read(email);
    await people.change(OPERATOR, person.id, { role: 'admin' });
    const changed = await server.mailbox.read(email);
    expect([granted.subject, changed.subject]).toEqual([
      expect.stringContaining('You can write posts now'),
      expect.stringContaining('You are an administrator now'),
    ]);
    for (const { text } of [granted, changed]) {
      expect(text).toMatch(/Somebody who administers the site gave you this role\. If you did not expect it, call \S/);
      expect(text).not.toMatch(/If this was you|password/);
    }
  });

  it('of a changed address, at the former one too, which is told the new one', async () => {
    const { email, id } = await newAdmin();
    const body = { email: `new-${email}`, email_confirm: true };
    await server.app.get(AdminUsersService).update({ kind: 'program', userId: null }, id, adminUserBody.parse(body));
    const [toFormer, toPresent] = [await server.mailbox.read(email), await server.mailbox.read(`new-${email}`)];
    expect(toFormer.text).toContain(`no longer has this email address. It has new-${email} now.`);
    expect(toFormer.text).not.toContain('/account');
    expect(toPresent.text).toContain('has this email address now.');

    const former = (await noticesTo(id)).find(({ formerAddress }) => formerAddress === email);
    expect(former?.event.kind).toBe('email_changed');
    await server.app.get(AccountDataService).eraseAccounts(OPERATOR, email, () => Promise.resolve());
    expect((await noticesTo(id)).map(({ formerAddress }) => formerAddress)).toEqual([undefined]);
  });

  itSlow('of second factors that come and go', async () => {
    const { email, id } = await newAdmin();
    const client = await signInAs(server, email);
    await server.mailbox.read(email);
    const app = await enrollTotp(server, client, 'my phone');
    expect(await kindsTo(id)).toEqual(['new_device']);
    await showTotp(server, client, app);
    const added = await server.mailbox.read(email);
    expect(added.subject).toContain('New authenticator app');
    expect(added.text).toContain('Name: my phone');
    await client.mfa.unenroll({ factorId: app.factorId });
    expect((await server.mailbox.read(email)).subject).toContain('Removed: authenticator app');
  });

  it('when everybody else has used up the mails of the hour, and signs in also if nothing is left', async () => {
    const { email, id } = await newAdmin();
    const em = server.app.get(EntityManager).fork();
    await em.execute(`update auth.rate_limits set tokens = -1000 where key = 'mail:server'`);
    expect((await signIn(email)).status).toBe(200);
    expect(await kindsTo(id)).toEqual(['new_device']);
    await em.execute(`update auth.rate_limits set tokens = 0 where key = 'mail:admins'`);
    expect((await signIn(email, { 'user-agent': FIREFOX })).status).toBe(200);
    expect(await kindsTo(id)).toEqual(['new_device']);
  });
});

it('tells nobody else, and nobody of the first sign-in', async () => {
  const email = await server.newPerson();
  await signIn(email);
  expect(await noticesTo(await idOf(email))).toEqual([]);

  const fresh = server.newEmail();
  const { id } = await server.app
    .get(UsersService)
    .createUser(OPERATOR, { email: fresh, password: PASSWORD, isConfirmed: true });
  await server.app.get(RolesService).grantAdmin(OPERATOR, id);
  expect((await signIn(fresh)).status).toBe(200);
  expect(await noticesTo(id)).toEqual([]);
});
