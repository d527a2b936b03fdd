import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import { isUuid } from './authentication.service.js';
import { readEmail } from './input-rules.js';
import { PasswordsService } from './passwords.service.js';
import { Session } from './session.entity.js';
import { clearOneTimeTokens, confirmAddress, createUser, lockUserBy, withUniqueAddresses } from './user-records.js';
import { User, type UserRow } from './user.entity.js';

/** A user as operators see one. */
export type UserSummary = Pick<
  UserRow,
  'id' | 'email' | 'phone' | 'createdAt' | 'emailConfirmedAt' | 'lastSignInAt' | 'bannedUntil' | 'isAnonymous'
>;

const summaryFields = [
  'id',
  'email',
  'phone',
  'createdAt',
  'emailConfirmedAt',
  'lastSignInAt',
  'bannedUntil',
  'isAnonymous',
] as const;

/** Administering accounts, for the command line. */
@Injectable()
export class UsersService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a user with a password.
   * @throws AuthError 400 for an address or 422 for a password that is none, 422 email_exists
   */
  async createUser(
    _actor: Actor,
    { email, password, isConfirmed }: { email: string; password: string; isConfirmed: boolean },
  ): Promise<UserSummary> {
    const address = readEmail(email);
    this.passwords.assertStrong(password);
    const passwordHash = await this.passwords.hash(password);
    const aud = this.config.auth.jwt.audience;
    return await withUniqueAddresses(() =>
      this.em.fork().transactional(async (em) => {
        const now = this.clock.now();
        const user = createUser(em, { aud, email: address, passwordHash, data: {}, isSelfSignup: false }, now);
        await em.flush();
        if (isConfirmed) await confirmAddress(em, user, 'email', now);
        return toSummary(user);
      }),
    );
  }

  /** Users, the newest first. */
  async listUsers(_actor: Actor, { limit, offset }: { limit: number; offset: number }): Promise<UserSummary[]> {
    const options = { fields: summaryFields, orderBy: { createdAt: 'desc', id: 'asc' }, limit, offset } as const;
    return (await this.reader().find(User, { deletedAt: null }, options)).map(toSummary);
  }

  /** The user of that address or id, or null. */
  async findByEmailOrId(_actor: Actor, emailOrId: string): Promise<UserSummary | null> {
    const user = await this.reader().findOne(User, { ...toCondition(emailOrId), deletedAt: null });
    return user === null ? null : toSummary(user);
  }

  /** Takes the user's address as confirmed; false when there is no such user. */
  async confirmUser(_actor: Actor, id: string): Promise<boolean> {
    return await this.change(id, async (em, user) => {
      await confirmAddress(em, user, 'email', this.clock.now());
      await clearOneTimeTokens(em, user);
    });
  }

  /** Keeps a user out until that time, and with it every session; null lifts a ban. */
  async banUser(_actor: Actor, id: string, until: Date | null): Promise<boolean> {
    return await this.change(id, async (_em, user) => {
      user.bannedUntil = until;
    });
  }

  /** Deletes a user with everything that belongs to the account; false when there is no such user. */
  async deleteUser(_actor: Actor, id: string): Promise<boolean> {
    return (await this.em.fork().nativeDelete(User, { id })) > 0;
  }

  /**
   * Sets a new password; all sessions, links and codes of the user end.
   * @throws AuthError 422 weak_password
   */
  async setPassword(_actor: Actor, id: string, password: string): Promise<boolean> {
    this.passwords.assertStrong(password);
    const passwordHash = await this.passwords.hash(password);
    return await this.change(id, async (em, user) => {
      user.passwordHash = passwordHash;
      await em.nativeDelete(Session, { userId: user.id });
      await clearOneTimeTokens(em, user);
    });
  }

  private async change(id: string, apply: (em: EntityManager, user: UserRow) => Promise<void>): Promise<boolean> {
    return await this.em.fork().transactional(async (em) => {
      const user = await lockUserBy(em, { id });
      if (user === null) return false;
      await apply(em, user);
      user.updatedAt = this.clock.now();
      return true;
    });
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

function toCondition(emailOrId: string) {
  return isUuid(emailOrId) ? { id: emailOrId } : { email: emailOrId.toLowerCase(), isSsoUser: false };
}

function toSummary(user: UserSummary): UserSummary {
  const { id, email, phone, createdAt, emailConfirmedAt, lastSignInAt, bannedUntil, isAnonymous } = user;
  return { id, email, phone, createdAt, emailConfirmedAt, lastSignInAt, bannedUntil, isAnonymous };
}
