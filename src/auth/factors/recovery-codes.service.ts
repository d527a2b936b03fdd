import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import type { Caller } from '../api/caller.js';
import { AuthError } from '../auth.error.js';
import { GuessesService } from '../guesses/guesses.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { FactorCallersService, type FactorCaller } from './factor-callers.service.js';
import { FactorChangesService } from './factor-changes.service.js';
import {
  assertNoLonger,
  findFactors,
  findRecoveryFactor,
  isChallenged,
  nameTaken,
  tooManyFactors,
} from './factor-records.js';
import { Factor, type FactorRow } from './factor.entity.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { newRecoveryCode } from './recovery-code-texts.js';

const CODES = 10;
const DEFAULT_NAME = 'Recovery codes';

/** How many recovery codes somebody has. */
export interface RecoveryCodesStatus {
  readonly id: string;
  readonly type: 'recovery_code';
  readonly total: number;
  /** Those that were not used. */
  readonly remaining: number;
}

/** New recovery codes, shown this once. */
export interface RecoveryCodesSet {
  readonly id: string;
  readonly type: 'recovery_code';
  readonly friendly_name: string;
  readonly total: number;
  readonly codes: readonly string[];
}

/** Codes, and what is stored of them. */
interface HashedCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** Makes and removes one's own recovery codes (auth-api.md 3.18, decision 67). */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly callers: FactorCallersService,
    private readonly changes: FactorChangesService,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordsService,
    private readonly clock: Clock,
  ) {}

  /** GET /factors/recovery-codes. @throws AuthError 404 mfa_factor_not_found */
  async readStatus(caller: Caller): Promise<RecoveryCodesStatus> {
    const { user } = await this.callers.read(caller);
    const em = this.reader();
    const { id } = await findCodes(em, user.id);
    const codes = await em.find(RecoveryCode, { factorId: id });
    const remaining = codes.filter(({ usedAt }) => !usedAt).length;
    return { id, type: 'recovery_code', total: codes.length, remaining };
  }

  /**
   * POST /factors/recovery-codes: the one set that somebody can have.
   * @param friendlyName empty for the usual name
   * @throws AuthError as auth-api.md 3.18 says
   */
  async generate(friendlyName: string, caller: Caller): Promise<RecoveryCodesSet> {
    const name = friendlyName || DEFAULT_NAME;
    await this.assertMayGenerate(this.reader(), await this.callers.read(caller), name);
    const hashed = await this.makeCodes();
    return await this.em.fork().transactional(async (em) => {
      const own = await this.callers.lock(em, caller);
      // Another call may have been quicker.
      await this.assertMayGenerate(em, own, name);
      const userId = own.user.id;
      const now = this.clock.now();
      const facts = { id: randomUUID(), userId, friendlyName: name, createdAt: now, updatedAt: now };
      const factor = em.create(Factor, { ...facts, factorType: 'recovery_code', status: 'verified' });
      await em.persist(factor).flush();
      return await this.store(em, factor, hashed);
    });
  }

  /** POST /factors/recovery-codes/regenerate: others in the place of all. @throws AuthError as auth-api.md 3.18 says */
  async regenerate(caller: Caller): Promise<RecoveryCodesSet> {
    await this.findReplaceable(this.reader(), await this.callers.read(caller));
    const hashed = await this.makeCodes();
    return await this.em.fork().transactional(async (em) => {
      const own = await this.callers.lock(em, caller);
      const factor = await this.findReplaceable(em, own);
      await em.nativeDelete(RecoveryCode, { factorId: factor.id });
      await this.guesses.eraseFactor(em, factor.id);
      factor.updatedAt = this.clock.now();
      return await this.store(em, factor, hashed);
    });
  }

  /** DELETE /factors/recovery-codes. @throws AuthError 403 insufficient_aal, 404 mfa_factor_not_found */
  async remove(caller: Caller): Promise<{ readonly id: string }> {
    return await this.em.fork().transactional(async (em) => {
      const own = await this.callers.lock(em, caller);
      assertSecured(own, 'delete');
      const factor = await findCodes(em, own.user.id);
      await this.changes.remove(em, { kind: 'user', userId: own.user.id }, factor);
      return { id: factor.id };
    });
  }

  private async assertMayGenerate(em: EntityManager, own: FactorCaller, name: string): Promise<void> {
    this.assertEnrollEnabled();
    assertNoLonger('friendly_name', name);
    assertSecured(own, 'generate');
    const factors = await findFactors(em, own.user.id);
    if (!factors.every(isChallenged)) {
      const message = 'Recovery codes are already enrolled for this user, use regenerate to rotate them';
      throw new AuthError(422, 'mfa_verified_factor_exists', message);
    }
    if (factors.some(({ friendlyName }) => friendlyName === name)) throw nameTaken(name);
    const { maxFactors } = this.config.auth.mfa;
    if (factors.length >= maxFactors) throw tooManyFactors();
    if (factors.some((factor) => this.isUsable(factor))) return;
    const message = 'At least one other verified factor is required to generate recovery codes';
    throw new AuthError(422, 'mfa_recovery_codes_sole_factor', message);
  }

  /** Returns true for a factor that its owner can show. */
  private isUsable(factor: FactorRow): boolean {
    if (factor.status !== 'verified' || !isChallenged(factor)) return false;
    return this.config.auth.mfa[factor.factorType].isVerifyEnabled;
  }

  private async findReplaceable(em: EntityManager, own: FactorCaller): Promise<FactorRow> {
    this.assertEnrollEnabled();
    assertSecured(own, 'regenerate');
    return await findCodes(em, own.user.id);
  }

  private assertEnrollEnabled(): void {
    if (this.config.auth.mfa.recoveryCodes.isEnrollEnabled) return;
    const message = 'MFA enroll is disabled for recovery codes';
    throw new AuthError(422, 'mfa_recovery_codes_enroll_not_enabled', message);
  }

  /** Takes most of a second, so nothing is locked meanwhile, and one by one, so that sign-ins get their turn. */
  private async makeCodes(): Promise<HashedCodes> {
    const codes = Array.from({ length: CODES }, newRecoveryCode);
    const [first = '', ...others] = codes;
    const hash = await this.passwords.hash(first);
    const hashes = [hash];
    for (const code of others) hashes.push(await this.passwords.hashLike(hash, code));
    return { codes, hashes };
  }

  private async store(em: EntityManager, factor: FactorRow, { codes, hashes }: HashedCodes): Promise<RecoveryCodesSet> {
    const { id, userId, friendlyName } = factor;
    const rows = hashes.map((codeHash) => ({ id: randomUUID(), factorId: id, codeHash }));
    await em.insertMany(RecoveryCode, rows);
    const event = { kind: 'recovery_codes_created', left: codes.length } as const;
    await this.changes.tellOfCodes(em, { kind: 'user', userId }, factor, event);
    return { id, type: 'recovery_code', friendly_name: friendlyName, total: codes.length, codes };
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

async function findCodes(em: EntityManager, userId: string): Promise<FactorRow> {
  const factor = await findRecoveryFactor(em, userId);
  if (factor !== null) return factor;
  throw new AuthError(404, 'mfa_factor_not_found', 'The user has not enrolled recovery codes');
}

function assertSecured({ session }: FactorCaller, verb: string): void {
  if (session.aal === 'aal2') return;
  throw new AuthError(403, 'insufficient_aal', `AAL2 required to ${verb} recovery codes`);
}
