import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User, type Metadata } from './user.entity.js';

/** One way in which a user is known: by email, by phone, or to a provider elsewhere. */
export const Identity = defineEntity({
  name: 'Identity',
  schema: 'auth',
  tableName: 'identities',
  uniques: [{ properties: ['provider', 'providerId'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade').index(),
    provider: p.string().length(100),
    /** The user's id at the provider; for email and phone the id of the user. */
    providerId: p.text(),
    identityData: p.json<Metadata>().default('{}'),
    email: p.string().length(255).nullable(),
    lastSignInAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link Identity}. */
export type IdentityRow = InferEntity<typeof Identity>;
