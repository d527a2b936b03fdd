import { DriverException, LockMode, raw } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { REQUEST_LIMITS, withDatabaseLimits } from '../../database/pool/database-limits.js';
import { Clock, isOver } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';
import { isBanned } from '../tokens/authentication.service.js';
import type { Caller } from '../api/caller.js';
import { RefreshToken, type RefreshTokenRow } from './refresh-token.entity.js';
import { Session, type SessionRow } from './session.entity.js';
import { SessionsService, type TokenResponse } from './sessions.service.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { User } from '../accounts/user.entity.js';

/** PostgreSQL: could not obtain the lock in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** Others may refresh the same session for five seconds (auth-api.md 2.2), all the database time of a request. */
const LIMITS = { ...REQUEST_LIMITS, acquireMs: 8_000, lockMs: 5_000, statementMs: 6_000, totalMs: 8_000 };

/** Exchanges refresh tokens (auth-api.md 2.2). A session never has two active ones. */
@Injectable()
export class RefreshService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: SessionsService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /**
   * Answers a refresh token with its successor.
   * @throws AuthError 400 as auth-api.md 2.2 numbers them, 409 conflict when others refresh for more than five seconds
   */
  async refresh(token: string, caller: Caller): Promise<TokenResponse> {
    if (!this.codec.isRefreshToken(token)) throw invalid('Refresh token is not valid');
    const exchange = () => this.em.fork().transactional((em) => this.exchange(em, token, caller));
    const outcome = await withDatabaseLimits(LIMITS, exchange).catch((error: unknown) => {
      throw isLockTimeout(error) ? conflict() : error;
    });
    // The revocation after a stolen token is committed, although the answer is an error.
    if (outcome instanceof AuthError) throw outcome;
    return outcome;
  }

  private async exchange(em: EntityManager, token: string, caller: Caller): Promise<TokenResponse | AuthError> {
    const now = this.clock.now();
    const tokenHash = this.codec.hash(token);
    const $eq = raw('(select session_id from auth.refresh_tokens where token_hash = ?)', [tokenHash]);
    const session = await em.findOne(Session, { id: { $eq } }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (session === null) throw notFound();
    // Nobody else can change them now.
    const tokens = await em.find(RefreshToken, { sessionId: session.id, $or: [{ tokenHash }, { isRevoked: false }] });
    const used = tokens.find((candidate) => candidate.tokenHash === tokenHash);
    if (used === undefined) throw notFound();
    const user = await em.findOneOrFail(User, { id: session.userId });
    if (isBanned(user, now)) throw refusal('user_banned', 'User Banned');
    await this.sessions.assertWithinLimits(em, session, now);

    const next = this.findSuccessor(em, session, used, tokens, now);
    if (next === null) {
      if (this.config.auth.session.isRotated) await revokeAll(em, session, now);
      return refusal('refresh_token_already_used', 'Already Used');
    }
    session.refreshedAt = now;
    session.ip = caller.ip;
    session.userAgent = caller.userAgent;
    await em.flush();
    return await this.sessions.respond(em, user, session, next);
  }

  /** The token to hand out, or null when the one that was used may not be used again. */
  private findSuccessor(
    em: EntityManager,
    session: SessionRow,
    used: RefreshTokenRow,
    tokens: readonly RefreshTokenRow[],
    now: Date,
  ): string | null {
    if (!used.isRevoked) {
      used.isRevoked = true;
      used.updatedAt = now;
      return this.sessions.addRefreshToken(em, session, used.id, now);
    }
    // Without an active token the session was ended by a stolen one, and stays so.
    const active = tokens.find((token) => !token.isRevoked);
    if (active === undefined) return null;
    const isAnswerLost = active.parentId === used.id;
    // Another child would be a fork: whoever comes late joins the one line of tokens.
    return isAnswerLost || !isOver(used.updatedAt, this.config.auth.session.reuseInterval * 1000, now)
      ? this.codec.refreshTokenOf(active.id)
      : null;
  }
}

async function revokeAll(em: EntityManager, session: SessionRow, now: Date): Promise<void> {
  await em.nativeUpdate(RefreshToken, { sessionId: session.id, isRevoked: false }, { isRevoked: true, updatedAt: now });
}

function refusal(code: string, what: string): AuthError {
  return new AuthError(400, code, `Invalid Refresh Token: ${what}`);
}

function notFound(): AuthError {
  return refusal('refresh_token_not_found', 'Refresh Token Not Found');
}

function conflict(): AuthError {
  const message = 'Too many concurrent token refresh requests on the same session or refresh token';
  return new AuthError(409, 'conflict', message);
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DriverException && (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
}
