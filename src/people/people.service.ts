import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AuditDetails } from '../audit/audit.service.js';
import { InvitationsService } from '../auth/admin/invitations.service.js';
import { UsersService } from '../auth/admin/users.service.js';
import { AccountNoticesService } from '../auth/mails/account-notices.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import { PostOwnersService } from '../posts/post-owners.service.js';
import { RolesService, type RoleGrant, type RoleStanding } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type {
  ChangeRoleInput,
  InvitedPerson,
  InvitePersonInput,
  Person,
  TakenBackRole,
} from '../shared/contracts/people.js';
import type { Role } from '../shared/contracts/roles.js';
import { START_PATH } from '../shared/start-path.js';
import { HasRoleException, PersonNotFoundException, RoleChangedException } from './people.errors.js';
import { readPeople } from './people-list.js';

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
    private readonly users: UsersService,
    private readonly notices: AccountNoticesService,
    private readonly modules: ModuleRef,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Everybody who has a role, administrators first. */
  async list(actor: Actor): Promise<Person[]> {
    await this.roles.requireAdmin(actor);
    return await this.read();
  }

  /**
   * Gives somebody a role: at once where the address has an account, which a mail says, else with an invitation. The role
   * stands beside the account from then on, which nobody can enter without reading that mail.
   * @throws HasRoleException for somebody who has another role
   * @throws AuthError 400 validation_failed, 429 over_email_send_rate_limit
   */
  async invite(
    actor: Actor,
    { email, role, may_publish: isPublishing = false }: InvitePersonInput,
  ): Promise<InvitedPerson> {
    await this.roles.requireAdmin(actor);
    const grant = toStanding(role, isPublishing);
    const account = await this.users.findByEmailOrId(actor, email);
    const held = account === null ? null : await this.roles.findStanding(account.id);
    if (held !== null && !isSame(held, grant)) throw new HasRoleException(email);
    if (account?.emailConfirmedAt) return await this.grantKnown(actor, account.id, email, grant);
    const redirectTo = new URL(START_PATH, this.config.site.url).href;
    const invitations = this.modules.get(InvitationsService, { strict: false });
    const { id } = await invitations.invite(actor, { email, data: {}, redirectTo }, async (em, userId) => {
      await this.roles.grant(em, actor, userId, grant);
    });
    return { outcome: 'invited', person: await this.find(String(id)) };
  }

  /**
   * Changes the role of somebody who has one.
   * @throws RoleChangedException when it is neither the one that was seen any more, nor the wanted one already
   * @throws PersonNotFoundException, AccountGoneException, LastAdminException
   */
  async change(actor: Actor, userId: string, input: ChangeRoleInput): Promise<Person> {
    const { role, may_publish: mayPublish = false, seen_role: seenRole, seen_may_publish: seenPublishing } = input;
    const wanted = toStanding(role, mayPublish);
    const seen = seenRole === undefined ? null : toStanding(seenRole, seenPublishing);
    await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const before = await this.roles.grant(em, actor, userId, wanted);
        // Who was taken back meanwhile stays so.
        if (before === null) throw new PersonNotFoundException();
        if (seen !== null && !isSame(before, seen) && !isSame(before, wanted)) throw new RoleChangedException();
        if (before.role !== role) await this.notices.tell(em, userId, { kind: 'role_granted', role });
      }),
    );
    return await this.find(userId);
  }

  /**
   * Takes the role from somebody, and withdraws an invitation that nobody accepted.
   * @throws PersonNotFoundException, LastAdminException
   */
  async dismiss(actor: Actor, userId: string): Promise<TakenBackRole> {
    const [person] = await this.read(userId);
    const taken = await this.takeBack(actor, userId, { isForced: false });
    if (taken === null) throw new PersonNotFoundException();
    // Nobody has agreed to this account. Whoever comes at this moment keeps theirs, without a role.
    const isWithdrawn = person?.is_invited === true && (await this.users.removeUnused(actor, userId));
    return { drafts: taken.drafts, drafts_to: taken.draftsTo, is_withdrawn: isWithdrawn };
  }

  /**
   * Gives an account a role in the place of the one it has.
   * @returns the standing before; null for an account that had none
   * @throws LastAdminException
   */
  async grant(actor: Actor, userId: string, grant: RoleGrant): Promise<RoleStanding | null> {
    return await twiceIfRaced(() => this.em.fork().transactional((em) => this.roles.grant(em, actor, userId, grant)));
  }

  /**
   * Takes the role from somebody. What they have not published goes to whoever takes it, or else to the administrator who
   * has been one for longest.
   * @returns null for an account that had no such role
   * @throws LastAdminException
   */
  async takeBack(actor: Actor, userId: string, options: TakeBackOptions): Promise<TakenBack | null> {
    return await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const standing = await this.roles.findStanding(userId, em);
        if (standing === null || ![undefined, standing.role].includes(options.role)) {
          await this.roles.requireAdmin(actor, em);
          return null;
        }
        const receiver = await this.roles.findHeir(em, actor, userId);
        const drafts = await this.owners.handOver(em, userId, receiver?.id ?? null);
        const draftsTo = drafts === 0 ? null : (receiver?.email ?? null);
        const details: AuditDetails = drafts === 0 ? {} : { drafts, drafts_to: draftsTo };
        const before = await this.roles.revoke(em, actor, userId, {
          isForced: options.isForced,
          details,
          ...(options.role === undefined ? {} : { role: options.role }),
        });
        // Somebody else was first: their drafts have gone already.
        return before === null ? null : { before, drafts, draftsTo };
      }),
    );
  }

  private async grantKnown(actor: Actor, userId: string, email: string, grant: RoleGrant): Promise<InvitedPerson> {
    const outcome = await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const before = await this.roles.grant(em, actor, userId, grant);
        if (before !== null && isSame(before, grant)) return 'unchanged';
        // Somebody else gave them one at this moment.
        if (before !== null) throw new HasRoleException(email);
        await this.notices.tell(em, userId, { kind: 'role_granted', role: grant.role });
        return 'granted';
      }),
    );
    return { outcome, person: await this.find(userId) };
  }

  private async read(userId?: string): Promise<Person[]> {
    return await readPeople(this.em.fork({ disableTransactions: true }), this.config.auth.mail.inviteExpiresIn, userId);
  }

  private async find(userId: string): Promise<Person> {
    const [person] = await this.read(userId);
    if (person === undefined) throw new PersonNotFoundException();
    return person;
  }
}

/** An administrator may publish, whatever is said. */
function toStanding(role: Role, mayPublish = false): RoleStanding {
  return { role, mayPublish: role === 'admin' || mayPublish };
}

function isSame(one: RoleGrant, other: RoleGrant): boolean {
  return one.role === other.role && one.mayPublish === other.mayPublish;
}
