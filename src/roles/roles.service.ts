import { EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { NotAdminException } from '../http/access.errors.js';
import type { AdminReader } from '../http/admin-reader.js';
import { SYSTEM, type Actor } from '../shared/actor.js';
import { LastAdminException } from './role.errors.js';
import { UserRole } from './user-role.entity.js';

/** An administrator, and since when. */
export interface AdminListItem {
  readonly userId: string;
  readonly email: string | null;
  readonly createdAt: Date;
}

const ADMIN = 'admin';

/** Reads and changes roles. Asks the database every time, so that a role that is revoked is gone at once. */
@Injectable()
export class RolesService implements AdminReader {
  private readonly logger = new Logger('Roles');

  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditService,
  ) {}

  /** @param em to ask within a transaction, which must not wait for a second connection */
  async isAdmin(userId: string, em: EntityManager = this.em.fork()): Promise<boolean> {
    return (await em.count(UserRole, { user: userId, role: ADMIN })) > 0;
  }

  /**
   * Checks that the actor is an administrator, for services.
   * @throws NotAdminException unless the actor is one, or has a shell on the machine
   */
  async requireAdmin(actor: Actor): Promise<void> {
    if (actor.kind === 'user' && !(await this.isAdmin(actor.userId))) throw new NotAdminException();
  }

  /**
   * Makes a user an administrator.
   * @returns whether the user was none before
   * @throws ForeignKeyConstraintViolationException if there is no such user
   */
  async grantAdmin(actor: Actor, userId: string): Promise<boolean> {
    await this.requireAdmin(actor);
    try {
      await this.em.fork().transactional(async (em) => {
        await em.insert(UserRole, { user: userId, role: ADMIN, createdAt: new Date() });
        await this.recordChange(em, actor, 'role.granted', userId);
      });
      return true;
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      // From here on it is a matter of this site.
      await this.em.fork().nativeUpdate(UserRole, { user: userId, role: ADMIN }, { source: null });
      return false;
    }
  }

  /**
   * Takes the role of administrator from a user.
   * @param options isForced: even from the last one
   * @returns whether the user had it
   * @throws LastAdminException
   */
  async revokeAdmin(actor: Actor, userId: string, options: { readonly isForced: boolean }): Promise<boolean> {
    await this.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      if (!options.isForced) await this.requireOtherAdmin(em, userId);
      const wasAdmin = (await em.nativeDelete(UserRole, { user: userId, role: ADMIN })) > 0;
      if (wasAdmin) await this.recordChange(em, actor, 'role.revoked', userId);
      return wasAdmin;
    });
  }

  /**
   * Checks that another administrator is left, before a user is revoked, banned or deleted in the transaction of `em`.
   * The roles are locked until its end, so that of two administrators who do this to each other at the same time one is
   * refused.
   * @throws LastAdminException if the site would be left without an administrator
   */
  async requireOtherAdmin(em: EntityManager, userId: string): Promise<void> {
    const orderBy = { user: 'asc' } as const;
    const rows = await em.find(UserRole, { role: ADMIN }, { orderBy, lockMode: LockMode.PESSIMISTIC_WRITE });
    if (rows.length === 1 && rows[0]?.user.id === userId) throw new LastAdminException();
  }

  /**
   * Gives or takes the role as the sign-in provider says, in the transaction of `em`, which has locked the user. A role
   * that somebody here gave stays, and so does that of the last administrator.
   */
  async followProvider(em: EntityManager, userId: string, isAdmin: boolean): Promise<void> {
    const role = await em.findOne(UserRole, { user: userId, role: ADMIN });
    if (isAdmin && role === null) {
      await em.insert(UserRole, { user: userId, role: ADMIN, source: 'provider', createdAt: new Date() });
      await this.audit.recordForUser(em, SYSTEM, 'role.granted', userId, { role: ADMIN, source: 'provider' });
    }
    if (isAdmin || role?.source !== 'provider') return;
    try {
      await this.requireOtherAdmin(em, userId);
    } catch (error) {
      if (!(error instanceof LastAdminException)) throw error;
      this.logger.warn({ user: userId }, 'The sign-in provider took the role of the last administrator, who keeps it');
      return;
    }
    await em.nativeDelete(UserRole, { user: userId, role: ADMIN });
    await this.audit.recordForUser(em, SYSTEM, 'role.revoked', userId, { role: ADMIN, source: 'provider' });
  }

  /** Takes all roles from a user who is being deleted, in the transaction of `em`. */
  async dropRoles(em: EntityManager, userId: string): Promise<void> {
    await em.nativeDelete(UserRole, { user: userId });
  }

  /** Every administrator, the first one first. */
  async listAdmins(actor: Actor): Promise<AdminListItem[]> {
    await this.requireAdmin(actor);
    const fields = ['createdAt', 'user.email'] as const;
    const orderBy = { createdAt: 'asc', user: 'asc' } as const;
    const rows = await this.em.fork().find(UserRole, { role: ADMIN }, { fields, populate: ['user'], orderBy });
    return rows.map(({ user, createdAt }) => ({ userId: user.id, email: user.email ?? null, createdAt }));
  }

  private async recordChange(em: EntityManager, actor: Actor, action: string, userId: string): Promise<void> {
    await this.audit.recordForUser(em, actor, action, userId, { role: ADMIN });
  }
}
