import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { FactorsService } from '../../src/auth/factors/factors.service.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { examineConfig } from '../../src/doctor/examined-config.js';
import { PeopleService } from '../../src/people/people.service.js';
import { PostOwnersService } from '../../src/posts/post-owners.service.js';
import { Post } from '../../src/posts/post.entity.js';
import { PrivacyService, type PersonalData } from '../../src/privacy/privacy.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { buildEnquiry, sendEnquiry, storedEnquiries } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { accessTokenOf, enrollTotp, newSecuredPerson, showTotp, signInAs } from '../support/second-factor.js';
import { fewOf } from '../support/slow-tests.js';
import { until } from '../support/until.js';

const WORDS = 'delete my account';

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ AUTH_REQUIRE_ADMIN_MFA: 'true' });
});

async function ask(client: Client, method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json<{ code: string }>() };
}

const exportOf = async (client: Client) =>
  (await ask(client, 'GET', '/api/account/export')).body as unknown as PersonalData;
const remove = (client: Client, payload: object) => ask(client, 'POST', '/api/account/deletion', payload);
const refused = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) as object });
const idOf = async (email: string) => (await server.app.get(UsersService).findByEmailOrId(OPERATOR, email))?.id ?? '';

async function newPerson() {
  const email = await server.newPerson();
  return { email, client: await signInAs(server, email), id: await idOf(email) };
}

async function newAdmin() {
  const person = await newPerson();
  await server.app.get(RolesService).grantAdmin(OPERATOR, person.id);
  return person;
}

async function newAuthor() {
  const person = await newPerson();
  const grant = { role: 'author', mayPublish: true } as const;
  await server.app.get(PeopleService).grant(OPERATOR, person.id, grant);
  return person;
}

async function givePost(title: string, userId: string): Promise<void> {
  const [post] = await createPosts(server.app, [{ title }]);
  const { id } = (await server.app
    .get(EntityManager)
    .fork()
    .findOne(Post, { slug: post?.slug ?? '' }))!;
  await server.app.get(PostOwnersService).give(OPERATOR, id, userId);
}

async function addEnquiry(email: string): Promise<void> {
  const { statusCode } = await sendEnquiry(server.app, buildEnquiry({ email }));
  expect(statusCode).toBe(200);
  // The mail to the company is part of the copy, and goes out after the answer.
  await until(async () => {
    const sent = await storedEnquiries(server.app);
    return sent.every(({ sentAt }) => sentAt !== null);
  });
}

