import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { User } from '../../src/auth/accounts/user.entity.js';
import { Factor } from '../../src/auth/factors/factor.entity.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { handlerRoutesOf } from '../support/registered-routes.js';

/** The expected answer at every route of administrators: a refusal, or anything else. */
const expected = {
  anonymous: '401 no_authorization',
  user: '403 not_admin',
  administrator: 'let in',
  'administrator with a second factor': 'let in',
  'administrator who showed the password alone': '401 insufficient_aal',
  'revoked administrator': '403 not_admin',
  'banned administrator': '401 no_authorization',
} as const;

type Who = keyof typeof expected;

let app: TestApp;
const tokens = new Map<Who, string>();

beforeAll(async () => {
  app = await createTestApp({ READ_COUNTS: 'true' });
  const roles = app.get(RolesService);
  const em = app.get(EntityManager).fork();
  for (const who of Object.keys(expected) as Who[]) {
    if (who === 'anonymous') continue;
    const account = await createAccount(app);
    if (who !== 'user') await roles.grantAdmin(OPERATOR, account.id);
    const { sessionId, accessToken } = await signIn(app, account);
    tokens.set(who, accessToken);
    if (who.includes('second factor') || who.includes('password alone')) {
      await em.insert(Factor, { id: randomUUID(), userId: account.id, factorType: 'totp', status: 'verified' });
    }
    // The row counts: the token says aal1.
    if (who.includes('second factor')) await em.nativeUpdate(Session, { id: sessionId }, { aal: 'aal2' });
    if (who === 'revoked administrator') await roles.revokeAdmin(OPERATOR, account.id, { isForced: true });
    if (who !== 'banned administrator') continue;
    await em.nativeUpdate(User, { id: account.id }, { bannedUntil: new Date(Date.now() + 3_600_000) });
  }
});

async function ask(who: Who, method: string, path: string): Promise<string> {
  const token = tokens.get(who);
  const answer = await app.inject({
    method: method as 'GET',
    // There is no such thing: whoever is let in changes nothing.
    url: path.replace(/:\w+/g, () => randomUUID()),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
    },
    ...(method === 'GET' ? {} : { payload: '{}' }),
  });
  if (![401, 403].includes(answer.statusCode)) return answer.statusCode < 500 ? 'let in' : `${answer.statusCode}`;
  return `${answer.statusCode} ${answer.json<{ code: string }>().code}`;
}

describe('every route of administrators', () => {
  it('lets in administrators, as long as they are it, and nobody else', async () => {
    const routes = handlerRoutesOf(app.get(ModulesContainer));
    const closed = routes.filter(({ access }) => access === 'admin').map(({ name }) => name);
    expect(routes.filter(({ name }) => name.includes(' /api/admin/')).map(({ name }) => name)).toEqual(
      closed.filter((name) => name.includes(' /api/admin/')),
    );
    expect(closed).toEqual(expect.arrayContaining(['PUT /api/admin/posts/:id', 'GET /api/admin/audit']));
    for (const name of closed) {
      const [method = '', path = ''] = name.split(' ');
      const answers: Record<string, string> = {};
      for (const who of Object.keys(expected) as Who[]) answers[who] = await ask(who, method, path);
      expect({ name, ...answers }).toEqual({ name, ...expected });
    }
  });
});
