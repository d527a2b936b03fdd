import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, isOver } from '../../shared/clock.js';
import type { CredentialResponse, PasskeyBody } from '../api/request-bodies.js';
import { AuthError, invalid } from '../auth.error.js';
import { isUuid } from '../tokens/authentication.service.js';
import { WebauthnChallenge } from './webauthn-challenge.entity.js';
import { CHALLENGE_MS } from './webauthn.service.js';

/** Old challenges are kept for a while, so that whoever comes late is told so. */
const FORGOTTEN_AFTER_MS = 3_600_000;
const CLEAN_AT_ONCE = 1_000;

/** The begin of a ceremony, for the browser. */
export interface CeremonyAnswer<T> {
  readonly challenge_id: string;
  readonly options: T;
  /** Seconds since 1970. */
  readonly expires_at: number;
}

/** The answer of an authenticator, and the challenge that it has to answer. */
export interface AnsweredChallenge {
  readonly challenge: string;
  readonly response: CredentialResponse;
}

/** Hands out the challenges of passkeys, and takes each of them once. */
@Injectable()
export class PasskeyChallengesService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps the challenge of these options.
   * @param userId the person who registers, locked by the transaction of `em`; null for a sign-in
   */
  async begin<T extends { readonly challenge: string }>(
    em: EntityManager,
    userId: string | null,
    options: T,
  ): Promise<CeremonyAnswer<T>> {
    const now = this.clock.now();
    await this.clean(em, now);
    const id = randomUUID();
    await em.insert(WebauthnChallenge, { id, userId, challenge: options.challenge, createdAt: now });
    const expiresAt = Math.floor((now.getTime() + CHALLENGE_MS) / 1000);
    return { challenge_id: id, options, expires_at: expiresAt };
  }

  /**
   * Takes the challenge of an answer, which is spent from then on, whatever the answer is worth.
   * @param userId as in {@link begin}
   * @throws AuthError 400 validation_failed, webauthn_challenge_not_found, webauthn_challenge_expired
   */
  async take(userId: string | null, { challenge_id: id, credential }: PasskeyBody): Promise<AnsweredChallenge> {
    if (id === '') throw invalid('challenge_id is required');
    if (!credential) throw invalid('credential is required');
    if (!isUuid(id)) throw invalid('challenge_id must be a valid UUID');
    const [row] = await this.em.fork({ disableTransactions: true }).execute<{ challenge: string; created_at: Date }[]>(
      `delete from auth.webauthn_challenges where id = ? and user_id is not distinct from ?::uuid
       returning challenge, created_at`,
      [id, userId],
    );
    if (!row) throw new AuthError(400, 'webauthn_challenge_not_found', 'Challenge not found or already used');
    if (isOver(new Date(row.created_at), CHALLENGE_MS, this.clock.now())) {
      throw new AuthError(400, 'webauthn_challenge_expired', 'Challenge has expired');
    }
    return { challenge: row.challenge, response: credential };
  }

  private async clean(em: EntityManager, now: Date): Promise<void> {
    await em.execute(
      `delete from auth.webauthn_challenges where id in (
         select id from auth.webauthn_challenges where created_at < ? limit ${CLEAN_AT_ONCE} for update skip locked)`,
      [new Date(now.getTime() - FORGOTTEN_AFTER_MS)],
    );
  }
}
