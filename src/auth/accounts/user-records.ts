import { randomUUID } from 'node:crypto';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AuthError, invalid } from '../auth.error.js';
import { Identity, type IdentityRow } from './identity.entity.js';
import { OneTimeToken } from '../codes/one-time-token.entity.js';
import { Factor } from '../factors/factor.entity.js';
import { User, type Metadata, type UserRow } from './user.entity.js';
import { toUserJson, type Json } from './user.presenter.js';
import { twiceIfRaced } from '../../database/twice-if-raced.js';

/** The role of everybody. */
export const DEFAULT_ROLE = 'authenticated';
const LONGEST_AUDIENCE = 255;
/** Access tokens repeat metadata, and the headers of a request have 16 KiB: with more, an account opens nothing. */
const MOST_METADATA_BYTES = 8 * 1024;
/** Those of the user and of programs together: a token of 14 KB, which leaves room for the other headers. */
const MOST_BYTES_TOGETHER = 9 * 1024;

// Changes of users within a transaction: what several services do alike.

/** A user to create. */
export interface NewUser {
  readonly id?: string;
  readonly aud: string;
  readonly role?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly passwordHash?: string | null;
  /** Metadata that the user gave, or that was given for the user. */
  readonly data: Metadata;
  /** True when users gave the metadata themselves: the facts of their identity are then added to it. */
  readonly isSelfSignup: boolean;
  readonly isAnonymous?: boolean;
}

