import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuditDetails } from '../audit/audit.service.js';
import { PostOwnersService } from '../posts/post-owners.service.js';
import { RolesService, type RoleGrant, type RoleStanding } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { Role } from '../shared/contracts/roles.js';

/** The outcome of taking a role back. */
export interface TakenBack {
  readonly before: RoleStanding;
  /** Posts that were not published and went to an administrator. */
  readonly drafts: number;
  /** The address of that administrator; null when nobody is left, or it has none. */
  readonly draftsTo: string | null;
}

interface TakeBackOptions {
  /** True to take it even from the last administrator. */
  readonly isForced: boolean;
  /** Nothing happens to somebody with another role. */
  readonly role?: Role | undefined;
}

/** Gives people their roles in the admin area and takes them back, with what that means for their posts. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly owners: PostOwnersService,
  ) {}

  /**
   * Gives an account a role in the place of the one it has.
   * @returns the standing before; null for an account that had none
   * @throws LastAdminException
   */
  async grant(actor: Actor, userId: string, grant: RoleGrant): Promise<RoleStanding | null> {
    return await this.em.fork().transactional((em) => this.roles.grant(em, actor, userId, grant));
  }

  /**
   * Takes the role from somebody. What they have not published goes to whoever takes it, or else to the administrator who
   * has been one for longest.
   * @returns null for an account that had no such role
   * @throws LastAdminException
   */
  async takeBack(actor: Actor, userId: string, options: TakeBackOptions): Promise<TakenBack | null> {
    return await this.em.fork().transactional(async (em) => {
      const standing = await this.roles.findStanding(userId, em);
      if (standing === null || ![undefined, standing.role].includes(options.role)) {
        await this.roles.requireAdmin(actor, em);
        return null;
      }
      const receiver = await this.findReceiver(em, actor, userId);
      const drafts = await this.owners.handOver(em, userId, receiver?.id ?? null);
      const draftsTo = receiver?.email ?? null;
      const details: AuditDetails = drafts === 0 ? {} : { drafts, drafts_to: draftsTo };
      const before = await this.roles.revoke(em, actor, userId, {
        isForced: options.isForced,
        details,
        ...(options.role === undefined ? {} : { role: options.role }),
      });
      // Somebody else was first: their drafts have gone already.
      return before === null ? null : { before, drafts, draftsTo };
    });
  }

  private async findReceiver(em: EntityManager, actor: Actor, userId: string) {
    const [receiver] = await em.execute<{ id: string; email: string | null }[]>(
      `select id, email from user_roles join auth.users on id = user_id
       where user_roles.role = 'admin' and user_id <> ?::uuid
       order by user_id = ?::uuid desc nulls last, user_roles.created_at, user_id limit 1`,
      [userId, actor.kind === 'user' ? actor.userId : null],
    );
    return receiver ?? null;
  }
}
