import { LockMode, type FindOneOptions } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { AccessTokenService, type AccessTokenClaims } from './access-token.service.js';
import { AuthError } from '../auth.error.js';
import { Factor } from '../factors/factor.entity.js';
import { Session, type SessionRow } from '../sessions/session.entity.js';
import { lockUserBy } from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';

/** A signed-in person. */
export type AuthUser = UserRow;

/** The user, session and claims of an access token. */
export interface Authenticated {
  readonly user: AuthUser;
  /** Null for a token that names no session. */
  readonly session: SessionRow | null;
  readonly claims: AccessTokenClaims;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for a UUID. PostgreSQL would refuse any other text with an error. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Finds out who makes a call. */
@Injectable()
export class AuthenticationService {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: AccessTokenService,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks signature, issuer, end, user, audience, session row and ban (auth-api.md 1.4). A session that was ended is refused at once.
   * @param bearer the access token, without the word Bearer; undefined when there is none
   * @param em where the rows are loaded to be changed; rows to be read only come from a manager of their own
   * @throws AuthError 401 no_authorization, 403 bad_jwt, user_not_found, session_not_found, user_banned
   */
  async authenticate(bearer: string | undefined, em: EntityManager = this.reader()): Promise<Authenticated> {
    return await this.identify(await this.read(bearer), em);
  }

  /**
   * Finds out who makes a call that changes something, as {@link authenticate}, and locks the rows of user and session,
   * in this order, until the transaction of `em` ends. Both are as they are then: who had to wait for somebody who ended
   * the session or deleted the user is refused, and the assurance level is that of the row, as a token may be older than
   * the removal of a factor.
   * @throws AuthError as {@link authenticate}
   */
  async lock(em: EntityManager, bearer: string | undefined): Promise<Authenticated> {
    // On the connection of the transaction: calls that hold one each and wait for another would wait for each other.
    const known = await this.authenticate(bearer, em.fork({ keepTransactionContext: true }));
    const user = await lockUserBy(em, { id: known.user.id });
    if (user === null) throw userGone();
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const session = known.session && (await findSession(em, known.session.id, user, { lockMode }));
    this.assertNotBanned(user);
    return { ...known, user, session };
  }

  /**
   * Checks that a token is of a role that administers accounts. It needs to name nobody; one that names a session is
   * checked like that of a person, whose account must have such a role still, and its second factor shown (decision 66).
   * @throws AuthError 401 no_authorization, 403 not_admin, insufficient_aal, and those of {@link authenticate}
   */
  async authenticateProgram(bearer: string | undefined): Promise<Actor> {
    const claims = await this.read(bearer);
    this.tokens.assertAdminRole(claims.role);
    if (!claims.session_id) return { kind: 'program', userId: null };
    const { user, session } = await this.identify(claims);
    this.tokens.assertAdminRole(user.role);
    if (session !== null && (await this.lacksSecondFactor(session))) {
      throw new AuthError(
        403,
        'insufficient_aal',
        'AAL2 session is required to administer accounts when MFA is enabled',
      );
    }
    return { kind: 'program', userId: user.id };
  }

  private async read(bearer: string | undefined): Promise<AccessTokenClaims> {
    if (bearer) return await this.tokens.verify(bearer);
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  }

  /**
   * Finds user and session of a verified token, which has to be for the audience of the user.
   * @throws AuthError 403 bad_jwt, user_not_found, session_not_found, user_banned
   */
  async identify(claims: AccessTokenClaims, em: EntityManager = this.reader()): Promise<Authenticated> {
    const { sub, session_id: sessionId } = claims;
    if (!sub) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim');
    if (!isUuid(sub)) throw new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID');
    const user = await em.findOne(User, { id: sub, deletedAt: null });
    if (user === null) throw userGone();
    this.tokens.assertAudience(claims, user);
    const session = sessionId ? await findSession(em, sessionId, user) : null;
    this.assertNotBanned(user);
    return { user, session, claims };
  }

  /** @throws AuthError 403 user_banned */
  assertNotBanned(user: UserRow): void {
    if (isBanned(user, this.clock.now())) throw new AuthError(403, 'user_banned', 'User is banned');
  }

  /** Returns true for a session in which the second factor of its user was not shown (decision 66). */
  async lacksSecondFactor({ aal, userId }: Pick<SessionRow, 'aal' | 'userId'>): Promise<boolean> {
    return aal === 'aal1' && (await this.reader().count(Factor, { userId, status: 'verified' })) > 0;
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

function userGone(): AuthError {
  return new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
}

async function findSession(
  em: EntityManager,
  id: string,
  user: UserRow,
  options: FindOneOptions<SessionRow> = {},
): Promise<SessionRow> {
  const session = isUuid(id) ? await em.findOne(Session, { id, userId: user.id }, options) : null;
  if (session !== null) return session;
  throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
}

export function isBanned(user: Pick<UserRow, 'bannedUntil'>, now: Date): boolean {
  return user.bannedUntil != null && user.bannedUntil > now;
}