describe('the copy of one’s data', () => {
  it('is that of the operator, about the account that asks and no other', async () => {
    const { email, client } = await newPerson();
    const other = await newPerson();
    await other.client.updateUser({ email });
    await addEnquiry(email);
    await addEnquiry(other.email);
    await client.refreshSession();
    const copy = await exportOf(client);
    const operators = await server.app.get(PrivacyService).export(OPERATOR, email);
    expect(copy).toEqual(JSON.parse(JSON.stringify({ ...operators, accounts: copy.accounts })));
    expect(operators.accounts).toHaveLength(1);
    expect(copy.accounts).toMatchObject([{ email, sessions: [{}, {}] }]);
    expect(copy.enquiries).toMatchObject([{ email }]);
    expect(JSON.stringify(copy)).not.toContain(other.email);
  });

  it('has what the account did and what was done to it under a former address, and nothing that names nobody', async () => {
    const { email, client, id } = await newPerson();
    const audit = server.app.get(AuditService);
    const em = server.app.get(EntityManager).fork();
    await em.transactional(async (inner) => {
      await audit.recordForUser(inner, OPERATOR, 'user.unlocked', id);
      await audit.recordForUser(inner, { kind: 'user', userId: id }, 'user.passkey_added', id);
    });
    const gone = await newPerson();
    expect(await remove(gone.client, { confirmation: WORDS, password: PASSWORD })).toMatchObject({ status: 204 });
    const next = server.newEmail();
    await em.execute('update auth.users set email = ? where id = ?', [next, id]);
    await client.refreshSession();
    const operators = await server.app.get(PrivacyService).export(OPERATOR, next);
    for (const lines of [operators.audit, (await exportOf(client)).audit]) {
      const named = lines.filter(({ subject }) => subject === email).map(({ action, is_actor }) => [action, is_actor]);
      expect(named).toEqual(
        expect.arrayContaining([
          ['user.unlocked', false],
          ['user.passkey_added', true],
        ]),
      );
      expect(lines.map(({ subject }) => subject)).not.toContain('');
    }
  });

  it('has what each column of the account says, but for those that are named here', async () => {
    const { client, id } = await newPerson();
    const em = server.app.get(EntityManager).fork();
    await em.execute(`update auth.users set new_phone = '4915550001234' where id = ?`, [id]);
    const [account = {}] = (await exportOf(client)).accounts;
    expect(account).toMatchObject({ phone: null, new_phone: '4915550001234' });
    const columns = await em.execute<{ name: string }[]>(
      `select column_name as name from information_schema.columns where table_schema = 'auth' and table_name = 'users'`,
    );
    expect(
      columns
        .map(({ name }) => name)
        .filter((name) => !(name in account))
        .sort(),
    ).toEqual(
      [
        // A secret.
        ...['password_hash'],
        // How far a mail or a message is, and what every account of this site has.
        ...[
          'aud',
          'confirmation_sent_at',
          'deleted_at',
          'email_change_confirmations',
          'email_change_sent_at',
          'invited_at',
        ],
        ...[
          'is_anonymous',
          'is_sso_user',
          'phone_change_sent_at',
          'reauthentication_sent_at',
          'recovery_sent_at',
          'updated_at',
        ],
      ].sort(),
    );
  });

  it('has what names a former address in lines about others, and goes with the account, but not where somebody has it by now', async () => {
    const [erased, ended] = [await newAuthor(), await newAuthor()];
    await givePost('Given to the erased', erased.id);
    await givePost('Given to the ended', ended.id);
    const em = server.app.get(EntityManager).fork();
    const change = async (id: string, email: string) => {
      await em.execute('update auth.users set email = ? where id = ?', [email, id]);
      return email;
    };
    const next = await change(erased.id, server.newEmail());
    await change(ended.id, server.newEmail());
    const later = await newAuthor();
    await change(later.id, ended.email);
    await givePost('Given to the later one', later.id);
    await ended.client.refreshSession();
    const given = ({ audit }: PersonalData) =>
      audit.filter(({ action }) => action === 'post.given').map(({ subject, is_actor }) => [subject, is_actor]);
    expect(given(await server.app.get(PrivacyService).export(OPERATOR, next))).toEqual([
      ['Given to the erased', false],
    ]);
    expect(given(await exportOf(ended.client))).toEqual([]);
    const details = async () =>
      await em.execute<{ subject: string; to: string | null }[]>(
        `select subject, details->>'to' as to from audit_log where action = 'post.given' and subject like 'Given to %' order by id`,
      );
    await server.app.get(PrivacyService).erase(OPERATOR, next);
    expect(await remove(ended.client, { confirmation: WORDS, password: PASSWORD })).toMatchObject({ status: 204 });
    // Nobody can tell of which of the two that one is.
    expect(await details()).toEqual([
      { subject: 'Given to the erased', to: null },
      { subject: 'Given to the ended', to: ended.email },
      { subject: 'Given to the later one', to: ended.email },
    ]);
    expect(await remove(later.client, { confirmation: WORDS, password: PASSWORD })).toMatchObject({ status: 204 });
    expect((await details()).map(({ to }) => to)).toEqual([null, null, null]);
  });

  it('says of an account that was only to get the address when that was asked for, and nothing else', async () => {
    const { email, client, id } = await newPerson();
    await createPosts(server.app, [{ title: 'Not theirs', slug: 'not-theirs', author: 'Ada' }]);
    const em = server.app.get(EntityManager).fork();
    await em.execute(`update blog_posts set owner_id = ? where slug = 'not-theirs'`, [id]);
    const wanted = server.newEmail();
    expect((await client.updateUser({ email: wanted })).error).toBeNull();
    const operators = await server.app.get(PrivacyService).export(OPERATOR, wanted);
    expect(operators).toMatchObject({ accounts: [], waiting_changes: [{}], posts: [], answers: [] });
    // The mail that asks the present address names the other one.
    expect(JSON.stringify({ ...operators, captured_mails: [] })).not.toMatch(new RegExp(`${email}|${id}`));
    expect(await exportOf(client)).toMatchObject({ accounts: [{ email, new_email: wanted }], waiting_changes: [] });
  });

  it('is made ten times an hour', async () => {
    const { client } = await newPerson();
    const statuses: number[] = [];
    for (let time = 0; time < 11; time += 1) statuses.push((await ask(client, 'GET', '/api/account/export')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });
});

describe('the end of an account', () => {
  it('needs the words and the password, and takes everything but posts', async () => {
    const { email, client, id } = await newPerson();
    await addEnquiry(email);
    await createPosts(server.app, [{ title: 'By Ada', slug: 'by-ada', author: 'Ada' }]);
    expect(await remove(client, {})).toEqual(refused(400, 'validation_failed'));
    expect(await remove(client, { confirmation: 'delete', password: PASSWORD })).toEqual(
      refused(400, 'validation_failed'),
    );
    expect(await remove(client, { confirmation: WORDS })).toEqual(refused(400, 'current_password_required'));
    expect(await remove(client, { confirmation: WORDS, password: 'wrong' })).toEqual(
      refused(400, 'current_password_invalid'),
    );
    expect((await exportOf(client)).enquiries).toHaveLength(1);
    expect(await remove(client, { confirmation: ' Delete my ACCOUNT ', password: PASSWORD })).toEqual({
      status: 204,
      body: null,
    });
    expect(await ask(client, 'GET', '/api/me')).toEqual(refused(401, 'no_authorization'));
    expect((await client.refreshSession()).error?.code).toBe('refresh_token_not_found');
    const left = await server.app.get(PrivacyService).export(OPERATOR, email);
    expect(left).toMatchObject({ accounts: [], enquiries: [], audit: [], captured_mails: [] });
    const em = server.app.get(EntityManager).fork();
    const log = await em.execute(`select actor_email, subject from audit_log where action = 'user.deleted'`);
    expect(log).toContainEqual({ actor_email: null, subject: '' });
    expect(await em.execute(`select 1 from audit_log where subject_id = ? or actor_id::text = ?`, [id, id])).toEqual(
      [],
    );
    expect((await server.app.inject('/api/posts/by-ada')).json()).toMatchObject({ author: 'Ada' });
  });

  it('needs no password where a second factor was shown, but for one that the session has added', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    // Whoever took the session could have added it.
    expect(await remove(client, { confirmation: WORDS })).toEqual(refused(400, 'current_password_required'));
    const later = await signInAs(server, email);
    await showTotp(server, later, app);
    expect(await remove(later, { confirmation: WORDS })).toMatchObject({ status: 204 });
  });

  it('needs a code of just now where there is neither', async () => {
    const email = server.newEmail();
    const client = server.client();
    await client.signInWithOtp({ email });
    await client.verifyOtp({ email, token: (await server.mailbox.read(email)).otp, type: 'email' });
    server.advance(20 * 60);
    expect(await remove(client, { confirmation: WORDS })).toEqual(refused(403, 'reauthentication_needed'));
    await client.signInWithOtp({ email });
    await client.verifyOtp({ email, token: (await server.mailbox.read(email)).otp, type: 'email' });
    expect(await remove(client, { confirmation: WORDS })).toMatchObject({ status: 204 });
  });

  it('is refused to the last administrator, who loses nothing, and not to another one', async () => {
    const em = server.app.get(EntityManager).fork();
    await em.execute('delete from user_roles');
    const [one, other] = [await newAdmin(), await newAdmin()];
    await addEnquiry(other.email);
    const wish = { confirmation: WORDS, password: PASSWORD };
    expect(await remove(one.client, wish)).toMatchObject({ status: 204 });
    const answer = await remove(other.client, wish);
    expect(answer).toEqual(refused(409, 'last_admin'));
    expect(answer.body).toMatchObject({ message: expect.stringContaining('make someone else an administrator') });
    expect((await exportOf(other.client)).enquiries).toHaveLength(1);
  });

  it('leaves no session when somebody signs in at the same moment, and comes once when it is asked for twice', async () => {
    for (const _time of fewOf([1, 2, 3, 4, 5], (time) => time < 3)) {
      const { email, client, id } = await newPerson();
      const wish = { confirmation: WORDS, password: PASSWORD };
      const signingIn = server.client().signInWithPassword({ email, password: PASSWORD });
      const answers = await Promise.all([remove(client, wish), remove(client, wish), signingIn]);
      const statuses = answers.slice(0, 2).map((answer) => (answer as { status: number }).status);
      expect(statuses).toContain(204);
      expect(statuses.filter((status) => ![204, 401, 403].includes(status))).toEqual([]);
      const em = server.app.get(EntityManager).fork();
      expect(await em.execute('select 1 from auth.sessions where user_id = ?', [id])).toEqual([]);
      expect(await em.execute('select 1 from auth.users where id = ?', [id])).toEqual([]);
    }
  });
});

describe('administrators, of whom a second factor is asked', () => {
  const enter = (client: Client) => ask(client, 'GET', '/api/admin/audit');
  const isMissing = async (client: Client) =>
    ((await ask(client, 'GET', '/api/me')).body as unknown as { needs_second_factor: boolean }).needs_second_factor;

  it('are let in when they have shown one, and led to add one before', async () => {
    const { client, id } = await newAdmin();
    expect(await enter(client)).toEqual(refused(403, 'second_factor_required'));
    expect(await isMissing(client)).toBe(true);
    const app = await enrollTotp(server, client, 'app');
    expect(await enter(client)).toEqual(refused(403, 'second_factor_required'));
    await showTotp(server, client, app);
    expect(await enter(client)).toMatchObject({ status: 200 });
    expect(await isMissing(client)).toBe(false);

    // Who lost the phone is helped by an operator: the session is one without a factor at once.
    await server.app.get(FactorsService).remove(OPERATOR, id, app.factorId);
    expect(await enter(client)).toEqual(refused(403, 'second_factor_required'));
  });

  it('are asked for the one that they have, and nobody else is', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    await server.app.get(RolesService).grantAdmin(OPERATOR, await idOf(email));
    expect(await enter(client)).toMatchObject({ status: 200 });
    const other = await signInAs(server, email);
    expect(await enter(other)).toEqual(refused(401, 'insufficient_aal'));
    await showTotp(server, other, app);
    expect(await enter(other)).toMatchObject({ status: 200 });
    const person = await newPerson();
    expect(await enter(person.client)).toEqual(refused(403, 'not_admin'));
    expect(await isMissing(person.client)).toBe(false);
  });

  it('are named by doctor while they have none', async () => {
    const find = async (overrides: Record<string, string>) =>
      (await new DoctorService(examineConfig({ ...server.app.environment, ...overrides })).examine()).find(
        ({ check }) => check === 'admin-factors',
      );
    const em = server.app.get(EntityManager).fork();
    await em.execute('delete from user_roles');
    const { email, client } = await newAdmin();
    const found = await find({});
    expect(found).toMatchObject({
      level: 'warn',
      message: `administrators or authors without a second factor: ${email}`,
    });
    expect(await find({ AUTH_REQUIRE_ADMIN_MFA: 'false' })).toMatchObject({ level: 'ok' });
    await showTotp(server, client, await enrollTotp(server, client, 'app'));
    expect(await find({})).toMatchObject({ level: 'ok', message: 'everybody with a role has a second factor' });
  });
});
