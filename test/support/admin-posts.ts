import { EntityManager } from '@mikro-orm/postgresql';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import type { UserRow } from '../../src/auth/accounts/user.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { Clock } from '../../src/shared/clock.js';
import { EMPTY_FORM, type AdminPost, type PostForm } from '../../src/shared/contracts/admin-posts.js';
import { createAccount } from './accounts.js';
import type { TestApp } from './create-test-app.js';

/** An answer to an administrator's browser. */
export interface AdminAnswer<T> {
  readonly status: number;
  readonly body: T;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An administrator with a session. */
export interface Administrator {
  readonly user: UserRow;
  /** Calls the API of administrators, such as `('PUT', '/posts/1', {...})`. */
  call<T = AdminPost>(method: Method, path: string, body?: object): Promise<AdminAnswer<T>>;
}

/** Creates an account, makes it an administrator and signs it in. */
export async function createAdministrator(app: TestApp, email: string): Promise<Administrator> {
  const user = await createAccount(app, { email });
  await app.get(RolesService).grantAdmin(OPERATOR, user.id);
  const em = app.get(EntityManager).fork();
  const session = em.create(Session, { userId: user.id, createdAt: new Date() });
  await em.flush();
  // Tests move the clock, so each call has a token of its own.
  const token = async () => (await app.get(AccessTokenService).issue(user, session)).token;
  return {
    user,
    call: async <T>(method: Method, path: string, body?: object) => {
      const answer = await app.inject({
        method,
        url: `/api/admin${path}`,
        headers: { authorization: `Bearer ${await token()}` },
        ...(body === undefined ? {} : { payload: body }),
      });
      return { status: answer.statusCode, body: (answer.body === '' ? undefined : answer.json()) as T };
    },
  };
}

/** A form that could be saved; a test says only what it is about. */
export function buildForm(overrides: Partial<PostForm> = {}): PostForm {
  const written = { title: 'A post', slug: 'a-post', content: '<p>Text.</p>', author: 'Ann' };
  return { ...EMPTY_FORM, ...written, ...overrides };
}

/**
 * Lets a test decide what time it is for the application. The queue goes by the clock of the database: what is planned for
 * a time that is over there is tried at once, and again, so plans are for years that are far ahead.
 */
export function holdClock(app: TestApp, at: string): { set(to: string): void } {
  let now = new Date(at);
  app.get(Clock).now = () => new Date(now);
  return { set: (to) => void (now = new Date(to)) };
}

/** Takes what the database keeps of every post, with nothing left out. */
export function rowsOf(app: TestApp, table: 'blog_posts' | 'post_revisions' | 'post_slugs' | 'audit_log') {
  return app.get(EntityManager).fork().execute<Record<string, unknown>[]>(`select * from ${table}`);
}
