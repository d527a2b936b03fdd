import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';
import { claimsOf, enrollTotp, newSecuredPerson } from '../support/second-factor.js';

let server: AuthServer;
let token: string;

beforeAll(async () => {
  server = await startAuthServer();
  token = (await server.app.get(AccessTokenService).issueServiceToken(86_400)).token;
});

const { admin, call } = {
  admin: () => server.client({ headers: { Authorization: `Bearer ${token}` } }).admin,
  call: (method: string, path: string, body?: unknown) =>
    server.call(`/admin/users/${path}`, { method, body, headers: { authorization: `Bearer ${token}` } }),
};
const idOf = async (client: Awaited<ReturnType<typeof newSecuredPerson>>['client']) =>
  (await client.getUser()).data.user?.id ?? '';

it('factors of somebody are listed, named and removed by a program', async () => {
  const { client, app } = await newSecuredPerson(server);
  const userId = await idOf(client);
  const listed = await admin().mfa.listFactors({ userId });
  expect(listed.data?.factors).toMatchObject([{ id: app.factorId, friendly_name: 'app', status: 'verified' }]);
  expect(JSON.stringify(listed.data)).not.toContain(app.secret);
  const path = `${userId}/factors/${app.factorId}`;
  expect((await call('PUT', path, { friendly_name: 'phone' })).body).toMatchObject({ friendly_name: 'phone' });
  expect((await call('PUT', path, {})).body).toMatchObject({ friendly_name: 'phone' });
  expect(await call('PUT', path, { friendly_name: 'x'.repeat(101) })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'friendly_name can have 100 characters at most' },
  });
  const second = await enrollTotp(server, client, 'watch');
  expect(await call('PUT', `${userId}/factors/${second.factorId}`, { friendly_name: 'phone' })).toMatchObject({
    status: 422,
    body: { code: 'mfa_factor_name_conflict' },
  });
  expect((await admin().getUserById(userId)).data.user?.factors).toHaveLength(2);
  const removed = await admin().mfa.deleteFactor({ userId, id: app.factorId });
  // The client wraps the answer twice.
  expect(removed.data).toMatchObject({ data: { id: app.factorId } });
  await client.refreshSession();
  expect(await claimsOf(client)).toMatchObject({ aal: 'aal1' });
  const { data } = await admin().createUser({ email: server.newEmail() });
  expect((await call('GET', `${data.user?.id}/factors`)).body).toEqual([]);
});

it('ids that are none or nobody\u2019s are refused', async () => {
  const { client } = await newSecuredPerson(server);
  const userId = await idOf(client);
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? {} : undefined;
    for (const [path, code, message] of [
      [`x/factors/${randomUUID()}`, 'validation_failed', 'user_id must be an UUID'],
      [`${randomUUID()}/factors/${randomUUID()}`, 'user_not_found', 'User not found'],
      [`${userId}/factors/x`, 'validation_failed', 'factor_id must be an UUID'],
      [`${userId}/factors/${randomUUID()}`, 'mfa_factor_not_found', 'Factor not found'],
    ] as const) {
      expect(await call(method, path, body)).toMatchObject({ status: 404, body: { code, message } });
    }
  }
  expect(await call('GET', 'x/factors')).toMatchObject({ status: 404, body: { code: 'validation_failed' } });
});
