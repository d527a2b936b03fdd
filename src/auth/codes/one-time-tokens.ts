import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuthConfig } from '../../config/auth-config.js';
import { CLOCK_TOLERANCE_MS } from '../../shared/clock.js';
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

/** At the least, tokens may end so much later: those that were mailed before a setting was lowered end as they say. */
const WEEK_SECONDS = 604_800;

/**
 * The moments at which tokens end that are good now. One that ends later was made by a clock that was ahead, and would be
 * good until then.
 */
export function endsOfGoodTokens(
  now: Date,
  { mail, sms }: Pick<AuthConfig, 'mail' | 'sms'>,
): { $gt: Date; $lte: Date } {
  const seconds = Math.max(WEEK_SECONDS, mail.otpExpiresIn, mail.inviteExpiresIn, sms.otpExpiresIn);
  return { $gt: now, $lte: new Date(now.getTime() + seconds * 1000 + CLOCK_TOLERANCE_MS) };
}

/** The token of that hash, if it is one of these types and ends then. @param ends as {@link endsOfGoodTokens} tells */
export async function findOneTimeToken(
  em: EntityManager,
  tokenHash: string,
  types: readonly OneTimeTokenType[],
  ends: ReturnType<typeof endsOfGoodTokens>,
): Promise<OneTimeTokenRow | null> {
  const where = { tokenHash, type: { $in: [...types] }, expiresAt: ends };
  return await em.findOne(OneTimeToken, where, { disableIdentityMap: true });
}
