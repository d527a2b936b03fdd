import type { EntityManager } from '@mikro-orm/postgresql';
import { Identity } from '../accounts/identity.entity.js';
import { lockUserById } from '../accounts/user-records.js';
import type { Metadata } from '../accounts/user.entity.js';

/** An identity that has an address which its account does not have, for who asks what is kept about the address. */
export interface ClaimedIdentity {
  readonly provider: string;
  /** True where the provider vouches for the address. */
  readonly is_verified: boolean;
  readonly created_at: string;
  /** The facts that the provider told; null for an address that it does not vouch for: anybody may have given that, and the rest is theirs. */
  readonly data: Metadata | null;
}

/** Takes the address three times, in lower case. An account that has the address itself is found by that. */
const CLAIMING = `
  select known.id, known.user_id from auth.identities known join auth.users person on person.id = known.user_id
  where person.email is distinct from ?::text
    and (lower(known.email) = ?::text
      or exists (select from jsonb_each_text(known.identity_data) fact where lower(fact.value) = ?::text))
  order by known.user_id, known.id`;

/**
 * Takes the address twice. Metadata keep what a provider told that was unlinked since or tells less now; nothing but a
 * convention makes them an object.
 */
const HOLDING = `
  select id from auth.users where email is distinct from ?::text
    and exists (
      select from jsonb_each_text(case jsonb_typeof(user_metadata) when 'object' then user_metadata else '{}' end) fact
      where lower(fact.value) = ?::text
    )
  order by id`;

interface Claim {
  readonly id: string;
  readonly user_id: string;
}

async function findClaims(em: EntityManager, address: string): Promise<Claim[]> {
  return await em.execute<Claim[]>(CLAIMING, [address, address, address]);
}

/** Lists the identities that have an address, in lower case, which their accounts do not have. */
export async function listClaimedIdentities(em: EntityManager, address: string): Promise<ClaimedIdentity[]> {
  const ids = (await findClaims(em, address)).map(({ id }) => id);
  const identities = await em.find(Identity, { id: { $in: ids } }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  return identities.map(({ provider, identityData, createdAt }) => {
    const isVerified = identityData['email_verified'] === true && isAddress(identityData['email'], address);
    return {
      provider,
      is_verified: isVerified,
      created_at: createdAt.toISOString(),
      data: isVerified ? identityData : null,
    };
  });
}

/**
 * Takes an address, in lower case, out of the identities and the metadata of accounts that do not have it, in the
 * transaction of `em`. Accounts and identities stay: they are somebody's who has another one.
 * @returns how many identities had it
 */
export async function forgetClaimedAddress(em: EntityManager, address: string): Promise<number> {
  const claims = await findClaims(em, address);
  for (const { id, user_id: userId } of claims) {
    const user = await lockUserById(em, userId);
    const identity = await em.findOne(Identity, { id });
    if (user === null || identity === null) continue;
    if (isAddress(identity.email, address)) identity.email = null;
    identity.identityData = withoutText(identity.identityData, address);
  }
  for (const { id } of await em.execute<{ readonly id: string }[]>(HOLDING, [address, address])) {
    const user = await lockUserById(em, id);
    if (user !== null) user.userMetadata = withoutText(user.userMetadata, address);
  }
  return claims.length;
}

function isAddress(value: unknown, address: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === address;
}

/** The metadata without the texts that are an address; some providers tell it as a name too. */
function withoutText(metadata: Metadata, address: string): Metadata {
  const left = Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isAddress(value, address)));
  return isAddress(metadata['email'], address) ? { ...left, email_verified: false } : left;
}
