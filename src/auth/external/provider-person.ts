import type { ProviderConfig } from '../../config/auth-config.js';
import { isStorableText } from '../../shared/storable-text.js';
import type { Metadata } from '../accounts/user.entity.js';
import { readEmail } from '../api/input-rules.js';

/** Longest text of a claim that is kept; pictures can be in their address. */
const LONGEST = 2048;

/** Somebody as the provider describes them. */
export interface ProviderPerson {
  /** The provider's id for them, which it gives to nobody else. */
  readonly sub: string;
  /** In lower case; null where there is none that could be one. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** The facts that identity and user keep (auth-api.md 1.7). */
  readonly facts: Metadata;
  /** The word of the claim for administrators; undefined where none is configured or where nothing was said. */
  readonly isAdmin: boolean | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads the claims of an ID token whose signature, issuer and audience were checked.
 * @param isWhole true where the provider has said all it says, so that a claim that is missing was taken away
 */
export function toPerson(claims: Claims, config: ProviderConfig, isWhole: boolean): ProviderPerson {
  const text = (name: string) => readText(claims[name]);
  const email = toEmail(text('email'));
  const said = claims['email_verified'];
  // Some providers send the word.
  const isEmailVerified = said === undefined ? config.isEmailTrusted : said === true || said === 'true';
  const sub = text('sub') ?? '';
  const name = text('name');
  const picture = text('picture');
  const facts: Metadata = {
    iss: config.issuer,
    sub,
    provider_id: sub,
    name,
    full_name: name,
    given_name: text('given_name'),
    family_name: text('family_name'),
    preferred_username: text('preferred_username'),
    picture,
    avatar_url: picture,
    email: email ?? undefined,
    email_verified: email !== null && isEmailVerified,
    phone_verified: false,
  };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    sub,
    email,
    isEmailVerified: email !== null && isEmailVerified,
    facts: given,
    isAdmin: isAdmin(claims, config, isWhole),
  };
}

function isAdmin(claims: Claims, { adminClaim }: ProviderConfig, isWhole: boolean): boolean | undefined {
  if (adminClaim === null) return undefined;
  const value = readClaim(claims, adminClaim.name);
  if (value === undefined && !isWhole) return undefined;
  return [value].flat().includes(adminClaim.value);
}

/** Returns the claim of that name, or what stands at that path: names that are addresses have dots too. */
export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Claims)[part] : undefined;
  }, claims);
}

function readText(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= LONGEST && isStorableText(value);
  return isText ? value : undefined;
}

function toEmail(text: string | undefined): string | null {
  try {
    return text === undefined ? null : readEmail(text);
  } catch {
    return null;
  }
}
