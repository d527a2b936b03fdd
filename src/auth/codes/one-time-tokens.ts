import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { OneTimeToken, type OneTimeTokenRow, type OneTimeTokenType } from './one-time-token.entity.js';
import type { UserRow } from '../accounts/user.entity.js';

/** Clients put this before the token of a link that asks for an authorization code. */
export const PKCE_PREFIX = 'pkce_';

/** A one-time token to store. */
export interface NewOneTimeToken {
  readonly type: OneTimeTokenType;
  readonly tokenHash: string;
  readonly isPkce: boolean;
  readonly expiresAt: Date;
}

/** Stores a token in place of the user's former one of that type. */
export async function replaceOneTimeToken(em: EntityManager, user: UserRow, token: NewOneTimeToken): Promise<void> {
  await em.nativeDelete(OneTimeToken, { userId: user.id, type: token.type });
  await em.insert(OneTimeToken, { id: randomUUID(), userId: user.id, ...token });
}

/** Ends the links and codes of a change of address, which were for the address that was asked for then. */
export async function endAddressChange(em: EntityManager, { id: userId }: UserRow): Promise<void> {
  const types: OneTimeTokenType[] = ['email_change_new', 'email_change_current'];
  await em.nativeDelete(OneTimeToken, { userId, type: { $in: types } });
}

/**
 * Takes back a change of address that waits, with its links and codes. Anybody may ask for its mails again, without a
 * session: as long as it waits, whoever asked for it can carry it out.
 */
export async function withdrawAddressChange(em: EntityManager, user: UserRow): Promise<void> {
  await endAddressChange(em, user);
  await em.nativeDelete(OneTimeToken, { userId: user.id, type: 'phone_change' });
  Object.assign(user, { newEmail: null, newPhone: null, emailChangeConfirmations: 0 });
}

/** The token of that hash, if it is one of these types and still good. */
export async function findOneTimeToken(
  em: EntityManager,
  tokenHash: string,
  types: readonly OneTimeTokenType[],
  now: Date,
): Promise<OneTimeTokenRow | null> {
  const where = { tokenHash, type: { $in: [...types] }, expiresAt: { $gt: now } };
  return await em.findOne(OneTimeToken, where, { disableIdentityMap: true });
}
