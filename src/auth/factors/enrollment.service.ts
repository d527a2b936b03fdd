import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock, CLOCK_TOLERANCE_MS } from '../../shared/clock.js';
import type { Caller } from '../api/caller.js';
import { readPhone } from '../api/input-rules.js';
import type { EnrollBody } from '../api/request-bodies.js';
import { AuthError, invalid } from '../auth.error.js';
import { FactorCallersService, type FactorCaller } from './factor-callers.service.js';
import { FactorChangesService } from './factor-changes.service.js';
import { Factor, type ChallengedType } from './factor.entity.js';
import { assertNoLonger, findChallengedFactor, findFactors, nameTaken, tooManyFactors } from './factor-records.js';
import { TotpService, type TotpSetup } from './totp.service.js';

/** An enrollment that nobody goes on with ends after this time. */
const UNVERIFIED_MS = 300_000;
const TYPE_NAMES = { totp: 'TOTP', phone: 'Phone', webauthn: 'WebAuthn' } as const;

/** A factor that was added, with what its owner needs to verify it. */
export interface Enrollment {
  readonly id: string;
  readonly type: ChallengedType;
  readonly friendly_name: string;
  readonly totp?: TotpSetup;
  /** The number to which codes go. */
  readonly phone?: string;
}

/** Adds and removes one's own second factors (auth-api.md 3.14 and 3.17). */
@Injectable()
export class EnrollmentService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly callers: FactorCallersService,
    private readonly changes: FactorChangesService,
    private readonly totp: TotpService,
    private readonly clock: Clock,
  ) {}

  /** POST /factors: an unverified factor, which counts for nothing until its first code. */
  async enroll(body: EnrollBody, caller: Caller): Promise<Enrollment> {
    return await this.em.fork().transactional(async (em) => {
      const own = await this.callers.lock(em, caller);
      const type = this.readType(body.factor_type);
      assertNoLonger('friendly_name', body.friendly_name);
      assertNoLonger('issuer', body.issuer);
      await this.assertMayAdd(em, own, body.friendly_name);
      const id = randomUUID();
      const now = this.clock.now();
      const { sealedSecret, ...shown } = this.prepare(type, id, own, body);
      await em.insert(Factor, {
        id,
        userId: own.user.id,
        friendlyName: body.friendly_name,
        factorType: type,
        sealedSecret,
        phone: shown.phone ?? null,
        createdAt: now,
        updatedAt: now,
      });
      return { id, type, friendly_name: body.friendly_name, ...shown };
    });
  }

  /** DELETE /factors/{id}. @throws AuthError 422 insufficient_aal */
  async unenroll(factorId: string, caller: Caller): Promise<{ readonly id: string }> {
    return await this.em.fork().transactional(async (em) => {
      const { user, session } = await this.callers.lock(em, caller);
      const factor = await findChallengedFactor(em, user.id, factorId);
      if (factor.status === 'verified' && session.aal !== 'aal2') {
        throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
      }
      await this.changes.remove(em, { kind: 'user', userId: user.id }, factor);
      return { id: factor.id };
    });
  }

  /** The secret of the factor, and what its owner is shown; a security key makes its own when it is verified. */
  private prepare(
    type: ChallengedType,
    id: string,
    { user }: FactorCaller,
    { issuer, phone }: EnrollBody,
  ): Pick<Enrollment, 'totp' | 'phone'> & { readonly sealedSecret: string | null } {
    if (type === 'webauthn') return { sealedSecret: null };
    if (type === 'phone') return { sealedSecret: null, phone: readFactorPhone(phone) };
    const { sealedSecret, ...totp } = this.totp.create(id, user.email ?? user.phone ?? user.id, issuer);
    return { sealedSecret, totp };
  }

  private readType(type: string): ChallengedType {
    if (!Object.hasOwn(TYPE_NAMES, type)) throw invalid('factor_type needs to be totp, phone, or webauthn');
    const known = type as ChallengedType;
    if (this.config.auth.mfa[known].isEnrollEnabled) return known;
    throw new AuthError(422, `mfa_${known}_enroll_not_enabled`, `MFA enroll is disabled for ${TYPE_NAMES[known]}`);
  }

  private async assertMayAdd(em: EntityManager, { user, session }: FactorCaller, name: string): Promise<void> {
    await this.removeAbandoned(em, user.id);
    const factors = await findFactors(em, user.id);
    if (factors.some(({ friendlyName }) => friendlyName === name)) throw nameTaken(name);
    if (factors.length >= this.config.auth.mfa.maxFactors) throw tooManyFactors();
    if (session.aal !== 'aal2' && factors.some(({ status }) => status === 'verified')) {
      throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
    }
  }

  private async removeAbandoned(em: EntityManager, userId: string): Promise<void> {
    const now = this.clock.now().getTime();
    const longAgo = { $lt: new Date(now - UNVERIFIED_MS) };
    // One of a clock that was ahead would keep its name until that time comes.
    const ahead = { $gt: new Date(now + CLOCK_TOLERANCE_MS) };
    await em.nativeDelete(Factor, {
      userId,
      status: 'unverified',
      $and: [
        { $or: [{ createdAt: longAgo }, { createdAt: ahead }] },
        { $or: [{ lastChallengedAt: null }, { lastChallengedAt: longAgo }, { lastChallengedAt: ahead }] },
      ],
    });
  }
}

function readFactorPhone(phone: string): string {
  if (phone === '') throw invalid('Phone number required to enroll Phone factor');
  return readPhone(phone);
}
