import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.js';

/** Purposes of one-time tokens. */
export type OneTimeTokenType =
  | 'confirmation'
  /** A sign-up with an invited address, beside the invitation, which is a confirmation. */
  | 'invited_signup'
  | 'recovery'
  | 'email_change_new'
  | 'email_change_current'
  | 'reauthentication'
  | 'phone_change';

/** A token in a mail or message, stored as a hash; at most one per user and type. */
export const OneTimeToken = defineEntity({
  name: 'OneTimeToken',
  schema: 'auth',
  tableName: 'one_time_tokens',
  uniques: [{ properties: ['userId', 'type'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade'),
    type: p.string().length(32).$type<OneTimeTokenType>(),
    /** Hash of the token that the link carries, hexadecimal. */
    tokenHash: p.string().length(64).index(),
    /** True when the link ends in an authorization code instead of tokens. */
    isPkce: p.boolean().default(false),
    expiresAt: p.datetime(),
    /** Wrong tries of the code, each counted before it was compared. The link is too long to be guessed. */
    wrongCodes: p.smallint().default(0),
  },
});

/** A row of {@link OneTimeToken}. */
export type OneTimeTokenRow = InferEntity<typeof OneTimeToken>;
