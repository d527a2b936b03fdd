import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { UserRow } from '../accounts/user.entity.js';
import type { Caller } from '../api/caller.js';
import { AuthError } from '../auth.error.js';
import type { SessionRow } from '../sessions/session.entity.js';
import { sessionNotFound } from '../sessions/sessions.service.js';
import { AuthenticationService, type Authenticated } from '../tokens/authentication.service.js';

/** The person whose second factors are called for, and the session in which they are. */
export interface FactorCaller {
  readonly user: UserRow;
  readonly session: SessionRow;
}

/** Finds out whose second factors a call is about. */
@Injectable()
export class FactorCallersService {
  constructor(private readonly authentication: AuthenticationService) {}

  /**
   * Reads the caller, of whom nothing is to be changed.
   * @throws AuthError as auth-api.md 1.4 says; 403 no_authorization for an anonymous user
   */
  async read(caller: Caller): Promise<FactorCaller> {
    return assertNamed(await this.authentication.authenticate(caller.bearer));
  }

  /**
   * Reads the caller and locks the rows of user and session until the transaction of `em` ends.
   * @throws AuthError as {@link read}
   */
  async lock(em: EntityManager, caller: Caller): Promise<FactorCaller> {
    return assertNamed(await this.authentication.lock(em, caller.bearer));
  }
}

function assertNamed({ user, session }: Authenticated): FactorCaller {
  if (user.isAnonymous) {
    throw new AuthError(403, 'no_authorization', 'Anonymous user not allowed to perform these actions');
  }
  if (session === null) throw sessionNotFound();
  return { user, session };
}
