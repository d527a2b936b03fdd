import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Session } from './session.entity.js';

/**
 * A refresh token. The token itself is in no column: it is derived from the row's id with a key that is not in the
 * database (`token-codec.ts`), so that the active one can be handed out again.
 */
export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  schema: 'auth',
  tableName: 'refresh_tokens',
  properties: {
    id: p.uuid().primary(),
    sessionId: () => p.manyToOne(Session).mapToPk().fieldName('session_id').deleteRule('cascade').index(),
    /** Keyed hash of the token, hexadecimal. */
    tokenHash: p.string().length(64).unique(),
    /** The token that was exchanged for this one. */
    parentId: p.uuid().nullable(),
    isRevoked: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
    /** The time of its revocation, once it is revoked. */
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link RefreshToken}. */
export type RefreshTokenRow = InferEntity<typeof RefreshToken>;
