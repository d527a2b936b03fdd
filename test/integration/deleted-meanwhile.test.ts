import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EnquiryRecord } from '../../src/shared/contracts/enquiries.js';
import { createAdministrator, buildForm, type AdminAnswer, type Administrator } from '../support/admin-posts.js';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries } from '../support/enquiries.js';
import { until } from '../support/until.js';

// Whoever calls is admitted first, and writes then. Between the two, somebody else can delete their account, or that of
// whoever they name.
const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

let app: TestApp;
let ada: Administrator;
let bob: Administrator;
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
  ada = await createAdministrator(app, 'ada@example.com');
  await sendEnquiry(app, buildEnquiry());
});
beforeEach(async () => void (bob = await createAdministrator(app, `bob-${(count += 1)}@example.com`)));

const createPost = async () => (await ada.call('POST', '/posts', buildForm({ slug: `p-${count}` }))).body;
const readPost = async ({ id }: AdminPost) => (await ada.call('GET', `/posts/${id}`)).body;
const readEnquiry = async () => {
  const [row] = await storedEnquiries(app);
  return (await ada.call<EnquiryRecord>('GET', `/enquiries/${row?.id}`)).body;
};

/** Deletes Bob's account in a transaction that ends when the call waits for it. */
async function deleteBobDuring<T>(call: () => Promise<AdminAnswer<T>>): Promise<AdminAnswer<T>> {
  const em = app.get(EntityManager).fork();
  await em.begin();
  await em.execute('delete from auth.users where id = ?::uuid', [bob.user.id]);
  const answering = call();
  await until(async () => (await app.get(EntityManager).fork().execute<unknown[]>(WAITING)).length > 0);
  await em.commit();
  return await answering;
}

describe('a call of somebody whose account is deleted meanwhile', () => {
  const calls: Record<string, (post: AdminPost) => Promise<AdminAnswer<unknown>>> = {
    'creates a post': () => bob.call('POST', '/posts', buildForm({ slug: `new-${count}` })),
    'saves a post': ({ id, saved, version }) => bob.call('PUT', `/posts/${id}`, { ...saved, title: 'Late', version }),
    'keeps edits': ({ id, saved, version }) =>
      bob.call('PUT', `/posts/${id}/working-copy`, { version, fields: { ...saved, title: 'Late' } }),
    'copies a post': ({ id }) => bob.call('POST', `/posts/${id}/duplicate`),
    'deletes a post': ({ id, version }) => bob.call('DELETE', `/posts/${id}?version=${version}`),
    'deletes posts together': ({ id, version }) =>
      bob.call('POST', '/posts/bulk', { action: 'trash', posts: [{ id, version }] }),
    'changes the facts of the company': () =>
      bob.call('PUT', '/settings/company/draft', { revision: 0, values: { name: 'Late' } }),
  };

  it.each(Object.keys(calls))('is refused like a later one, and changes nothing: %s', async (name) => {
    const post = await createPost();
    const answer = await deleteBobDuring(() => calls[name]!(post));
    expect(answer).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
    expect(await readPost(post)).toEqual(post);
  });
});

describe('a call that names somebody whose account is deleted meanwhile', () => {
  it('is told so: of a post', async () => {
    const post = await createPost();
    const answer = await deleteBobDuring(() => ada.call('PUT', `/posts/${post.id}/owner`, { user_id: bob.user.id }));
    expect(answer).toMatchObject({ status: 422, body: { fields: { user_id: [expect.any(String)] } } });
    expect(await readPost(post)).toEqual(post);
  });

  it('is told so: of an enquiry', async () => {
    const { id, version } = await readEnquiry();
    const input = { version, assignee_id: bob.user.id };
    const answer = await deleteBobDuring(() => ada.call('PUT', `/enquiries/${id}`, input));
    expect(answer).toMatchObject({ status: 400 });
    expect(await readEnquiry()).toMatchObject({ version, assignee_id: null });
  });
});

describe('a change that waits for another one, which waits for it', () => {
  const calls: Record<string, [table: string, call: (post: AdminPost) => Promise<AdminAnswer<unknown>>]> = {
    'of a post': [
      'blog_posts',
      ({ id, saved, version }) => ada.call('PUT', `/posts/${id}`, { ...saved, title: 'Saved', version }),
    ],
    'of its owner': ['blog_posts', ({ id }) => ada.call('PUT', `/posts/${id}/owner`, { user_id: bob.user.id })],
    'of the facts of the company': [
      'settings_documents',
      () => ada.call('PUT', '/settings/company/draft', { revision: 0, values: { name: 'Harbor' } }),
    ],
    'of an enquiry': [
      'enquiries',
      async () => {
        const { id, version } = await readEnquiry();
        return await ada.call('PUT', `/enquiries/${id}`, { version, note: 'Called back' });
      },
    ],
    'of a role': ['user_roles', () => ada.call('PUT', `/people/${bob.user.id}`, { role: 'admin' })],
    'of a role that is taken back': ['audit_log', () => ada.call('DELETE', `/people/${bob.user.id}`)],
  };

  it.each(Object.entries(calls))('is made after it: %s', async (_, [table, call]) => {
    const post = await createPost();
    const em = app.get(EntityManager).fork();
    // The first write ends as PostgreSQL ends one of two that wait for each other, which takes luck to bring about.
    await em.execute(`
      create sequence writes;
      create function end_the_first() returns trigger language plpgsql as $$ begin
        if nextval('writes') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger end_the_first before insert or update on ${table} for each row execute function end_the_first()`);
    const answer = await call(post);
    const [{ count: writes }] = await em.execute<[{ count: string }]>('select last_value as count from writes');
    await em.execute('drop sequence writes; drop function end_the_first cascade');
    expect({ status: answer.status, isRepeated: Number(writes) > 1 }).toEqual({ status: 200, isRepeated: true });
  });
});
