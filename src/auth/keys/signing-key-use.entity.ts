import { defineEntity, p } from '@mikro-orm/core';

/**
 * The time until which tokens of a key can be good, so that no key goes too early. Knows names of keys, and no key; nothing
 * about anybody.
 */
export const SigningKeyUse = defineEntity({
  name: 'SigningKeyUse',
  schema: 'auth',
  tableName: 'signing_key_uses',
  properties: {
    /** `kid` of the key; empty for one without, and for AUTH_JWT_SECRET. */
    kid: p.text().primary(),
    /** No access token of a session that the key signed is good for longer. */
    sessionsUntil: p.datetime().nullable(),
    /** No token of `auth service-role-token` that the key signed is good for longer. */
    programsUntil: p.datetime().nullable(),
  },
});
