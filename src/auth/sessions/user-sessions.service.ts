import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CONFIG, type Config } from '../../config/config.js';
import { networkOf } from '../../http/network-of.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import type { AccountSession, AccountSessionList } from '../../shared/contracts/account.js';
import { lockUserBy, userNotFound } from '../accounts/user-records.js';
import { AuthError } from '../auth.error.js';
import { isUuid } from '../tokens/authentication.service.js';
import { describeDevice } from './device-words.js';
import { overCondition } from './session-limits.js';
import { Session, type SessionRow } from './session.entity.js';

/** More are neither read nor looked at by anybody: a program may sign in a thousand times. */
const MOST_LISTED = 100;

/** Sessions that have a refresh token: those of which a token was stolen have none. */
const REFRESHABLE =
  'exists (select from auth.refresh_tokens token where token.session_id = sessions.id and not token.is_revoked)';

/** The devices on which an account is signed in, for its owner and for those who administer accounts. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Lists the sessions of an account, the last used first. @param currentId the one that asks, if any */
  async list(actor: Actor, userId: string, currentId: string | null): Promise<AccountSessionList> {
    await this.requireOwner(actor, userId);
    const em = this.em.fork({ disableTransactions: true });
    const now = this.clock.now();
    const { session, jwt } = this.config.auth;
    const usable = new Date(now.getTime() - jwt.expiresIn * 1000);
    const over = overCondition(session, now);
    // Those that still open something: by an access token that may not have run out, or by a refresh token.
    const rows = await em.execute<{ id: string }[]>(
      `select id from auth.sessions
       where user_id = ? and (not_after is null or not_after > ?)
         and (coalesce(refreshed_at, created_at) > ? or not ${over.sql} and ${REFRESHABLE})
       order by coalesce(refreshed_at, created_at) desc, id`,
      [userId, now, usable, ...over.values],
    );
    const ids = rows.slice(0, MOST_LISTED).map(({ id }) => id);
    const sessions = new Map((await em.find(Session, { id: { $in: ids } })).map((row) => [row.id, row]));
    const items = ids.flatMap((id) => sessions.get(id) ?? []).map((row) => present(row, currentId));
    return { items, total: rows.length };
  }

  /**
   * Ends one session of an account; its tokens open nothing from now on.
   * @throws AuthError 404 session_not_found for one that is not of this account, or was ended before
   */
  async end(actor: Actor, userId: string, sessionId: string): Promise<void> {
    const ended = isUuid(sessionId) ? await this.endAll(actor, userId, { id: sessionId }) : 0;
    if (ended === 0) throw new AuthError(404, 'session_not_found', 'There is no such session of this account.');
  }

  /** Ends the sessions of an account but one; all of them with null. @returns how many there were */
  async endOthers(actor: Actor, userId: string, keptId: string | null): Promise<number> {
    return await this.endAll(actor, userId, keptId === null ? {} : { id: { $ne: keptId } });
  }

  private async endAll(actor: Actor, userId: string, which: { id?: string | { $ne: string } }): Promise<number> {
    await this.requireOwner(actor, userId);
    return await this.em.fork().transactional(async (em) => {
      // Whoever changes several sessions of a user holds the user: two who do would wait for each other otherwise.
      if ((await lockUserBy(em, { id: userId })) === null) throw userNotFound();
      const count = await em.nativeDelete(Session, { userId, ...which });
      if (count > 0) await this.audit.recordForUser(em, actor, 'user.sessions_ended', userId, { sessions: count });
      return count;
    });
  }

  private async requireOwner(actor: Actor, userId: string): Promise<void> {
    if (actor.kind !== 'user' || actor.userId !== userId) await this.roles.requireAdmin(actor);
  }
}

function present(row: SessionRow, currentId: string | null): AccountSession {
  return {
    id: row.id,
    is_current: row.id === currentId,
    ...describeDevice(row.userAgent),
    ip: row.ip ?? null,
    network: row.ip ? networkOf(row.ip) : null,
    has_second_factor: row.aal === 'aal2',
    created_at: row.createdAt.toISOString(),
    last_used_at: (row.refreshedAt ?? row.createdAt).toISOString(),
  };
}
