import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { Session } from '../../src/auth/sessions/session.entity.js';
import type { AccountSessionList } from '../../src/shared/contracts/account.js';
import { runCommand } from '../support/command.js';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { accessTokenOf, signInAs } from '../support/second-factor.js';
import { fewOf } from '../support/slow-tests.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ TRUSTED_PROXIES: '127.0.0.1' });
});

/** A call to the API of the product with the token of a client. */
async function ask(client: Client, method: 'GET' | 'DELETE', path = '') {
  return await askWith(await accessTokenOf(client), method, path);
}

async function askWith(token: string, method: 'GET' | 'DELETE', path = '') {
  const headers = { authorization: `Bearer ${token}` };
  return await server.app.inject({ method, url: `/api/account/sessions${path}`, headers });
}

const list = async (client: Client) => (await ask(client, 'GET')).json<AccountSessionList>();
const currentOf = async (client: Client) => (await list(client)).items.find((item) => item.is_current)?.id ?? '';
const actions = async () =>
  await server.app
    .get(EntityManager)
    .fork()
    .execute(
      `select actor_kind, actor_email, subject, details from audit_log where action = 'user.sessions_ended' order by id`,
    );

describe('the sessions of an account', () => {
  it('are listed with device, address and times, and one says that it asks', async () => {
    const email = await server.newPerson();
    const client = await signInAs(server, email);
    server.advance(60);
    const { body } = await server.call('/token?grant_type=password', {
      method: 'POST',
      body: { email, password: PASSWORD },
      headers: { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' },
    });
    const { items, total } = await list(client);
    // The one of the confirmation too.
    expect(total).toBe(3);
    expect(items[0]).toEqual({
      id: expect.any(String),
      is_current: false,
      browser: 'Firefox',
      system: 'Windows',
      ip: '203.0.113.7',
      network: '203.0.113.0/24',
      has_second_factor: false,
      created_at: expect.any(String),
      last_used_at: items[0]?.created_at,
    });
    expect(items.map((item) => item.is_current)).toEqual([false, true, false]);

    server.advance(60);
    await client.refreshSession();
    const [first] = (await list(client)).items;
    expect(first?.is_current).toBe(true);
    expect(first?.last_used_at.localeCompare(items[0]?.created_at ?? '')).toBe(1);
    expect((await askWith(String(body['access_token']), 'GET')).json<AccountSessionList>().total).toBe(3);
  });

  it('leave out those that open nothing any more', async () => {
    const client = await signInAs(server, await server.newPerson());
    const stolen = (await client.getSession()).data.session?.refresh_token ?? '';
    for (let time = 0; time < 3; time += 1) {
      server.advance(60);
      await client.refreshSession();
    }
    const again = { method: 'POST', body: { refresh_token: stolen } };
    const reuse = await server.call('/token?grant_type=refresh_token', again);
    expect(reuse.body).toMatchObject({ code: 'refresh_token_already_used' });
    expect((await list(client)).total).toBe(2);
    const { data } = await client.getUser();
    server.advance(3700);
    const email = data.user?.email ?? '';
    expect((await list(await signInAs(server, email))).total).toBe(2);
  });

  it('end one by one, and at once: nothing of the API is open to their tokens, and no refresh brings them back', async () => {
    const email = await server.newPerson();
    const [here, there] = [await signInAs(server, email), await signInAs(server, email)];
    const token = await accessTokenOf(there);
    expect((await ask(here, 'DELETE', `/${await currentOf(there)}`)).statusCode).toBe(204);
    expect((await askWith(token, 'GET')).json()).toMatchObject({ code: 'no_authorization' });
    expect((await there.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await list(here)).items).toHaveLength(2);
    expect(await actions()).toContainEqual({
      actor_kind: 'user',
      actor_email: email,
      subject: email,
      details: { sessions: 1 },
    });
  });

  it('are unknown to everybody else: 404 for those of others, for ended ones and for what is no id', async () => {
    const [one, other] = [
      await signInAs(server, await server.newPerson()),
      await signInAs(server, await server.newPerson()),
    ];
    const id = await currentOf(other);
    for (const path of [`/${id}`, '/00000000-0000-4000-8000-000000000000', "/'"]) {
      const answer = await ask(one, 'DELETE', path);
      expect({ path, status: answer.statusCode, ...answer.json<object>() }).toMatchObject({
        path,
        status: 404,
        code: 'session_not_found',
      });
    }
    expect(await currentOf(other)).toBe(id);
  });

  it('end together but for the one that asks', async () => {
    const email = await server.newPerson();
    const [here, there] = [await signInAs(server, email), await signInAs(server, email)];
    expect((await ask(here, 'DELETE')).json()).toEqual({ ended: 2 });
    expect((await ask(here, 'DELETE')).json()).toEqual({ ended: 0 });
    expect((await ask(there, 'GET')).statusCode).toBe(401);
    expect((await list(here)).total).toBe(1);
  });

  it('stay ended when they are refreshed at the same moment, whichever comes first', async () => {
    const email = await server.newPerson();
    const here = await signInAs(server, email);
    // In two rounds, each of them comes first once.
    for (const time of fewOf([0, 1, 2, 3, 4, 5, 6, 7], (round) => round < 2)) {
      const there = await signInAs(server, email);
      const id = await currentOf(there);
      const end = () => ask(here, 'DELETE', `/${id}`);
      const refresh = () => there.refreshSession();
      const isFirst = time % 2 === 0;
      const begun = isFirst ? { ending: end(), refreshing: refresh() } : { refreshing: refresh(), ending: end() };
      const [ending, refreshed] = await Promise.all([begun.ending, begun.refreshing]);
      expect(ending.statusCode).toBe(204);
      const token = refreshed.data.session?.access_token ?? (await accessTokenOf(there));
      expect((await askWith(token, 'GET')).statusCode).toBe(401);
      const em = server.app.get(EntityManager).fork();
      expect(await em.count(Session, { id })).toBe(0);
    }
  });

  it('are listed and ended by operators, who leave a line in the log', async () => {
    const email = await server.newPerson();
    const [one, other] = [await signInAs(server, email), await signInAs(server, email)];
    const id = await currentOf(one);
    const command = (...args: string[]) => runCommand(server.app, ['users', 'sessions', ...args]);
    expect((await command('list', email)).stdout).toMatch(new RegExp(`${id}  aal1  \\S+  unknown browser on`));
    const records = JSON.parse((await command('list', email, '--json')).stdout) as { id: string }[];
    expect(records).toHaveLength(3);
    expect(await command('end', email)).toMatchObject({ code: 2, stderr: expect.stringContaining('--session') });
    expect((await command('end', email, '--session', id)).stdout).toBe(`Ended one session of ${email}.\n`);
    expect((await ask(one, 'GET')).statusCode).toBe(401);
    expect((await ask(other, 'GET')).statusCode).toBe(200);
    expect(await command('end', email, '--session', id)).toMatchObject({ code: 2 });
    expect((await command('end', email, '--all')).stdout).toContain('2 sessions ended');
    expect((await command('list', email)).stdout).toBe('Signed in nowhere.\n');
    const operator = { actor_kind: 'operator', actor_email: null, subject: email };
    expect((await actions()).slice(-2)).toEqual([
      { ...operator, details: { sessions: 1 } },
      { ...operator, details: { sessions: 2 } },
    ]);
  });
});
