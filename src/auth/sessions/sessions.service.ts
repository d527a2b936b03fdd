import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock, CLOCK_TOLERANCE_MS, isAhead } from '../../shared/clock.js';
import { AccessTokenService } from '../tokens/access-token.service.js';
import { AuthError } from '../auth.error.js';
import type { Caller } from '../api/caller.js';
import { AccountNoticesService } from '../mails/account-notices.service.js';
import { KnownDevicesService } from '../guesses/known-devices.service.js';
import { describeDevice } from './device-words.js';
import { networkOf } from '../../http/network-of.js';
import { RefreshToken } from './refresh-token.entity.js';
import { findPassedLimit } from './session-limits.js';
import { Session, type SessionRow } from './session.entity.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { hasVerifiedFactor } from '../factors/factor-records.js';
import { presentUser } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';
import type { Json } from '../accounts/user.presenter.js';

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
    private readonly devices: KnownDevicesService,
    private readonly notices: AccountNoticesService,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs a user in, as part of the transaction of `em`; where there may be one session only, the others end.
   * @param method how the person proved who they are, as `amr` lists it
   */
  async begin(em: EntityManager, user: UserRow, method: string, caller: Caller): Promise<TokenResponse> {
    const now = this.clock.now();
    // Before anybody has signed in, no device is known.
    const isDeviceNew = user.lastSignInAt != null && this.devices.sourceFor(caller, user.id) === '';
    user.lastSignInAt = now;
    user.updatedAt = now;
    if (this.config.auth.session.isSingle) await this.endOthers(em, user.id, now);
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
    if (isDeviceNew) await this.tellOfDevice(em, user, caller);
    return await this.respond(em, user, session, refreshToken);
  }

  /**
   * Raises a session to aal2 by a second factor, as part of the transaction of `em`, which holds the rows of user and
   * session. The user's sessions below aal2 end: who has a second factor shows it on each device.
   * @param method as `amr` lists it
   * @throws AuthError 403 session_not_found when the session has no refresh token any more
   */
  async raise(
    em: EntityManager,
    user: UserRow,
    session: SessionRow,
    { factorId, method }: { readonly factorId: string; readonly method: string },
  ): Promise<TokenResponse> {
    const now = this.clock.now();
    const active = await em.findOne(RefreshToken, { sessionId: session.id, isRevoked: false });
    // A stolen token has ended the session, and a second factor does not bring it back.
    if (active === null) throw sessionNotFound();
    Object.assign(active, { isRevoked: true, updatedAt: now });
    session.aal = 'aal2';
    session.factorId = factorId;
    const others = session.amr.filter((entry) => entry.method !== method);
    session.amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }, ...others];
    const refreshToken = this.addRefreshToken(em, session, active.id, now);
    await em.flush();
    await em.nativeDelete(Session, { userId: user.id, id: { $ne: session.id }, aal: 'aal1' });
    return await this.respond(em, user, session, refreshToken);
  }

  /** They keep their rows, so that whoever comes back is told why; and stay ended when the newest one ends, too. */
  private async endOthers(em: EntityManager, userId: string, now: Date): Promise<void> {
    const isOpen = { $or: [{ notAfter: null }, { notAfter: { $gt: now } }] };
    await em.nativeUpdate(Session, { userId, ...isOpen }, { notAfter: now });
  }

  /** Tells once a day of the same browser in the same network: programs sign in again and again, without cookies. */
  private async tellOfDevice(em: EntityManager, user: UserRow, { userAgent, ip }: Caller): Promise<void> {
    const { browser, system } = describeDevice(userAgent);
    const name = `${networkOf(ip)}:${browser ?? ''}:${system ?? ''}`;
    await this.notices.tell(em, user.id, { kind: 'new_device', browser, system, ip }, { name });
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
    const { token, expiresAt } = await this.accessTokens.issue(user, session);
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.config.auth.jwt.expiresIn,
      expires_at: expiresAt,
      refresh_token: refreshToken,
      user: await presentUser(em, user),
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
    const { lowAal, isSingle } = this.config.auth.session;
    const secondsSince = (time: Date) => (isAhead(time, now) ? Infinity : (now.getTime() - time.getTime()) / 1000);
    const superseded = isSingle && (await this.isSuperseded(em, session, now)) ? ' (Revoked by Newer Login)' : '';
    const passed = findPassedLimit(session, this.config.auth.session, now);
    if (passed) throw expired(passed.suffix || superseded);
    const isLow = lowAal > 0 && session.aal === 'aal1' && secondsSince(session.createdAt) > lowAal;
    if (isLow && (await hasVerifiedFactor(em, session.userId))) {
      throw expired(' (Low AAL: User Needs MFA Verification)');
    }
    if (superseded !== '') throw expired(superseded);
  }

  private async isSuperseded(em: EntityManager, session: SessionRow, now: Date): Promise<boolean> {
    // One that a wrong clock dated ahead is older than all that began since the clock is right.
    const $gt = isAhead(session.createdAt, now) ? new Date(0) : session.createdAt;
    const createdAt = { $gt, $lte: new Date(now.getTime() + CLOCK_TOLERANCE_MS) };
    return (await em.count(Session, { userId: session.userId, createdAt })) > 0;
  }
}

/** E(403, session_not_found) (auth-api.md 1.4). */
export function sessionNotFound(): AuthError {
  return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
}

function expired(suffix: string): AuthError {
  return new AuthError(400, 'session_expired', `Invalid Refresh Token: Session Expired${suffix}`);
}
