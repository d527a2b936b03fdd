import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import { twiceIfRaced } from '../../database/twice-if-raced.js';
import {
  adoptAddress,
  assertFree,
  changeMetadata,
  clearOneTimeTokens,
  confirmAddress,
  lockUserBy,
  lockUserById,
  phoneExists,
  presentUser,
  presentUsers,
  userNotFound,
  withUniqueAddresses,
} from '../accounts/user-records.js';
import { User, type UserRow } from '../accounts/user.entity.js';
import type { Json } from '../accounts/user.presenter.js';
import { readEmail, readPhone } from '../api/input-rules.js';
import type { AdminUserBody } from '../api/request-bodies.js';
import { AuthError, invalid } from '../auth.error.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { isUuid } from '../tokens/authentication.service.js';
import { readBanDuration } from './ban-duration.js';
import { isUsableHash } from './imported-user.js';
import { UserChangesService } from './user-changes.service.js';
import type { UserPageRequest } from './user-page.js';

const MAX_NAME = 255;
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Some users, and how many there are. */
export interface UserPage {
  readonly users: readonly Json[];
  readonly total: number;
}

/** A body that was checked; undefined where it says nothing. */
interface Wish {
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /** Milliseconds; 0 lifts a ban. */
  readonly banMs: number | undefined;
}

