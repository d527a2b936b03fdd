import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Factor } from './factor.entity.js';

/** The beginning of a verification of a second factor (auth-api.md 2.7): good once, and for the client that began it. */
export const FactorChallenge = defineEntity({
  name: 'FactorChallenge',
  schema: 'auth',
  tableName: 'mfa_challenges',
  properties: {
    id: p.uuid().primary(),
    factorId: () => p.manyToOne(Factor).mapToPk().fieldName('factor_id').deleteRule('cascade').index(),
    /** The client's address. */
    ip: p.string().length(64),
    /** The random bytes that a security key signs, in base64url. */
    webauthnChallenge: p.string().length(64).nullable(),
    /** Hash of the code that went to a phone, hexadecimal. */
    codeHash: p.string().length(64).nullable().hidden(),
    /** Once it was used. */
    verifiedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link FactorChallenge}. */
export type FactorChallengeRow = InferEntity<typeof FactorChallenge>;
