import { EntityManager } from '@mikro-orm/postgresql';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { User, type UserRow } from '../../src/auth/accounts/user.entity.js';
import type { TestApp } from './create-test-app.js';

let count = 0;

/** Stores an account as sign-up and confirmation leave it; a test says only what it is about. */
export async function createAccount(
  app: TestApp,
  overrides: Partial<Pick<UserRow, 'email' | 'emailConfirmedAt' | 'passwordHash'>> = {},
): Promise<UserRow> {
  count += 1;
  const em = app.get(EntityManager).fork();
  const user = em.create(User, {
    aud: 'authenticated',
    role: 'authenticated',
    email: `person-${count}@example.com`,
    emailConfirmedAt: new Date(),
    ...overrides,
  });
  await em.flush();
  return user;
}

/** Starts a session for an account and returns its id and an access token, as signing in does. */
export async function signIn(app: TestApp, user: UserRow): Promise<{ sessionId: string; accessToken: string }> {
  const em = app.get(EntityManager).fork();
  const session = em.create(Session, { userId: user.id, createdAt: new Date() });
  await em.flush();
  const { token } = await app.get(AccessTokenService).issue(user, session);
  return { sessionId: session.id, accessToken: token };
}
