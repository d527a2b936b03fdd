import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { twiceIfRaced } from '../../database/twice-if-raced.js';
import { Clock, CLOCK_TOLERANCE_MS, isOver } from '../../shared/clock.js';
import { AuthError, invalid } from '../auth.error.js';
import { isBanned, isUuid } from '../tokens/authentication.service.js';
import type { Caller } from '../api/caller.js';
import { ProviderAccountsService } from '../external/provider-accounts.service.js';
import { assertSecondFactor } from '../factors/factor-records.js';
import { FlowState, type FlowStateRow, type PendingIdentity } from './flow-state.entity.js';
import type { Challenge } from '../api/input-rules.js';
import { Session } from './session.entity.js';
import { sessionNotFound, SessionsService, type TokenResponse } from './sessions.service.js';
import { TokenCodec } from '../tokens/token-codec.js';
import { lockUserBy } from '../accounts/user-records.js';
import type { UserRow } from '../accounts/user.entity.js';

const LIFETIME_MS = 300_000;
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000;

/** Exchanges authorization codes for tokens (RFC 7636; auth-api.md 2.4). */
@Injectable()
export class PkceService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: SessionsService,
    private readonly providerAccounts: ProviderAccountsService,
    private readonly codec: TokenCodec,
    private readonly clock: Clock,
  ) {}

  /** Remembers a challenge, as part of the transaction of `em`; nothing without one. */
  async begin(em: EntityManager, user: UserRow, method: string, challenge: Challenge): Promise<void> {
    if (challenge === null) return;
    const now = this.clock.now();
    await em.flush();
    // One of a clock that was ahead would be the newest of this user until that time comes.
    const [since, until] = [-FORGOTTEN_AFTER_MS, CLOCK_TOLERANCE_MS].map((ms) => new Date(now.getTime() + ms));
    await em.nativeDelete(FlowState, {
      userId: user.id,
      $or: [{ createdAt: { $lt: since } }, { createdAt: { $gt: until } }],
    });
    await em.insert(FlowState, {
      id: randomUUID(),
      userId: user.id,
      authenticationMethod: method,
      codeChallenge: challenge.challenge,
      codeChallengeMethod: challenge.method,
      createdAt: now,
    });
  }

  /** A challenge and its code at once, for a person who is known by now. @param link an identity that its exchange links */
  async beginWithCode(
    em: EntityManager,
    user: UserRow,
    method: string,
    { challenge, method: codeChallengeMethod }: NonNullable<Challenge>,
    link?: PendingIdentity,
  ): Promise<string> {
    const code = this.codec.newAuthCode();
    const now = this.clock.now();
    await em.flush();
    await em.insert(FlowState, {
      id: randomUUID(),
      userId: user.id,
      authenticationMethod: method,
      codeChallenge: challenge,
      codeChallengeMethod,
      authCodeHash: this.codec.hash(code),
      authCodeIssuedAt: now,
      pendingIdentity: link ?? null,
      createdAt: now,
    });
    return code;
  }

  /**
   * The code for the newest challenge of that user and method.
   * @throws AuthError 404 flow_state_not_found
   */
  async issueCode(em: EntityManager, user: UserRow, method: string): Promise<string> {
    const where = { userId: user.id, authenticationMethod: method };
    const [flow] = await em.find(FlowState, where, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 1 });
    if (flow === undefined) throw notFound();
    const code = this.codec.newAuthCode();
    flow.authCodeHash = this.codec.hash(code);
    flow.authCodeIssuedAt = this.clock.now();
    return code;
  }

  /**
   * The grant `pkce`: a code and the verifier of its challenge for tokens. A code is good once.
   * @throws AuthError 400 bad_code_verifier, 404 flow_state_not_found, 422 flow_state_expired; for one that links an
   * identity 401 insufficient_aal, 403 session_not_found, 422 identity_already_exists
   */
  async exchange(code: string, verifier: string, caller: Caller): Promise<TokenResponse> {
    if (code === '' || verifier === '') {
      throw invalid('invalid request: both auth code and code verifier should be non-empty');
    }
    if (!isUuid(code)) throw notFound();
    // Of two who link one identity at once, the second finds it linked.
    return await twiceIfRaced(() => this.em.fork().transactional((em) => this.spend(em, code, verifier, caller)));
  }

  private async spend(em: EntityManager, code: string, verifier: string, caller: Caller): Promise<TokenResponse> {
    const where = { authCodeHash: this.codec.hash(code) };
    const found = await em.findOne(FlowState, where);
    // The user first, as all do who end codes together with what else there is of a user: in another order, a new
    // password and this would wait for each other.
    const user = found && (await lockUserBy(em, { id: found.userId }));
    // As it is behind the lock, if it is still there: of two that come at once, one finds it spent.
    const flow = user && (await em.findOne(FlowState, where, { disableIdentityMap: true }));
    if (user === null || flow === null) throw notFound();
    const now = this.clock.now();
    if (isExpired(flow, now)) {
      throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
    }
    if (!isVerifierRight(flow, verifier)) {
      const message = 'code challenge does not match previously saved code verifier';
      throw new AuthError(400, 'bad_code_verifier', message);
    }
    if (isBanned(user, now)) throw new AuthError(403, 'user_banned', 'User is banned');
    await em.nativeDelete(FlowState, { id: flow.id });
    if (flow.pendingIdentity != null) await this.link(em, user, flow.pendingIdentity);
    return await this.sessions.begin(em, user, flow.authenticationMethod, caller);
  }

  /**
   * Links an identity for the session that asked for it, as it is now: one that was ended since, or lacks a factor that was
   * added, gets no further way in by its code.
   */
  private async link(em: EntityManager, user: UserRow, { sessionId, ...person }: PendingIdentity): Promise<void> {
    const session = sessionId === undefined ? null : await em.findOne(Session, { id: sessionId, userId: user.id });
    if (session === null) throw sessionNotFound();
    await assertSecondFactor(em, user, session);
    const { provider } = this.config.auth;
    if (provider !== null) await this.providerAccounts.link(em, user, provider, person);
  }
}

/** From its beginning; for a magic link from when its code was issued. */
function isExpired(flow: FlowStateRow, now: Date): boolean {
  const isMagicLink = flow.authenticationMethod === 'magiclink';
  const since = isMagicLink ? (flow.authCodeIssuedAt ?? flow.createdAt) : flow.createdAt;
  return isOver(since, LIFETIME_MS, now);
}

function isVerifierRight(flow: FlowStateRow, verifier: string): boolean {
  const answer =
    flow.codeChallengeMethod === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  const [left, right] = [answer, flow.codeChallenge].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function notFound(): AuthError {
  return new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
}
