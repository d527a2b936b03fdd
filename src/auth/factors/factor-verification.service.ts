import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock, isOver } from '../../shared/clock.js';
import type { Caller } from '../api/caller.js';
import type { VerifyFactorBody } from '../api/request-bodies.js';
import { AuthError, invalid } from '../auth.error.js';
import { withdrawAddressChange } from '../codes/one-time-tokens.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { SessionsService, type TokenResponse } from '../sessions/sessions.service.js';
import { isUuid } from '../tokens/authentication.service.js';
import { FactorCallersService, type FactorCaller } from './factor-callers.service.js';
import { FactorChallenge, type FactorChallengeRow } from './factor-challenge.entity.js';
import { FactorChangesService } from './factor-changes.service.js';
import { Factor, type ChallengedType, type FactorRow } from './factor.entity.js';
import { findChallengedFactor, hasVerifiedFactor, type ChallengedFactor } from './factor-records.js';
import { PhoneFactorsService } from './phone-factors.service.js';
import { assertKeyAnswered, SecurityKeysService, type KeyRequest } from './security-keys.service.js';
import { TotpService } from './totp.service.js';

const CHALLENGE_MS = 300_000;
/** Old challenges are kept for a while, so that whoever comes late is told so. */
export const CHALLENGES_KEPT_MS = 3_600_000;

/** Factors as messages name them, and as `amr` does. */
const NAMES = { totp: 'TOTP', phone: 'Phone', webauthn: 'WebAuthn' } as const;
const METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const;
const FAILURES = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'The security key could not be verified',
} as const;

/** A challenge that was begun. */
export interface ChallengeAnswer {
  readonly id: string;
  readonly type: ChallengedType;
  /** Seconds since 1970. */
  readonly expires_at: number;
  /** The request to a security key, for the browser. */
  readonly webauthn?: KeyRequest;
}

