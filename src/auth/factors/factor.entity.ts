import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.js';

/** A way to prove a second time who somebody is. */
export type ChallengedType = 'totp' | 'phone' | 'webauthn';

/** Any second factor; recovery codes stand in for others. */
export type FactorType = ChallengedType | 'recovery_code';

/** A second factor is unverified until the first code of it was right. */
export type FactorStatus = 'unverified' | 'verified';

/** A second factor of a user (auth-api.md 2.7). Its user's row is locked before it is changed. */
export const Factor = defineEntity({
  name: 'Factor',
  schema: 'auth',
  tableName: 'mfa_factors',
  uniques: [{ properties: ['userId', 'friendlyName'] }],
  properties: {
    id: p.uuid().primary(),
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade'),
    /** Empty for one without a name, which a user may have once. */
    friendlyName: p.text().default(''),
    factorType: p.string().length(16).$type<FactorType>(),
    status: p.string().length(16).$type<FactorStatus>().default('unverified'),
    /** The secret of an authenticator app, encrypted (`totp.service.ts`). */
    sealedSecret: p.text().nullable().hidden(),
    /** The number to which codes of a factor of type `phone` go: digits without the plus. */
    phone: p.string().length(15).nullable(),
    /** The 30 seconds (counted since 1970) of the last code that was accepted: neither it nor an older one is again. */
    lastUsedStep: p.integer().nullable(),
    lastChallengedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link Factor}. */
export type FactorRow = InferEntity<typeof Factor>;
