import { randomUUID } from 'node:crypto';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AuthError } from '../auth.error.js';
import { Identity, type IdentityRow } from './identity.entity.js';
import { OneTimeToken } from '../codes/one-time-token.entity.js';
import { User, type Metadata, type UserRow } from './user.entity.js';

// Changes of users within a transaction: what several services do alike.

/** A user to create. */
export interface NewUser {
  readonly aud: string;
  readonly email?: string;
  readonly phone?: string;
  readonly passwordHash?: string | null;
  /** Metadata that the user gave, or that was given for the user. */
  readonly data: Metadata;
  /** True when users gave the metadata themselves: the facts of their identity are then added to it. */
  readonly isSelfSignup: boolean;
  readonly isAnonymous?: boolean;
}

/** A user and, unless anonymous, the identity of the address. */
export function createUser(em: EntityManager, input: NewUser, now: Date): UserRow {
  const id = randomUUID();
  const { email, phone, data } = input;
  const provider = email !== undefined ? 'email' : phone !== undefined ? 'phone' : undefined;
  const facts = {
    sub: id,
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    email_verified: false,
    phone_verified: false,
  };
  const identityData = input.isSelfSignup ? { ...data, ...facts } : facts;
  const user = em.create(User, {
    id,
    aud: input.aud,
    role: 'authenticated',
    email: email ?? null,
    phone: phone ?? null,
    passwordHash: input.passwordHash ?? null,
    appMetadata: provider === undefined ? {} : { provider, providers: [provider] },
    userMetadata: input.isSelfSignup && provider !== undefined ? identityData : data,
    isAnonymous: input.isAnonymous ?? false,
    createdAt: now,
    updatedAt: now,
  });
  em.persist(user);
  if (provider !== undefined) em.persist(newIdentity(em, user, provider, identityData, now));
  return user;
}

/** An identity of a user. */
export function newIdentity(
  em: EntityManager,
  user: UserRow,
  provider: string,
  identityData: Metadata,
  now: Date,
): IdentityRow {
  return em.create(Identity, {
    id: randomUUID(),
    userId: user.id,
    provider,
    providerId: user.id,
    identityData,
    email: provider === 'email' ? user.email : null,
    lastSignInAt: now,
    createdAt: now,
    updatedAt: now,
  });
}

/** Finds the user of an address or id and locks the row until the transaction ends. */
export async function lockUserBy(
  em: EntityManager,
  where: { readonly email: string } | { readonly phone: string } | { readonly id: string },
): Promise<UserRow | null> {
  const conditions = { ...where, deletedAt: null, ...('email' in where ? { isSsoUser: false } : {}) };
  return await em.findOne(User, conditions, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** The identities of a user, the oldest first. */
export async function findIdentities(em: EntityManager, user: UserRow): Promise<IdentityRow[]> {
  return await em.find(Identity, { userId: user.id }, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

/** Takes the address as the user's, and says so in the metadata and in the identity. */
export async function confirmAddress(
  em: EntityManager,
  user: UserRow,
  channel: 'email' | 'phone',
  now: Date,
): Promise<void> {
  if (channel === 'email') user.emailConfirmedAt ??= now;
  else user.phoneConfirmedAt ??= now;
  user.updatedAt = now;
  const verified = { [`${channel}_verified`]: true };
  user.userMetadata = { ...user.userMetadata, ...verified };
  const identity = await em.findOne(Identity, { userId: user.id, provider: channel });
  if (identity === null) return;
  identity.identityData = { ...identity.identityData, ...verified };
  identity.updatedAt = now;
}

/** Merges metadata at the top level; null deletes a key. */
export function mergeMetadata(present: Metadata, changes: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null));
}

/** Ends every link and code of a user. */
export async function clearOneTimeTokens(em: EntityManager, user: UserRow): Promise<void> {
  await em.nativeDelete(OneTimeToken, { userId: user.id });
}

/**
 * Runs a change that may lose a race for an address.
 * @throws AuthError 422 email_exists or phone_exists instead of the database's error
 */
export async function withUniqueAddresses<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw error.message.includes('users_phone_unique') ? phoneExists() : emailExists();
  }
}

/** E(422, email_exists). */
export function emailExists(): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
}

/** E(422, phone_exists). */
export function phoneExists(): AuthError {
  return new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered');
}
