import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { AccessTokenService } from '../tokens/access-token.service.js';
import { AuthError } from '../auth.error.js';
import type { Caller } from '../api/caller.js';
import { RefreshToken } from './refresh-token.entity.js';
import { Session, type SessionRow } from './session.entity.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { findIdentities } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';
import { toUserJson, type Json } from '../accounts/user.presenter.js';

/** The answer that hands out tokens (auth-api.md 1.6). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Seconds since 1970. */
  readonly expires_at: number;
  readonly refresh_token: string;
  readonly user: Json;
}

/** Which sessions a sign-out ends. */
export type LogoutScope = 'global' | 'local' | 'others';

/** Begins and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly accessTokens: AccessTokenService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs a user in, as part of the transaction of `em`.
   * @param method how the person proved who they are, as `amr` lists it
   */
  async begin(em: EntityManager, user: UserRow, method: string, caller: Caller): Promise<TokenResponse> {
    const now = this.clock.now();
    user.lastSignInAt = now;
    user.updatedAt = now;
    const session = em.create(Session, {
      id: randomUUID(),
      userId: user.id,
      aal: 'aal1',
      amr: [{ method, timestamp: Math.floor(now.getTime() / 1000) }],
      userAgent: caller.userAgent,
      ip: caller.ip,
      createdAt: now,
    });
    em.persist(session);
    const refreshToken = this.addRefreshToken(em, session, null, now);
    await em.flush();
    return await this.respond(em, user, session, refreshToken);
  }

  /** A further refresh token of a session. */
  addRefreshToken(em: EntityManager, session: SessionRow, parentId: string | null, now: Date): string {
    const id = randomUUID();
    const token = this.codec.refreshTokenOf(id);
    const tokenHash = this.codec.hash(token);
    em.persist(
      em.create(RefreshToken, { id, sessionId: session.id, tokenHash, parentId, createdAt: now, updatedAt: now }),
    );
    return token;
  }

  async respond(em: EntityManager, user: UserRow, session: SessionRow, refreshToken: string): Promise<TokenResponse> {
    const identities = await findIdentities(em, user);
    const { token, expiresAt } = await this.accessTokens.issue(user, session);
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.config.auth.jwt.expiresIn,
      expires_at: expiresAt,
      refresh_token: refreshToken,
      user: toUserJson(user, identities),
    };
  }

  /** Ends sessions of a user; their refresh tokens go with them. */
  async end(em: EntityManager, userId: string, scope: LogoutScope, sessionId: string | undefined): Promise<void> {
    // Without a session of its own, a token can end none but all.
    if (scope === 'local' && sessionId === undefined) return;
    const which = {
      global: {},
      local: { id: sessionId ?? '' },
      others: sessionId === undefined ? {} : { id: { $ne: sessionId } },
    } as const;
    await em.nativeDelete(Session, { userId, ...which[scope] });
  }

  /**
   * Checks a session against the limits on sessions, which are off by default.
   * @throws AuthError 400 session_expired
   */
  async assertWithinLimits(em: EntityManager, session: SessionRow, now: Date): Promise<void> {
    const { timebox, inactivity, isSingle } = this.config.auth.session;
    const secondsSince = (time: Date) => (now.getTime() - time.getTime()) / 1000;
    if (session.notAfter && session.notAfter < now) throw expired('');
    if (timebox > 0 && secondsSince(session.createdAt) > timebox) throw expired('');
    if (inactivity > 0 && secondsSince(session.refreshedAt ?? session.createdAt) > inactivity) {
      throw expired(' (Inactivity)');
    }
    if (!isSingle) return;
    const newer = await em.count(Session, { userId: session.userId, createdAt: { $gt: session.createdAt } });
    if (newer > 0) throw expired(' (Revoked by Newer Login)');
  }
}

function expired(suffix: string): AuthError {
  return new AuthError(400, 'session_expired', `Invalid Refresh Token: Session Expired${suffix}`);
}