/** The addresses of a user. */
interface Addresses {
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** The providers of a user's addresses, as `app_metadata` names them; the identities of a user are one of each. */
export function providersOf({ email, phone }: Addresses): ('email' | 'phone')[] {
  return [...(email == null ? [] : (['email'] as const)), ...(phone == null ? [] : (['phone'] as const))];
}

/** The `app_metadata` of a user with these addresses (auth-api.md 1.7). */
export function appMetadataOf(addresses: Addresses): Metadata {
  const providers = providersOf(addresses);
  return providers.length === 0 ? {} : { provider: providers[0], providers };
}

/** The facts that an identity tells of its user. */
export function identityFacts(
  id: string,
  { email, phone }: Addresses,
  verified: { readonly email: boolean; readonly phone: boolean },
): Metadata {
  return {
    sub: id,
    ...(email == null ? {} : { email }),
    ...(phone == null ? {} : { phone }),
    email_verified: verified.email,
    phone_verified: verified.phone,
  };
}

/**
 * A user and the identities of the addresses.
 * @throws AuthError 400 validation_failed for an audience that is too long, as callers may name any, and as
 * {@link assertMetadataFits}
 */
export function createUser(em: EntityManager, input: NewUser, now: Date): UserRow {
  assertMetadataFits(input.data);
  if (input.aud.length > LONGEST_AUDIENCE) throw invalid(`aud cannot be longer than ${LONGEST_AUDIENCE} characters`);
  const id = input.id ?? randomUUID();
  const { email, phone, data } = input;
  const providers = providersOf(input);
  const facts = identityFacts(id, input, { email: false, phone: false });
  const identityData = input.isSelfSignup ? { ...data, ...facts } : facts;
  const user = em.create(User, {
    id,
    aud: input.aud,
    role: input.role ?? DEFAULT_ROLE,
    email: email ?? null,
    phone: phone ?? null,
    passwordHash: input.passwordHash ?? null,
    appMetadata: appMetadataOf(input),
    userMetadata: input.isSelfSignup && providers.length > 0 ? identityData : data,
    isAnonymous: input.isAnonymous ?? false,
    createdAt: now,
    updatedAt: now,
  });
  em.persist(user);
  for (const provider of providers) em.persist(newIdentity(em, user, provider, identityData, now));
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

/** Finds a user, also one who was deleted softly, and locks the row until the transaction ends. */
export async function lockUserById(em: EntityManager, id: string): Promise<UserRow | null> {
  return await em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Checks that nobody has these addresses. Without a lock, as two who want each other's would wait for each other; the
 * database decides such a race.
 * @throws AuthError 422 email_exists, phone_exists
 */
export async function assertFree(
  em: EntityManager,
  { email, phone }: { readonly email?: string | undefined; readonly phone?: string | undefined },
  phoneTaken = phoneExists,
): Promise<void> {
  if (email !== undefined && (await em.count(User, { email, isSsoUser: false })) > 0) throw emailExists();
  if (phone !== undefined && (await em.count(User, { phone })) > 0) throw phoneTaken();
}

/** Presents users to clients, with their identities and second factors, the oldest first. */
export async function presentUsers(em: EntityManager, users: readonly UserRow[]): Promise<Json[]> {
  const theirs = { userId: { $in: users.map(({ id }) => id) } };
  const identities = await em.find(Identity, theirs, { orderBy: { createdAt: 'asc', provider: 'asc' } });
  const factors = await em.find(Factor, theirs, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const [identitiesOf, factorsOf] = [Map.groupBy(identities, toOwner), Map.groupBy(factors, toOwner)];
  return users.map((user) => toUserJson(user, identitiesOf.get(user.id) ?? [], factorsOf.get(user.id) ?? []));
}

/** Presents a user to clients, as {@link presentUsers}. */
export async function presentUser(em: EntityManager, user: UserRow): Promise<Json> {
  const [json = {}] = await presentUsers(em, [user]);
  return json;
}

function toOwner({ userId }: { readonly userId: string }): string {
  return userId;
}

/**
 * Takes the address as the user's, and says so in the metadata and in the identity.
 * @param isAssumed true when nothing but the settings says that it is theirs
 */
export async function confirmAddress(
  em: EntityManager,
  user: UserRow,
  channel: 'email' | 'phone',
  now: Date,
  { isAssumed }: { readonly isAssumed: boolean } = { isAssumed: false },
): Promise<void> {
  if (channel === 'email') {
    user.emailAssumedAt = isAssumed ? now : null;
    user.emailConfirmedAt ??= now;
  } else {
    user.phoneConfirmedAt ??= now;
  }
  user.updatedAt = now;
  const verified = { [`${channel}_verified`]: true };
  user.userMetadata = { ...user.userMetadata, ...verified };
  const identity = await em.findOne(Identity, { userId: user.id, provider: channel });
  if (identity === null) return;
  identity.identityData = { ...identity.identityData, ...verified };
  identity.updatedAt = now;
}

/**
 * Gives the identity of an address the new one, after it was given to the user. A user without an address before
 * becomes permanent.
 */
export async function adoptAddress(
  em: EntityManager,
  user: UserRow,
  provider: 'email' | 'phone',
  isVerified: boolean,
  now: Date,
): Promise<void> {
  user.isAnonymous = false;
  user.updatedAt = now;
  const facts = { [provider]: user[provider], [`${provider}_verified`]: isVerified };
  // People who signed up themselves have the facts of their identity in their metadata.
  if (Object.hasOwn(user.userMetadata, provider)) user.userMetadata = { ...user.userMetadata, ...facts };
  const identity = await em.findOne(Identity, { userId: user.id, provider });
  if (identity !== null) {
    identity.identityData = { ...identity.identityData, ...facts };
    if (provider === 'email') identity.email = user.email ?? null;
    identity.updatedAt = now;
    return;
  }
  const verified = { email_verified: false, phone_verified: false, ...facts };
  em.persist(newIdentity(em, user, provider, { sub: user.id, ...verified }, now));
  const providers = (user.appMetadata['providers'] as string[] | undefined) ?? [];
  user.appMetadata = { provider, ...user.appMetadata, providers: [...providers, provider] };
}

/** Merges metadata at the top level; null deletes a key. @throws AuthError as {@link assertMetadataFits} */
export function mergeMetadata(present: Metadata, changes: Metadata): Metadata {
  const merged = Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null));
  assertMetadataFits(merged, bytesOf(present));
  return merged;
}

/**
 * Changes the metadata of a user, those that are named, as {@link mergeMetadata} does. What is there already, as with
 * imported accounts, may stay, and become less.
 * @throws AuthError 400 validation_failed for more than an access token can carry, which has both
 */
export function changeMetadata(
  user: UserRow,
  { data, appData }: { readonly data?: Metadata | undefined; readonly appData?: Metadata | undefined },
): void {
  const userMetadata = data === undefined ? user.userMetadata : mergeMetadata(user.userMetadata, data);
  const appMetadata = appData === undefined ? user.appMetadata : mergeMetadata(user.appMetadata, appData);
  const presentBytes = bytesOf(user.userMetadata) + bytesOf(user.appMetadata);
  if (bytesOf(userMetadata) + bytesOf(appMetadata) > Math.max(MOST_BYTES_TOGETHER, presentBytes)) {
    throw invalid(
      `user_metadata and app_metadata can have ${MOST_BYTES_TOGETHER} bytes together at most, as access tokens carry them`,
    );
  }
  Object.assign(user, { userMetadata, appMetadata });
}

/**
 * Refuses metadata that access tokens cannot carry.
 * @param presentBytes what is there already, as with imported accounts, may stay, and become less
 * @throws AuthError 400 validation_failed
 */
export function assertMetadataFits(metadata: Metadata, presentBytes = 0): void {
  if (bytesOf(metadata) <= Math.max(MOST_METADATA_BYTES, presentBytes)) return;
  throw invalid(`Metadata can have ${MOST_METADATA_BYTES} bytes at most, as access tokens carry them`);
}

function bytesOf(metadata: Metadata): number {
  return Buffer.byteLength(JSON.stringify(metadata));
}

/** Ends every link and code of a user. */
export async function clearOneTimeTokens(em: EntityManager, user: UserRow): Promise<void> {
  await em.nativeDelete(OneTimeToken, { userId: user.id });
}

/**
 * Runs a change that may lose a race for an address. It is answered as if it had come after the other one, so that of two
 * sign-ups at once the answers do not tell that nobody had the address.
 * @throws AuthError 422 email_exists, phone_exists or, for an id, user_already_exists instead of the database's error
 */
export async function withUniqueAddresses<T>(change: () => Promise<T>, phoneTaken = phoneExists): Promise<T> {
  try {
    return await twiceIfRaced(change);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    if (error.message.includes('users_pkey')) throw idExists();
    throw error.message.includes('users_phone_unique') ? phoneTaken() : emailExists();
  }
}

/** E(422, signup_disabled). */
export function signupDisabled(): AuthError {
  return new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
}

/** E(404, user_not_found). */
export function userNotFound(): AuthError {
  return new AuthError(404, 'user_not_found', 'User not found');
}

/** E(422, email_exists). */
export function emailExists(): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
}

function idExists(): AuthError {
  return new AuthError(422, 'user_already_exists', 'A user with this ID has already been registered');
}

/** E(422, phone_exists). */
export function phoneExists(message = 'A user with this phone number has already been registered'): AuthError {
  return new AuthError(422, 'phone_exists', message);
}