/** Raises sessions to aal2 by a second factor (auth-api.md 3.15 and 3.16). */
@Injectable()
export class FactorVerificationService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly callers: FactorCallersService,
    private readonly changes: FactorChangesService,
    private readonly guesses: GuessesService,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly keys: SecurityKeysService,
    private readonly phones: PhoneFactorsService,
    private readonly clock: Clock,
  ) {}

  /** POST /factors/{id}/challenge. */
  async challenge(factorId: string, caller: Caller): Promise<ChallengeAnswer> {
    const id = randomUUID();
    const codeHash = await this.sendCode(factorId, id, caller);
    return await this.em.fork().transactional(async (em) => {
      const { user } = await this.callers.lock(em, caller);
      const factor = await findChallengedFactor(em, user.id, factorId);
      this.assertVerifyEnabled(factor);
      const webauthn = factor.factorType === 'webauthn' ? await this.keys.ask(em, user, factor) : undefined;
      const now = this.clock.now();
      const before = new Date(now.getTime() - CHALLENGES_KEPT_MS);
      await em.nativeDelete(FactorChallenge, { factorId: factor.id, createdAt: { $lt: before } });
      const webauthnChallenge = webauthn?.credential_options.publicKey.challenge ?? null;
      const asked = { webauthnChallenge, codeHash };
      await em.insert(FactorChallenge, { id, factorId: factor.id, ip: caller.ip, ...asked, createdAt: now });
      factor.lastChallengedAt = now;
      factor.updatedAt = now;
      const expiresAt = Math.floor((now.getTime() + CHALLENGE_MS) / 1000);
      return { id, type: factor.factorType, expires_at: expiresAt, ...(webauthn && { webauthn }) };
    });
  }

  /** Sends the code for a challenge of a phone, and returns its hash; null for other factors. */
  private async sendCode(factorId: string, challengeId: string, caller: Caller): Promise<string | null> {
    const { user } = await this.callers.read(caller);
    const factor = await findChallengedFactor(this.em.fork({ disableTransactions: true }), user.id, factorId);
    if (factor.factorType !== 'phone') return null;
    this.assertVerifyEnabled(factor);
    return await this.phones.send(factor, challengeId);
  }

  /**
   * POST /factors/{id}/verify: tokens of the same session at aal2. A wrong code counts although nothing changes.
   * @throws AuthError as auth-api.md 3.16 says, 429 after too many wrong codes
   */
  async verify(factorId: string, body: VerifyFactorBody, caller: Caller): Promise<TokenResponse> {
    const { user } = await this.callers.read(caller);
    const factor = await findChallengedFactor(this.em.fork({ disableTransactions: true }), user.id, factorId);
    const { id, factorType } = factor;
    assertAnswered(factor, body);
    this.assertVerifyEnabled(factor);
    const { tokens } = await this.guesses.judgeFactor(id, () =>
      this.em.fork().transactional((em) => this.judge(em, id, body, caller)),
    );
    if (tokens === null) throw new AuthError(422, 'mfa_verification_failed', FAILURES[factorType]);
    return tokens;
  }

  /** In one transaction, so that of a code that comes twice at once, one is found used. */
  private async judge(
    em: EntityManager,
    factorId: string,
    body: VerifyFactorBody,
    caller: Caller,
  ): Promise<{ readonly isRight: boolean; readonly tokens: TokenResponse | null }> {
    const own = await this.callers.lock(em, caller);
    const factor = await findChallengedFactor(em, own.user.id, factorId);
    const challenge = await this.findChallenge(em, factor, body.challenge_id, caller);
    await assertMayVerify(em, own, factor);
    if (!(await this.prove(em, factor, challenge, body))) return { isRight: false, tokens: null };
    const now = this.clock.now();
    challenge.verifiedAt = now;
    factor.updatedAt = now;
    return { isRight: true, tokens: await this.accept(em, own, factor) };
  }

  /** Returns true for a proof that is right, and keeps what makes it the last one of its kind. */
  private async prove(
    em: EntityManager,
    factor: FactorRow,
    challenge: FactorChallengeRow,
    { code, webauthn }: VerifyFactorBody,
  ): Promise<boolean> {
    if (factor.factorType === 'webauthn') return await this.keys.check(em, factor, challenge, webauthn);
    if (factor.factorType === 'phone') return this.phones.isRight(challenge, code);
    const step = this.totp.findStep(factor, code);
    if (step === null) return false;
    factor.lastUsedStep = step;
    return true;
  }

  private async accept(
    em: EntityManager,
    { user, session }: FactorCaller,
    factor: ChallengedFactor,
  ): Promise<TokenResponse> {
    const { factorType } = factor;
    if (factor.status === 'unverified') {
      await this.changes.confirm(em, { kind: 'user', userId: user.id }, factor);
      // The first one: the user's other sessions end, and so does what one of them may have asked for.
      if (session.aal === 'aal1') await withdrawAddressChange(em, user);
    }
    await em.flush();
    await em.nativeDelete(Factor, { userId: user.id, factorType, status: 'unverified' });
    return await this.sessions.raise(em, user, session, { factorId: factor.id, method: METHODS[factorType] });
  }

  private async findChallenge(
    em: EntityManager,
    factor: FactorRow,
    id: string,
    caller: Caller,
  ): Promise<FactorChallengeRow> {
    const challenge = isUuid(id) ? await em.findOne(FactorChallenge, { id, factorId: factor.id }) : null;
    if (challenge === null) {
      throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
    }
    if (challenge.verifiedAt || challenge.ip !== caller.ip) {
      throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
    }
    if (isOver(challenge.createdAt, CHALLENGE_MS, this.clock.now())) {
      const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`;
      throw new AuthError(422, 'mfa_challenge_expired', message);
    }
    return challenge;
  }

  private assertVerifyEnabled({ factorType }: ChallengedFactor): void {
    if (this.config.auth.mfa[factorType].isVerifyEnabled) return;
    const message = `MFA verification is disabled for ${NAMES[factorType]}`;
    throw new AuthError(422, `mfa_${factorType}_verify_not_enabled`, message);
  }
}

function assertAnswered({ factorType }: FactorRow, { code, webauthn }: VerifyFactorBody): void {
  if (factorType === 'webauthn') assertKeyAnswered(webauthn);
  else if (code === '') throw invalid('Code needs to be non-empty');
}

/**
 * Refuses a first code of a factor that was added before another one was verified: whoever knows the password alone
 * could have added it.
 */
async function assertMayVerify(em: EntityManager, { user, session }: FactorCaller, factor: FactorRow): Promise<void> {
  if (factor.status === 'verified' || session.aal === 'aal2' || !(await hasVerifiedFactor(em, user.id))) return;
  throw new AuthError(403, 'insufficient_aal', 'AAL2 required to verify a new factor');
}