/** The accounts for programs that administer them (auth-api.md 5). The callers have checked the token. */
@Injectable()
export class AdminUsersService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly passwords: PasswordsService,
    private readonly changes: UserChangesService,
    private readonly audit: AuditService,
    private readonly notices: AccountNoticesService,
    private readonly clock: Clock,
  ) {}

  /** GET /admin/users: also users who were deleted softly. @param audience only its users; undefined for all */
  async list(request: UserPageRequest, audience: string | undefined): Promise<UserPage> {
    const em = this.em.fork({ disableTransactions: true });
    const [rows, total] = await em.findAndCount(User, conditionsOf(request.filter, audience), {
      orderBy: { createdAt: request.direction, id: 'asc' },
      limit: request.perPage,
      offset: (request.page - 1) * request.perPage,
    });
    return { users: await presentUsers(em, rows), total };
  }

  /** GET /admin/users/{id}. */
  async show(id: string): Promise<Json> {
    assertUserId(id);
    const em = this.em.fork({ disableTransactions: true });
    const user = await em.findOne(User, { id });
    if (user === null) throw userNotFound();
    return await presentUser(em, user);
  }

  /** POST /admin/users: mails nothing. @param audience of a user whose body names none */
  async create(actor: Actor, body: AdminUserBody, audience: string | undefined): Promise<Json> {
    const { email, phone, banMs } = this.readWish(body);
    if (email === undefined && phone === undefined) {
      throw invalid('Cannot create a user without either an email or phone');
    }
    const input = {
      ...(body.id === '' ? {} : { id: readId(body.id) }),
      aud: body.aud || (audience ?? this.config.auth.jwt.audience),
      ...(body.role === '' ? {} : { role: body.role }),
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      data: body.user_metadata ?? {},
      isSelfSignup: false,
    };
    const em = this.em.fork({ disableTransactions: true });
    await assertFree(em, { email, phone }, phoneTaken);
    const passwordHash = await this.hashOf(body);
    const confirmed = [
      ...(email !== undefined && body.email_confirm ? (['email'] as const) : []),
      ...(phone !== undefined && body.phone_confirm ? (['phone'] as const) : []),
    ];
    return await this.changeInOne(async (em) => {
      const user = await this.changes.create(em, actor, { ...input, passwordHash: passwordHash ?? null }, confirmed);
      changeMetadata(user, { appData: body.app_metadata });
      await this.applyBan(em, actor, user, banMs);
      return user;
    });
  }

  /** PUT /admin/users/{id}: changes what the body names, an address at once. */
  async update(actor: Actor, id: string, body: AdminUserBody): Promise<Json> {
    assertUserId(id);
    const wish = this.readWish(body);
    if (body.password !== undefined) await this.passwords.assertStrong(body.password, wish.email ?? wish.phone);
    await this.assertExists(id);
    const passwordHash = await this.hashOf(body);
    return await this.changeInOne(async (em) => {
      const user = await lockUserBy(em, { id });
      if (user === null) throw userNotFound();
      const details = { fields: fieldsOf(body).join(', ') };
      // Not as the call spells it: the log is looked up by this spelling.
      await this.audit.recordForUser(em, actor, 'user.updated', user.id, details);
      if (passwordHash !== undefined) await this.changes.setPassword(em, user, passwordHash);
      await this.changeAddresses(em, user, wish, body);
      if (body.role !== '') user.role = body.role;
      if (body.aud !== '') user.aud = body.aud;
      changeMetadata(user, { data: body.user_metadata, appData: body.app_metadata });
      user.updatedAt = this.clock.now();
      await this.applyBan(em, actor, user, wish.banMs);
      return user;
    });
  }

  /** DELETE /admin/users/{id}. @throws AuthError 404 user_not_found; LastAdminException */
  async delete(actor: Actor, id: string, isSoft: boolean): Promise<void> {
    assertUserId(id);
    // What somebody leaves goes to an administrator, who may be on the way out as well.
    await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const user = await lockUserById(em, id);
        if (user === null) throw userNotFound();
        if (!isSoft) await this.changes.remove(em, actor, user);
        else if (!user.deletedAt) await this.changes.removeSoftly(em, actor, user);
      }),
    );
  }

  private readWish(body: AdminUserBody): Wish {
    for (const name of ['aud', 'role'] as const) {
      if (body[name].length > MAX_NAME) throw invalid(`${name} cannot be longer than ${MAX_NAME} characters`);
    }
    return {
      email: body.email === '' ? undefined : readEmail(body.email),
      phone: body.phone === '' ? undefined : readPhone(body.phone),
      banMs: body.ban_duration === '' ? undefined : readBanDuration(body.ban_duration),
    };
  }

  /** The hash of the password or the one that the body brings; undefined without either. */
  private async hashOf({ password, password_hash: hash }: AdminUserBody): Promise<string | undefined> {
    if (password && hash !== '') throw invalid('Only a password or a password hash should be provided');
    if (hash !== '') {
      if (isUsableHash(hash)) return hash;
      throw invalid('password_hash is neither a bcrypt hash nor one of argon2id, of a usual cost');
    }
    if (!password) return undefined;
    this.passwords.assertNotTooLong(password);
    return await this.passwords.hash(password);
  }

  private async assertExists(id: string): Promise<void> {
    const count = await this.em.fork({ disableTransactions: true }).count(User, { id, deletedAt: null });
    if (count === 0) throw userNotFound();
  }

  private async changeAddresses(
    em: EntityManager,
    user: UserRow,
    { email, phone }: Wish,
    body: AdminUserBody,
  ): Promise<void> {
    const now = this.clock.now();
    const formerAddress = user.emailConfirmedAt ? user.email : null;
    const changes = {
      ...(email !== undefined && email !== user.email ? { email } : {}),
      ...(phone !== undefined && phone !== user.phone ? { phone } : {}),
    };
    await assertFree(em, changes, phoneTaken);
    for (const channel of ['email', 'phone'] as const) {
      if (changes[channel] === undefined) continue;
      user[channel] = changes[channel];
      Object.assign(user, channel === 'email' ? { newEmail: null, emailChangeConfirmations: 0 } : { newPhone: null });
      if (channel === 'email') user.emailAssumedAt = null;
      const isConfirmed = channel === 'email' ? user.emailConfirmedAt : user.phoneConfirmedAt;
      await adoptAddress(em, user, channel, Boolean(isConfirmed), now);
      await em.flush();
    }
    if (body.email_confirm && user.email) await confirmAddress(em, user, 'email', now);
    if (body.phone_confirm && user.phone) await confirmAddress(em, user, 'phone', now);
    // Links and codes went to the addresses that were there before.
    const isTouched = Object.keys(changes).length > 0 || body.email_confirm || body.phone_confirm;
    if (isTouched) await clearOneTimeTokens(em, user);
    if ('email' in changes) await this.notices.tell(em, user.id, { kind: 'email_changed' }, { formerAddress });
  }

  private async applyBan(em: EntityManager, actor: Actor, user: UserRow, banMs: number | undefined): Promise<void> {
    if (banMs === undefined) return;
    const until = new Date(this.clock.now().getTime() + banMs);
    if (banMs === 0) await this.changes.liftBan(em, actor, user);
    else await this.changes.ban(em, actor, user, until, false);
  }

  /** The user as it is after the change. */
  private async changeInOne(change: (em: EntityManager) => Promise<UserRow>): Promise<Json> {
    return await withUniqueAddresses(
      () =>
        this.em.fork().transactional(async (em) => {
          const user = await change(em);
          await em.flush();
          return await presentUser(em, user);
        }),
      phoneTaken,
    );
  }
}

/** @throws AuthError 404 validation_failed */
export function assertUserId(id: string): void {
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
}

function readId(id: string): string {
  if (!isUuid(id)) throw invalid('ID must conform to the uuid v4 format');
  if (id === NIL_ID) throw invalid('ID cannot be a nil uuid');
  return id.toLowerCase();
}

function phoneTaken(): AuthError {
  return phoneExists('Phone number already registered by another user');
}

/** An exact part of the address, or a part of the full name in any case. */
function conditionsOf(filter: string, audience: string | undefined) {
  const part = `%${filter.replace(/[\\%_]/g, '\\$&')}%`;
  return {
    ...(audience === undefined ? {} : { aud: audience }),
    ...(filter === '' ? {} : { $or: [{ email: { $like: part } }, { userMetadata: { full_name: { $ilike: part } } }] }),
  };
}

/** The members of a body that change something, for the audit log; never their values. */
function fieldsOf(body: AdminUserBody): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const isSaid = value !== undefined && value !== '' && value !== false;
    return isSaid && name !== 'id' ? [name] : [];
  });
}
