import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import type { Caller } from '../api/caller.js';
import { AuthError, invalid } from '../auth.error.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { SessionsService, type TokenResponse } from '../sessions/sessions.service.js';
import { FactorCallersService } from './factor-callers.service.js';
import { FactorChangesService } from './factor-changes.service.js';
import { findRecoveryFactor } from './factor-records.js';
import { RecoveryCode, type RecoveryCodeRow } from './recovery-code.entity.js';
import { isRecoveryCode, readRecoveryCode } from './recovery-code-texts.js';

/** Raises sessions to aal2 by a recovery code, which is used up by it (auth-api.md 3.18, decision 67). */
@Injectable()
export class RecoveryVerificationService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly callers: FactorCallersService,
    private readonly changes: FactorChangesService,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * POST /factors/recovery-codes/verify: tokens of the same session at aal2. A wrong code counts although nothing changes.
   * @throws AuthError as auth-api.md 3.18 says, 429 mfa_recovery_codes_locked after too many wrong codes
   */
  async verify(typed: string, caller: Caller): Promise<TokenResponse> {
    const { user } = await this.callers.read(caller);
    this.assertEnabled();
    const code = readRecoveryCode(typed);
    if (code === '') throw invalid('Code needs to be non-empty');
    const em = this.em.fork({ disableTransactions: true });
    const factor = await findRecoveryFactor(em, user.id);
    if (factor === null) throw wrong();
    // Before the attempt is counted: who waits too long for this has not guessed.
    const hash = await this.hashLikeCodesOf(em, factor.id, code);
    const { tokens } = await this.guesses
      .judgeFactor(factor.id, () => this.em.fork().transactional((tx) => this.judge(tx, factor.id, hash, caller)))
      .catch(sayLocked);
    if (tokens === null) throw wrong();
    return tokens;
  }

  /** In one transaction, so that of a code that comes twice at once, one is found used. */
  private async judge(
    em: EntityManager,
    factorId: string,
    hash: string,
    caller: Caller,
  ): Promise<{ readonly isRight: boolean; readonly tokens: TokenResponse | null }> {
    const { user, session } = await this.callers.lock(em, caller);
    const factor = await findRecoveryFactor(em, user.id);
    const codes = await em.find(RecoveryCode, { factorId, usedAt: null });
    const code = findEqual(codes, hash);
    if (factor?.id !== factorId || code === null) return { isRight: false, tokens: null };
    const now = this.clock.now();
    code.usedAt = now;
    Object.assign(factor, { lastChallengedAt: now, updatedAt: now });
    const tokens = await this.sessions.raise(em, user, session, { factorId, method: 'mfa/recovery_code' });
    const event = { kind: 'recovery_code_used', left: codes.length - 1 } as const;
    await this.changes.tellOfCodes(em, { kind: 'user', userId: user.id }, factor, event);
    return { isRight: true, tokens };
  }

  /** Hashes once for all codes of a set; empty for what cannot be one of them. */
  private async hashLikeCodesOf(em: EntityManager, factorId: string, code: string): Promise<string> {
    const any = await em.findOne(RecoveryCode, { factorId });
    return any !== null && isRecoveryCode(code) ? await this.passwords.hashLike(any.codeHash, code) : '';
  }

  private assertEnabled(): void {
    if (this.config.auth.mfa.recoveryCodes.isVerifyEnabled) return;
    const message = 'MFA verification is disabled for recovery codes';
    throw new AuthError(422, 'mfa_recovery_codes_verify_not_enabled', message);
  }
}

/** Compares with each of the codes, wherever the right one stands. */
function findEqual(codes: readonly RecoveryCodeRow[], hash: string): RecoveryCodeRow | null {
  const sought = Buffer.from(hash);
  const found = codes.filter(({ codeHash }) => {
    const known = Buffer.from(codeHash);
    return known.length === sought.length && timingSafeEqual(known, sought);
  });
  return found[0] ?? null;
}

function wrong(): AuthError {
  return new AuthError(422, 'mfa_verification_failed', 'Invalid recovery code entered');
}

/** Clients tell this limit from that on requests. */
function sayLocked(error: unknown): never {
  if (!(error instanceof AuthError) || error.code !== 'over_request_rate_limit') throw error;
  const message = 'Too many failed verification attempts, try again later';
  throw new AuthError(429, 'mfa_recovery_codes_locked', message, {}, error.retryAfter);
}
