import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** JSON that programs and users keep about a user. */
export type Metadata = Record<string, unknown>;

/** A person with an account. Clients see it as auth-api.md 1.7 says. */
export const User = defineEntity({
  name: 'User',
  schema: 'auth',
  tableName: 'users',
  uniques: [
    // People who come through single sign-on may share an address with others.
    { name: 'users_email_unique', properties: ['email'], where: 'is_sso_user = false' },
  ],
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    aud: p.string().length(255),
    role: p.string().length(255),
    /** Lower case. */
    email: p.string().length(255).nullable(),
    /** Digits without the plus. */
    phone: p.string().length(15).nullable().unique(),
    /** Argon2id, or bcrypt from elsewhere; null when there is none. */
    passwordHash: p.text().nullable().hidden(),
    emailConfirmedAt: p.datetime().nullable(),
    /** When AUTH_MAIL_AUTOCONFIRM alone confirmed the address: whoever has the account may not read its mails. Else null. */
    emailAssumedAt: p.datetime().nullable(),
    phoneConfirmedAt: p.datetime().nullable(),
    invitedAt: p.datetime().nullable(),
    confirmationSentAt: p.datetime().nullable(),
    recoverySentAt: p.datetime().nullable(),
    newEmail: p.string().length(255).nullable(),
    emailChangeSentAt: p.datetime().nullable(),
    /** Which of the two mailboxes has confirmed the change: 0 is neither, 1 the new one, 2 the present one. */
    emailChangeConfirmations: p.smallint().default(0),
    newPhone: p.string().length(15).nullable(),
    phoneChangeSentAt: p.datetime().nullable(),
    reauthenticationSentAt: p.datetime().nullable(),
    lastSignInAt: p.datetime().nullable(),
    appMetadata: p.json<Metadata>().default('{}'),
    userMetadata: p.json<Metadata>().default('{}'),
    isAnonymous: p.boolean().default(false),
    isSsoUser: p.boolean().default(false),
    bannedUntil: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A row of {@link User}. */
export type UserRow = InferEntity<typeof User>;

/**
 * Returns true for a user who had to show that they read the mail of their address, or for whom an administrator or the
 * provider has vouched.
 */
export function isEmailProven(user: Pick<UserRow, 'emailConfirmedAt' | 'emailAssumedAt'>): boolean {
  return user.emailConfirmedAt != null && user.emailAssumedAt == null;
}
