import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { lockUserBy, userNotFound } from '../accounts/user-records.js';
import { User } from '../accounts/user.entity.js';
import { FactorChangesService } from './factor-changes.service.js';
import { assertNoLonger, findFactors, findOwnFactor, isChallenged, nameTaken } from './factor-records.js';
import { Factor } from './factor.entity.js';
import { toFactorJson, type FactorJson } from './factor.presenter.js';

export type { FactorJson } from './factor.presenter.js';

/** The second factors of somebody else, for those who administer accounts. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly changes: FactorChangesService,
    private readonly clock: Clock,
  ) {}

  /** Lists the factors of an account, the oldest first, unverified ones too. @throws AuthError 404 user_not_found */
  async list(actor: Actor, userId: string): Promise<FactorJson[]> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    if ((await em.count(User, { id: userId, deletedAt: null })) === 0) throw userNotFound();
    return (await findFactors(em, userId)).map(toFactorJson);
  }

  /**
   * Gives a factor of an account another name; an empty one leaves it as it is.
   * @throws AuthError 400 validation_failed; 404 user_not_found, validation_failed, mfa_factor_not_found; 422
   * mfa_factor_name_conflict
   */
  async rename(actor: Actor, userId: string, factorId: string, name: string): Promise<FactorJson> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      if ((await lockUserBy(em, { id: userId })) === null) throw userNotFound();
      const factor = await findOwnFactor(em, userId, factorId);
      if (name === '' || name === factor.friendlyName) return toFactorJson(factor);
      assertNoLonger('friendly_name', name);
      if ((await em.count(Factor, { userId, friendlyName: name })) > 0) throw nameTaken(name);
      Object.assign(factor, { friendlyName: name, updatedAt: this.clock.now() });
      return toFactorJson(factor);
    });
  }

  /**
   * Removes a factor of an account, whose sessions fall back to aal1 if the factor raised them.
   * @returns the factor that was removed
   * @throws AuthError 404 user_not_found, validation_failed, mfa_factor_not_found
   */
  async remove(actor: Actor, userId: string, factorId: string): Promise<FactorJson> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      if ((await lockUserBy(em, { id: userId })) === null) throw userNotFound();
      const factor = await findOwnFactor(em, userId, factorId);
      await this.changes.remove(em, actor, factor);
      return toFactorJson(factor);
    });
  }

  /** Removes all factors of an account, and returns their number. @throws AuthError 404 user_not_found */
  async removeAll(actor: Actor, userId: string): Promise<number> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      if ((await lockUserBy(em, { id: userId })) === null) throw userNotFound();
      const factors = await findFactors(em, userId);
      // Recovery codes go with the last of them.
      for (const factor of factors.filter(isChallenged)) await this.changes.remove(em, actor, factor);
      return factors.length;
    });
  }
}
