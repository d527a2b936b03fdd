import type { FactorRow } from '../factors/factor.entity.js';
import { toFactorJson } from '../factors/factor.presenter.js';
import type { IdentityRow } from './identity.entity.js';
import type { UserRow } from './user.entity.js';

/** JSON as clients read it; members without a value are left out. */
export type Json = Readonly<Record<string, unknown>>;

/** Presents a user to clients (auth-api.md 1.7): never a hash, never a token. */
export function toUserJson(user: UserRow, identities: readonly IdentityRow[], factors: readonly FactorRow[]): Json {
  return withoutEmpty({
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? '',
    email_confirmed_at: user.emailConfirmedAt,
    invited_at: user.invitedAt,
    phone: user.phone ?? '',
    phone_confirmed_at: user.phoneConfirmedAt,
    confirmation_sent_at: user.confirmationSentAt,
    confirmed_at: earlier(user.emailConfirmedAt, user.phoneConfirmedAt),
    recovery_sent_at: user.recoverySentAt,
    new_email: user.newEmail,
    email_change_sent_at: user.emailChangeSentAt,
    new_phone: user.newPhone,
    phone_change_sent_at: user.phoneChangeSentAt,
    reauthentication_sent_at: user.reauthenticationSentAt,
    last_sign_in_at: user.lastSignInAt,
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    identities: identities.map(toIdentityJson),
    factors: factors.length === 0 ? null : factors.map(toFactorJson),
    banned_until: user.bannedUntil,
    deleted_at: user.deletedAt,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: user.isAnonymous,
  });
}

function toIdentityJson(identity: IdentityRow): Json {
  return withoutEmpty({
    identity_id: identity.id,
    id: identity.providerId,
    user_id: identity.userId,
    identity_data: identity.identityData,
    provider: identity.provider,
    last_sign_in_at: identity.lastSignInAt,
    created_at: identity.createdAt,
    updated_at: identity.updatedAt,
    email: identity.email,
  });
}

function earlier(one: Date | null | undefined, other: Date | null | undefined): Date | null {
  if (!one || !other) return one ?? other ?? null;
  return one < other ? one : other;
}

function withoutEmpty(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}
