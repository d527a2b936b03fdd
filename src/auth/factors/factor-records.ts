import type { EntityManager } from '@mikro-orm/postgresql';
import { AuthError, invalid } from '../auth.error.js';
import { Factor, type ChallengedType, type FactorRow } from './factor.entity.js';
import type { UserRow } from '../accounts/user.entity.js';
import type { SessionRow } from '../sessions/session.entity.js';
import { isUuid } from '../tokens/authentication.service.js';

// Changes of second factors within a transaction that holds the lock of their user: what several services do alike.

/** A longer issuer would not fit into a QR code. */
const MOST_CHARACTERS = 100;
/** The methods of `amr` that are second factors: a session has one of them if, and only if, it is of aal2. */
const SECOND_METHODS = ['totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code'];

const LOWER = `
  update auth.sessions set aal = 'aal1', factor_id = null, amr = (
    select coalesce(jsonb_agg(entry order by place), '[]') from jsonb_array_elements(amr) with ordinality a (entry, place)
    where entry->>'method' not in (${SECOND_METHODS.map((method) => `'${method}'`).join()}))
  where factor_id = ?`;

/** A factor that is shown by a challenge. */
export type ChallengedFactor = FactorRow & { readonly factorType: ChallengedType };

/** The second factors of a user, the oldest first. */
export async function findFactors(em: EntityManager, userId: string): Promise<FactorRow[]> {
  return await em.find(Factor, { userId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

/** The recovery codes of a user as a factor, or null. */
export async function findRecoveryFactor(em: EntityManager, userId: string): Promise<FactorRow | null> {
  return await em.findOne(Factor, { userId, factorType: 'recovery_code' });
}

/** Returns true for a user who has a second factor, which sessions without it lack. */
export async function hasVerifiedFactor(em: EntityManager, userId: string): Promise<boolean> {
  return (await em.count(Factor, { userId, status: 'verified' })) > 0;
}

/**
 * Finds a factor of that user.
 * @throws AuthError 404 validation_failed, mfa_factor_not_found
 */
export async function findOwnFactor(em: EntityManager, userId: string, factorId: string): Promise<FactorRow> {
  if (!isUuid(factorId)) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID');
  const factor = await em.findOne(Factor, { id: factorId, userId });
  if (factor !== null) return factor;
  throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
}

/**
 * Finds a factor of that user that is shown by a challenge; recovery codes have calls of their own.
 * @throws AuthError as {@link findOwnFactor}
 */
export async function findChallengedFactor(
  em: EntityManager,
  userId: string,
  factorId: string,
): Promise<ChallengedFactor> {
  const factor = await findOwnFactor(em, userId, factorId);
  if (isChallenged(factor)) return factor;
  throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
}

/** Returns false for recovery codes, which have calls of their own and stand in for other factors. */
export function isChallenged(factor: FactorRow): factor is ChallengedFactor {
  return factor.factorType !== 'recovery_code';
}

/** E(422, too_many_enrolled_mfa_factors). */
export function tooManyFactors(): AuthError {
  const message = 'Maximum number of verified factors reached, unenroll to continue';
  return new AuthError(422, 'too_many_enrolled_mfa_factors', message);
}

/** @throws AuthError 400 validation_failed */
export function assertNoLonger(name: string, value: string): void {
  if (value.length > MOST_CHARACTERS) throw invalid(`${name} can have ${MOST_CHARACTERS} characters at most`);
}

/** E(422, mfa_factor_name_conflict). */
export function nameTaken(name: string): AuthError {
  const message = `A factor with the friendly name "${name}" for this user already exists`;
  return new AuthError(422, 'mfa_factor_name_conflict', message);
}

/** Removes a factor. Sessions that it raised fall back to aal1. */
export async function removeFactor(em: EntityManager, factor: FactorRow): Promise<void> {
  await em.execute(LOWER, [factor.id]);
  await em.nativeDelete(Factor, { id: factor.id });
}

/**
 * Refuses a session that lacks the second factor of its user, where what somebody signs in with is to change.
 * @throws AuthError 401 insufficient_aal
 */
export async function assertSecondFactor(
  em: EntityManager,
  user: Pick<UserRow, 'id'>,
  session: Pick<SessionRow, 'aal'> | null,
): Promise<void> {
  if (session?.aal === 'aal2' || !(await hasVerifiedFactor(em, user.id))) return;
  const message = 'AAL2 session is required to update email or password when MFA is enabled.';
  throw new AuthError(401, 'insufficient_aal', message);
}
