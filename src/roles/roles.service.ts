import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditService, type AuditDetails } from '../audit/audit.service.js';
import { NotAdminException } from '../http/access.errors.js';
import type { AdminReader } from '../http/admin-reader.js';
import { SYSTEM, userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import { ROLES, type Role } from '../shared/contracts/roles.js';
import { ALL_POSTS, type PostScope } from '../shared/post-scope.js';
import { AccountGoneException, LastAdminException } from './role.errors.js';
import { UserRole } from './user-role.entity.js';

/** Somebody with a role, and since when. */
export interface RoleListItem {
  readonly userId: string;
  readonly email: string | null;
  readonly role: Role;
  readonly mayPublish: boolean;
  /** True for a role that the sign-in provider gave, which can take it again. */
  readonly isOfProvider: boolean;
  readonly createdAt: Date;
}

/** The administrator who takes what somebody leaves behind. */
export interface Heir {
  readonly id: string;
  readonly email: string | null;
}

/** A role as it is granted. */
export interface RoleGrant {
  readonly role: Role;
  /** Says nothing of an administrator, who may. */
  readonly mayPublish: boolean;
}

/** The role that somebody has at this moment. */
export type RoleStanding = RoleGrant;

const ADMIN = 'admin';
const AUTHOR = 'author';
const KNOWN = { $in: [...ROLES] };
/** Administrators who can come in: those who have been here, or have confirmed an address, and are not banned. */
const ABLE_ADMINS = `
  select id from user_roles join auth.users on id = user_id
  where user_roles.role = ? and (banned_until is null or banned_until <= ?)
    and coalesce(email_confirmed_at, phone_confirmed_at, last_sign_in_at) is not null`;
const NOBODY_ELSE_COMES_IN =
  'This is the last administrator who can come in: make someone else an administrator first. Who was invited counts ' +
  'from their first visit on, and nobody does who is banned.';

/** Reads and changes roles. Asks the database every time, so that a role that is revoked is gone at once. */
@Injectable()
export class RolesService implements AdminReader {
  private readonly logger = new Logger('Roles');

  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** @param em to ask within a transaction, which must not wait for a second connection */
  async isAdmin(userId: string, em: EntityManager = this.em.fork()): Promise<boolean> {
    return (await em.count(UserRole, { user: userId, role: ADMIN })) > 0;
  }

  /**
   * Returns what a user may do now; of two roles the one that may do more counts. Null without any.
   * @param em to ask within a transaction
   */
  async findStanding(userId: string, em: EntityManager = this.em.fork()): Promise<RoleStanding | null> {
    const rows = await em.find(UserRole, { user: userId, role: KNOWN }, { disableIdentityMap: true });
    if (rows.some(({ role }) => role === ADMIN)) return { role: ADMIN, mayPublish: true };
    return rows[0] === undefined ? null : { role: AUTHOR, mayPublish: rows[0].mayPublish };
  }

  async findRole(userId: string): Promise<Role | null> {
    return (await this.findStanding(userId))?.role ?? null;
  }

  /**
   * Checks that the actor is an administrator, for services.
   * @param em to ask within a transaction
   * @throws NotAdminException unless the actor is one, or has a shell on the machine
   */
  async requireAdmin(actor: Actor, em?: EntityManager): Promise<void> {
    if (actor.kind === 'user' && !(await this.isAdmin(actor.userId, em))) throw new NotAdminException();
  }

  /**
   * Checks that the actor is an administrator or an author, for services, and says which posts they reach.
   * @param em to ask within a transaction
   * @throws NotAdminException unless the actor is one, or has a shell on the machine
   */
  async requireAuthor(actor: Actor, em?: EntityManager): Promise<PostScope> {
    if (actor.kind !== 'user') return ALL_POSTS;
    const standing = await this.findStanding(actor.userId, em);
    if (standing === null) throw new NotAdminException();
    return standing.role === ADMIN ? ALL_POSTS : { ownerId: actor.userId, mayPublish: standing.mayPublish };
  }

  /**
   * Checks as {@link requireAuthor} does, and keeps what it says true until the transaction of `em` ends: whoever takes the
   * role, bans or deletes the actor waits for it, and finds what it made.
   * @throws NotAdminException also for somebody who was banned or deleted meanwhile
   */
  async holdAuthor(em: EntityManager, actor: Actor): Promise<PostScope> {
    if (actor.kind === 'user') {
      const held = await em.execute<unknown[]>(
        `select from auth.users where id = ?::uuid and deleted_at is null
         and (banned_until is null or banned_until <= ?) for share`,
        [actor.userId, this.clock.now()],
      );
      if (held.length === 0) throw new NotAdminException();
    }
    return await this.requireAuthor(actor, em);
  }

  /**
   * Makes a user an administrator.
   * @returns whether the user was none before
   * @throws AccountGoneException if there is no such user, or it was deleted softly
   */
  async grantAdmin(actor: Actor, userId: string): Promise<boolean> {
    const grant = { role: ADMIN, mayPublish: true } as const;
    const before = await this.em.fork().transactional((em) => this.grant(em, actor, userId, grant));
    return before?.role !== ADMIN;
  }

  /**
   * Gives a user a role in the place of any other, in the transaction of `em`.
   * @returns the standing before; null for a user who had none
   * @throws LastAdminException for an author who is the last administrator
   * @throws AccountGoneException if there is no such user, or it was deleted softly
   */
  async grant(em: EntityManager, actor: Actor, userId: string, grant: RoleGrant): Promise<RoleStanding | null> {
    await this.requireAdmin(actor, em);
    // A row of somebody who was deleted softly would count as an administrator.
    if (!(await lockUser(em, userId))) throw new AccountGoneException();
    const before = await this.findStanding(userId, em);
    const { role } = grant;
    const mayPublish = role === AUTHOR && grant.mayPublish;
    if (before?.role === ADMIN && role !== ADMIN) await this.requireOtherAdmin(em, userId);
    await this.requireAdmin(actor, em);
    await em.nativeDelete(UserRole, { user: userId, role: role === ADMIN ? AUTHOR : ADMIN });
    // From here on it is a matter of this site, whoever gave the role.
    const kept = await em.nativeUpdate(UserRole, { user: userId, role }, { source: null, mayPublish });
    if (kept === 0) await em.insert(UserRole, { user: userId, role, mayPublish, createdAt: new Date() });
    if (before?.role === ADMIN && role !== ADMIN) await this.endUnreachedLinks(em, userId);
    if (before?.role === role && before.mayPublish === (role === ADMIN || mayPublish)) return before;
    const details = { role, ...(role === AUTHOR ? { may_publish: mayPublish } : {}) };
    await this.audit.recordForUser(em, actor, 'role.granted', userId, details);
    return before;
  }

  /**
   * Takes the role of administrator from a user.
   * @param options isForced: even from the last one
   * @returns whether the user had it
   * @throws LastAdminException
   */
  async revokeAdmin(actor: Actor, userId: string, options: { readonly isForced: boolean }): Promise<boolean> {
    return await this.em.fork().transactional(async (em) => {
      const before = await this.revoke(em, actor, userId, { ...options, role: ADMIN });
      return before !== null;
    });
  }

  /**
   * Takes a role from a user, or all, in the transaction of `em`.
   * @param options isForced: even that of the last administrator; details: further facts for the activity
   * @returns the standing before; null for a user who did not have it
   * @throws LastAdminException
   */
  async revoke(
    em: EntityManager,
    actor: Actor,
    userId: string,
    options: { readonly isForced: boolean; readonly role?: Role; readonly details?: AuditDetails },
  ): Promise<RoleStanding | null> {
    await this.requireAdmin(actor, em);
    await lockUser(em, userId);
    const before = await this.findStanding(userId, em);
    if (before === null || (options.role !== undefined && options.role !== before.role)) return null;
    if (before.role === ADMIN && !options.isForced) await this.requireOtherAdmin(em, userId);
    // Of two administrators who do this to each other, the one who waited is none any more.
    await this.requireAdmin(actor, em);
    await em.nativeDelete(UserRole, { user: userId, role: options.role ?? KNOWN });
    await this.endUnreachedLinks(em, userId);
    await this.audit.recordForUser(em, actor, 'role.revoked', userId, { role: before.role, ...options.details });
    return before;
  }

  /**
   * Checks that another administrator is left who can come in, before a user is revoked, banned or deleted in the
   * transaction of `em`: nobody who is banned, or was invited and has not come yet, makes up for the last one. The roles
   * are locked until its end, so that of two administrators who do this to each other at the same time one is refused.
   * @throws LastAdminException if the site would be left without an administrator who can come in
   */
  async requireOtherAdmin(em: EntityManager, userId: string): Promise<void> {
    const orderBy = { user: 'asc' } as const;
    const rows = await em.find(UserRole, { role: ADMIN }, { orderBy, lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!rows.some(({ user }) => user.id === userId)) return;
    if (rows.length === 1) throw new LastAdminException();
    const able = await em.execute<{ id: string }[]>(ABLE_ADMINS, [ADMIN, this.clock.now()]);
    // Who cannot come in is no loss.
    if (able.length === 1 && able[0]?.id === userId) throw new LastAdminException(NOBODY_ELSE_COMES_IN);
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
    await this.endUnreachedLinks(em, userId);
    await this.audit.recordForUser(em, SYSTEM, 'role.revoked', userId, { role: ADMIN, source: 'provider' });
  }

  /**
   * Finds who takes what somebody leaves behind, in the transaction of `em`: the actor, or else the administrator who has
   * been one for longest. Null where there is no other one.
   */
  async findHeir(em: EntityManager, actor: Actor, userId: string): Promise<Heir | null> {
    const [heir] = await em.execute<Heir[]>(
      `select id, email from user_roles join auth.users on id = user_id
       where user_roles.role = 'admin' and user_id <> ?::uuid
       order by user_id = ?::uuid desc nulls last, user_roles.created_at, user_id limit 1`,
      [userId, userIdOf(actor)],
    );
    return heir ?? null;
  }

  /**
   * Gives what somebody who is being deleted has not published to an administrator, in the transaction of `em`, as a role
   * that is taken back does, and withdraws the preview links of all their posts. Published posts are nobody's then. Written in
   * SQL, as posts ask roles and not the other way.
   * @returns how many posts have a new owner
   */
  async handOverPosts(em: EntityManager, actor: Actor, userId: string): Promise<number> {
    const heir = await this.findHeir(em, actor, userId);
    const posts = await em.execute<{ id: string; owner_id: string | null }[]>(
      `update blog_posts set owner_id = case when is_published then null else ?::uuid end
       where owner_id = ?::uuid returning id, owner_id`,
      [heir?.id ?? null, userId],
    );
    if (posts.length === 0) return 0;
    const now = this.clock.now();
    // As withdrawLinks of posts does it, which says what the new row is for.
    await em.execute(
      `with given as (select value::uuid as id from jsonb_array_elements_text(?::jsonb)),
       withdrawn as (
         update post_preview_links set withdrawn_at = ?
         where withdrawn_at is null and post_id in (select id from given)
       )
       insert into post_preview_links (post_id, created_at, expires_at, withdrawn_at)
       select id, ?, date_trunc('second', ?::timestamptz), ? from given on conflict do nothing`,
      [JSON.stringify(posts.map(({ id }) => id)), now, now, now, now],
    );
    return posts.filter(({ owner_id: owner }) => owner !== null).length;
  }

  /**
   * Withdraws the preview links that somebody made who is being banned or deleted, in the transaction of `em`, in SQL as
   * {@link handOverPosts}: nobody is to go on reading by them (decision 145).
   */
  async endPreviewLinks(em: EntityManager, userId: string): Promise<void> {
    await em.execute(
      'update post_preview_links set withdrawn_at = ? where created_by = ?::uuid and withdrawn_at is null',
      [this.clock.now(), userId],
    );
  }

  /** Withdraws the links of somebody whose role has changed to posts that they reach no more, as {@link endPreviewLinks} does. */
  private async endUnreachedLinks(em: EntityManager, userId: string): Promise<void> {
    const standing = await this.findStanding(userId, em);
    if (standing === null) await this.endPreviewLinks(em, userId);
    if (standing?.role !== AUTHOR) return;
    await em.execute(
      `update post_preview_links set withdrawn_at = ?
       where created_by = ?::uuid and withdrawn_at is null
         and post_id in (select id from blog_posts where owner_id is distinct from ?::uuid)`,
      [this.clock.now(), userId, userId],
    );
  }

  /** Takes all roles from a user who is being deleted, in the transaction of `em`. */
  async dropRoles(em: EntityManager, userId: string): Promise<void> {
    await em.nativeDelete(UserRole, { user: userId });
  }

  /** Lists everybody who has a role, administrators first, and of each role the first one first. */
  async list(actor: Actor): Promise<RoleListItem[]> {
    await this.requireAdmin(actor);
    const orderBy = { role: 'asc', createdAt: 'asc', user: 'asc' } as const;
    const rows = await this.em.fork().find(UserRole, { role: KNOWN }, { populate: ['user'], orderBy });
    const admins = new Set(rows.filter(({ role }) => role === ADMIN).map(({ user }) => user.id));
    return rows
      .filter(({ role, user }) => role === ADMIN || !admins.has(user.id))
      .map(({ user, role, mayPublish, source, createdAt }) => ({
        userId: user.id,
        email: user.email ?? null,
        role: role === ADMIN ? ADMIN : AUTHOR,
        mayPublish: role === ADMIN || mayPublish,
        isOfProvider: source === 'provider',
        createdAt,
      }));
  }

  /** Every administrator, the first one first. */
  async listAdmins(actor: Actor): Promise<Pick<RoleListItem, 'userId' | 'email' | 'createdAt'>[]> {
    const people = await this.list(actor);
    return people
      .filter(({ role }) => role === ADMIN)
      .map(({ userId, email, createdAt }) => ({ userId, email, createdAt }));
  }
}

/** Changes of the roles of one user come one after the other. @returns whether there is such a user */
async function lockUser(em: EntityManager, userId: string): Promise<boolean> {
  const sql = 'select from auth.users where id = ?::uuid and deleted_at is null for no key update';
  return (await em.execute<unknown[]>(sql, [userId])).length > 0;
}
