import { EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { twiceIfRaced } from '../../database/twice-if-raced.js';
import { isUuid } from '../tokens/authentication.service.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { readEmail } from '../api/input-rules.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import {
  clearOneTimeTokens,
  confirmAddress,
  lockUserBy,
  lockUserById,
  userNotFound,
  withUniqueAddresses,
} from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';
import { UserChangesService } from './user-changes.service.js';

/** An account as administrators see it. */
export interface UserAccount {
  readonly id: string;
  readonly email: string | null;
  readonly createdAt: Date;
  readonly emailConfirmedAt: Date | null;
  /** When the settings alone confirmed the address: nobody had to show that they read its mails. Else null. */
  readonly emailAssumedAt: Date | null;
  readonly lastSignInAt: Date | null;
  /** Null for users who are not, or no longer, banned. */
  readonly bannedUntil: Date | null;
  /** Set for users who were deleted softly: `email` is a hash then. */
  readonly deletedAt: Date | null;
}

/** An account to create. */
export interface NewAccount {
  readonly email: string;
  readonly password: string;
  /** True when the address needs no confirmation. */
  readonly isConfirmed: boolean;
}

/** Steps that belong to the transaction that creates an account. */
export interface CreationSteps {
  /** Returns the id of an account that nobody has used, which the new one takes the place of; null for none. */
  readonly before: (em: EntityManager) => Promise<string | null>;
  readonly after: (em: EntityManager, userId: string) => Promise<void>;
}

/** The last day that dates of the API can write: a ban until then is one for good. */
const FOR_GOOD = new Date('9999-12-31T00:00:00Z');

/** So many accounts are read at once. */
const LIST_PAGE = 500;

/** Administering accounts. Everything but reading one takes an administrator, or someone with a shell on the machine. */
@Injectable()
export class UsersService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly guesses: GuessesService,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    private readonly changes: UserChangesService,
    private readonly audit: AuditService,
  ) {}

  /** @throws AuthError 400 validation_failed, 422 weak_password or email_exists */
  async createUser(
    actor: Actor,
    { email, password, isConfirmed }: NewAccount,
    steps?: CreationSteps,
  ): Promise<UserAccount> {
    await this.roles.requireAdmin(actor);
    const address = readEmail(email.trim());
    await this.passwords.assertStrong(password, address);
    const passwordHash = await this.passwords.hash(password);
    const input = { aud: this.config.auth.jwt.audience, email: address, passwordHash, data: {}, isSelfSignup: false };
    return await withUniqueAddresses(() =>
      this.em.fork().transactional(async (em) => {
        const replacedId = (await steps?.before(em)) ?? null;
        const replaced = replacedId === null ? null : await lockUserById(em, replacedId);
        if (replaced !== null) await this.changes.remove(em, actor, replaced);
        const user = await this.changes.create(em, actor, input, isConfirmed ? ['email'] : []);
        await steps?.after(em, user.id);
        return this.toAccount(user);
      }),
    );
  }

  /** Every account as they are at one moment, the newest first; those too that were deleted softly. */
  async listUsers(actor: Actor): Promise<UserAccount[]> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional((em) => this.readAll(em), {
      isolationLevel: IsolationLevel.REPEATABLE_READ,
      readOnly: true,
    });
  }

  private async readAll(em: EntityManager): Promise<UserAccount[]> {
    const options = { orderBy: { createdAt: 'desc', id: 'asc' }, limit: LIST_PAGE, disableIdentityMap: true } as const;
    const all: UserAccount[] = [];
    for (;;) {
      const rows = await em.find(User, {}, { ...options, offset: all.length });
      all.push(...rows.map((row) => this.toAccount(row)));
      if (rows.length < LIST_PAGE) return all;
    }
  }

  /** The account of that email address or id, or null; by its id also one that was deleted softly. */
  async findByEmailOrId(actor: Actor, emailOrId: string): Promise<UserAccount | null> {
    await this.roles.requireAdmin(actor);
    const email = emailOrId.trim().toLowerCase();
    const where = isUuid(emailOrId) ? { id: emailOrId } : { email, isSsoUser: false, deletedAt: null };
    const row = await this.em.fork().findOne(User, where);
    return row === null ? null : this.toAccount(row);
  }

  /** Takes the address of an account as confirmed; links and codes that were mailed for it are void. */
  async confirmUser(actor: Actor, id: string): Promise<void> {
    await this.change(actor, id, async (em, user) => {
      await confirmAddress(em, user, 'email', this.clock.now());
      await clearOneTimeTokens(em, user);
      await this.audit.recordForUser(em, actor, 'user.confirmed', id);
    });
  }

  /**
   * Returns true when that is the password of the account.
   * @throws AuthError 429 when too many others wait
   */
  async hasPassword(actor: Actor, id: string, password: string): Promise<boolean> {
    await this.roles.requireAdmin(actor);
    const user = await this.em.fork().findOne(User, { id, deletedAt: null });
    return (await this.passwords.check(password, user?.passwordHash)).isRight;
  }

  /**
   * Keeps someone out from now on, until that time or, with null, for good. Sessions stay and are refused.
   * @throws LastAdminException
   */
  async banUser(actor: Actor, id: string, until: Date | null): Promise<void> {
    await this.change(actor, id, (em, user) => this.changes.ban(em, actor, user, until ?? FOR_GOOD, until === null));
  }

  /** Lets someone in again. */
  async liftBan(actor: Actor, id: string): Promise<void> {
    await this.change(actor, id, (em, user) => this.changes.liftBan(em, actor, user));
  }

  /**
   * Deletes an account, and with it its sessions and roles.
   * @param finish what else is done about it in the same transaction
   * @throws LastAdminException
   */
  async deleteUser(actor: Actor, id: string, finish?: (em: EntityManager) => Promise<void>): Promise<void> {
    const remove = async (em: EntityManager, user: UserRow) => {
      await this.changes.remove(em, actor, user);
      await finish?.(em);
    };
    await this.change(actor, id, remove, { isAlsoDeleted: true });
  }

  /** Deletes an account that was made by an invitation and that nobody has come to; any other one stays. @returns whether it did */
  async removeUnused(actor: Actor, id: string): Promise<boolean> {
    let isUnused = false;
    await this.change(actor, id, async (em, user) => {
      isUnused = Boolean(user.invitedAt && !user.emailConfirmedAt && !user.lastSignInAt);
      if (isUnused) await this.changes.remove(em, actor, user);
    });
    return isUnused;
  }

  /** Sets a password; every session of the account ends. @throws AuthError 422 weak_password */
  async setPassword(actor: Actor, id: string, password: string): Promise<void> {
    await this.roles.requireAdmin(actor);
    // An operator's: the address is of no account that was read yet.
    await this.passwords.assertStrong(password, null);
    const passwordHash = await this.passwords.hash(password);
    await this.change(actor, id, async (em, user) => {
      await this.changes.setPassword(em, user, passwordHash);
      await this.audit.recordForUser(em, actor, 'user.password_set', id);
    });
  }

  /** Forgets the wrong passwords and codes that were tried for an account, so that its owner can sign in at once. */
  async liftLimits(actor: Actor, id: string): Promise<void> {
    await this.change(actor, id, async (em, user) => {
      await this.guesses.lift(em, user);
      await this.guesses.liftFactors(em, id);
      await this.audit.recordForUser(em, actor, 'user.unlocked', id);
    });
  }

  /** Changes a user in one transaction. @throws AuthError 404 user_not_found */
  private async change(
    actor: Actor,
    id: string,
    task: (em: EntityManager, user: UserRow) => Promise<void>,
    { isAlsoDeleted = false } = {},
  ): Promise<void> {
    await this.roles.requireAdmin(actor);
    await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const user = isAlsoDeleted ? await lockUserById(em, id) : await lockUserBy(em, { id });
        if (user === null) throw userNotFound();
        await task(em, user);
      }),
    );
  }

  private toAccount(user: UserRow): UserAccount {
    const isBanned = user.bannedUntil != null && user.bannedUntil > this.clock.now();
    return {
      id: user.id,
      email: user.email ?? null,
      createdAt: user.createdAt,
      emailConfirmedAt: user.emailConfirmedAt ?? null,
      emailAssumedAt: user.emailAssumedAt ?? null,
      lastSignInAt: user.lastSignInAt ?? null,
      bannedUntil: isBanned ? (user.bannedUntil ?? null) : null,
      deletedAt: user.deletedAt ?? null,
    };
  }
}
