import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import { lockUserBy } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';
import type { Caller } from '../api/caller.js';
import { AuthError } from '../auth.error.js';
import { Session, type SessionRow } from '../sessions/session.entity.js';
import { sessionNotFound } from '../sessions/sessions.service.js';
import { AuthenticationService, isBanned } from '../tokens/authentication.service.js';

/** The person whose second factors are called for, and the session in which they are. */
export interface FactorCaller {
  readonly user: UserRow;
  readonly session: SessionRow;
}

/** Finds out whose second factors a call is about. */
@Injectable()
export class FactorCallersService {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the caller, of whom nothing is to be changed.
   * @throws AuthError as auth-api.md 1.4 says; 403 no_authorization for an anonymous user
   */
  async read(caller: Caller, em?: EntityManager): Promise<FactorCaller> {
    const { user, session } = await this.authentication.authenticate(caller.bearer, em);
    if (user.isAnonymous) {
      throw new AuthError(403, 'no_authorization', 'Anonymous user not allowed to perform these actions');
    }
    if (session === null) throw sessionNotFound();
    return { user, session };
  }

  /**
   * Reads the caller and locks the rows of user and session, in this order, until the transaction of `em` ends. The
   * assurance level is that of the row: a token may be older than the removal of a factor.
   * @throws AuthError as {@link read}
   */
  async lock(em: EntityManager, caller: Caller): Promise<FactorCaller> {
    // On the connection of the transaction: calls that hold one each and wait for another would wait for each other.
    const known = await this.read(caller, em.fork({ keepTransactionContext: true }));
    const user = await lockUserBy(em, { id: known.user.id });
    const which = { id: known.session.id, userId: known.user.id };
    const session = await em.findOne(Session, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // One of them was ended between the queries.
    if (user === null || session === null) throw sessionNotFound();
    if (isBanned(user, this.clock.now())) throw new AuthError(403, 'user_banned', 'User is banned');
    return { user, session };
  }
}
