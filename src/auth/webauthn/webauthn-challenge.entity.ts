import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.js';

/** The begin of a registration of a passkey, or of a sign-in with one; good once. */
export const WebauthnChallenge = defineEntity({
  name: 'WebauthnChallenge',
  schema: 'auth',
  tableName: 'webauthn_challenges',
  properties: {
    id: p.uuid().primary(),
    /** The person who registers; null for a sign-in, as nobody knows yet who it is. */
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade').nullable().index(),
    /** The random bytes to be signed, in base64url. */
    challenge: p.string().length(64),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});
