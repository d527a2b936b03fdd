import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProviderPerson } from '../external/provider-person.js';
import { User } from '../accounts/user.entity.js';

/** An identity that the exchange of a code links. */
export interface PendingIdentity extends ProviderPerson {
  /** The session that asked for it; undefined for a code of version 0.1.0, which links nothing any more. */
  readonly sessionId?: string;
}

/** An exchange of a code for tokens (RFC 7636) that has begun. */
export const FlowState = defineEntity({
  name: 'FlowState',
  schema: 'auth',
  tableName: 'flow_states',
  indexes: [{ properties: ['userId', 'authenticationMethod', 'createdAt'] }, { properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade'),
    /** How the person proves who they are: the method of the session that comes of it. */
    authenticationMethod: p.string().length(32),
    codeChallenge: p.string().length(128),
    codeChallengeMethod: p.string().length(8).$type<'s256' | 'plain'>(),
    /** Hash of the code, once it is issued. */
    authCodeHash: p.string().length(64).nullable().unique(),
    authCodeIssuedAt: p.datetime().nullable(),
    /** The identity at a provider that the exchange of the code links to the user; null for a sign-in. */
    pendingIdentity: p.json<PendingIdentity>().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link FlowState}. */
export type FlowStateRow = InferEntity<typeof FlowState>;
