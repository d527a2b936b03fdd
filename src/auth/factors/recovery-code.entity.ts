import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Factor } from './factor.entity.js';

/** A recovery code of a user (auth-api.md 2.8). A set of them is a {@link Factor} of type `recovery_code`. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  schema: 'auth',
  tableName: 'mfa_recovery_codes',
  properties: {
    id: p.uuid().primary(),
    factorId: () => p.manyToOne(Factor).mapToPk().fieldName('factor_id').deleteRule('cascade').index(),
    /** Argon2id; all codes of a set have the same salt and cost, so that one hash is compared with all of them. */
    codeHash: p.text().hidden(),
    usedAt: p.datetime().nullable(),
  },
});

/** A row of {@link RecoveryCode}. */
export type RecoveryCodeRow = InferEntity<typeof RecoveryCode>;
