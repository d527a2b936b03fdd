import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Session } from '../sessions/session.entity.js';

/**
 * A sign-in with the provider that has begun: what comes back to /callback is compared with it, once. The state itself, and
 * nonce and verifier, which follow from it, are in no column.
 */
export const ProviderFlow = defineEntity({
  name: 'ProviderFlow',
  schema: 'auth',
  tableName: 'provider_flows',
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    /** Keyed hash of the state. */
    stateHash: p.string().length(64).unique(),
    /** Keyed hash of the cookie of the browser that began; null where the code challenge says who may end it. */
    browserHash: p.string().length(64).nullable(),
    /** The session that links an identity to its user; null for a sign-in. The flow ends with it. */
    sessionId: () => p.manyToOne(Session).mapToPk().fieldName('session_id').deleteRule('cascade').nullable().index(),
    redirectTo: p.text(),
    /** The cookie of known devices, which browsers do not send when they come from another site. */
    deviceCookie: p.string().length(512).nullable(),
    codeChallenge: p.string().length(128).nullable(),
    codeChallengeMethod: p.string().length(8).$type<'s256' | 'plain'>().nullable(),
    usedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link ProviderFlow}. */
export type ProviderFlowRow = InferEntity<typeof ProviderFlow>;
