import { isUuid } from '../tokens/authentication.service.js';
import { AuthError } from '../auth.error.js';
import { isStorableText } from '../../shared/storable-text.js';
import { readEmail, readPhone } from '../api/input-rules.js';
import type { Metadata } from '../accounts/user.entity.js';
import type { SourceRow } from './user-rows.js';

/** An account as the hosted service's table of users tells it, checked. */
export interface ImportedUser {
  readonly id: string;
  /** Lower case. */
  readonly email: string | null;
  /** Digits. */
  readonly phone: string | null;
  /** A hash that sign-in can compare with; null when there is none. */
  readonly passwordHash: string | null;
  readonly emailConfirmedAt: Date | null;
  readonly phoneConfirmedAt: Date | null;
  readonly invitedAt: Date | null;
  readonly lastSignInAt: Date | null;
  readonly bannedUntil: Date | null;
  /** Null when the row does not say. */
  readonly createdAt: Date | null;
  readonly appMetadata: Metadata | null;
  readonly userMetadata: Metadata;
  /** Notes for the operator about an account that is imported nevertheless. */
  readonly warnings: readonly string[];
}

/** The result of reading a row: an account, or a reason to skip or to refuse it. */
export type ReadUser = ImportedUser | { readonly skipped: string } | { readonly refused: string };

/** More would keep a processor busy for seconds whenever somebody tries a password. */
const MAX_BCRYPT_COST = 14;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;
const MAX_ARGON2_KIB = 128 * 1024;
const MAX_ARGON2_PASSES = 10;

const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const FOREVER = new Date('9999-12-31T00:00:00Z');

const FORGOT = 'the person sets one by “Forgot password”';

/** Why a value of a row cannot be taken. */
class UnusableValue extends Error {}

/** Reads a row of `auth.users`. */
export function readImportedUser(values: SourceRow['values']): ReadUser {
  if (values === null) return { refused: 'it has not as many values as there are columns, or is no row at all' };
  try {
    return readValues(values);
  } catch (error) {
    if (error instanceof UnusableValue) return { refused: error.message };
    if (error instanceof AuthError) return { refused: error.message };
    throw error;
  }
}

function readValues(row: Readonly<Record<string, unknown>>): ReadUser {
  const id = readText(row, 'id')?.toLowerCase() ?? '';
  if (!isUuid(id)) throw new UnusableValue(`its id is not a UUID: '${id.slice(0, 50)}'`);
  if (readTime(row, 'deleted_at') !== null) return { skipped: 'was deleted' };
  if (readFlag(row, 'is_anonymous')) return { skipped: 'an anonymous user, whom no password or address identifies' };
  if (readFlag(row, 'is_sso_user')) return { skipped: 'signs in through single sign-on, which there is none of here' };
  const writtenEmail = readText(row, 'email');
  const writtenPhone = readText(row, 'phone');
  if (writtenEmail === null && writtenPhone === null)
    throw new UnusableValue('has no email address and no phone number');
  const password = readPassword(readText(row, 'encrypted_password'));
  return {
    id,
    email: writtenEmail === null ? null : readEmail(writtenEmail),
    phone: writtenPhone === null ? null : readPhone(writtenPhone),
    passwordHash: password.hash,
    emailConfirmedAt:
      readTime(row, 'email_confirmed_at') ?? (writtenPhone === null ? readTime(row, 'confirmed_at') : null),
    phoneConfirmedAt: readTime(row, 'phone_confirmed_at'),
    invitedAt: readTime(row, 'invited_at'),
    lastSignInAt: readTime(row, 'last_sign_in_at'),
    bannedUntil: readTime(row, 'banned_until'),
    createdAt: readTime(row, 'created_at'),
    appMetadata: readMetadata(row, 'raw_app_meta_data'),
    userMetadata: readMetadata(row, 'raw_user_meta_data') ?? {},
    warnings: password.warning === null ? [] : [password.warning],
  };
}

function readPassword(written: string | null): { readonly hash: string | null; readonly warning: string | null } {
  if (written === null) return { hash: null, warning: `has no password; ${FORGOT}` };
  if (isUsableHash(written)) return { hash: written, warning: null };
  const name = /^\$([\w-]{1,20})\$/.exec(written)?.[1] ?? 'unknown';
  return { hash: null, warning: `its password is stored in a form that is not accepted (${name}); ${FORGOT}` };
}

/**
 * Returns true for an imported hash: nobody has signed in with the password or set one here, which would replace it.
 */
export function isImportedHash(hash: string): boolean {
  return BCRYPT.test(hash);
}

/** Returns true for a hash that sign-in can compare with, at a cost that it can bear. */
export function isUsableHash(hash: string): boolean {
  const cost = Number(BCRYPT.exec(hash)?.[1]);
  if (cost >= 4 && cost <= MAX_BCRYPT_COST) return true;
  const [, memory, passes, lanes] = ARGON2ID.exec(hash) ?? [];
  if (memory === undefined) return false;
  const isPossible = Number(lanes) >= 1 && Number(passes) >= 1 && Number(memory) >= 8 * Number(lanes);
  return isPossible && Number(memory) <= MAX_ARGON2_KIB && Number(passes) <= MAX_ARGON2_PASSES;
}

function readText(row: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = row[name];
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new UnusableValue(`${name} is not a text`);
  if (!isStorableText(value)) throw new UnusableValue(`${name} holds characters that no text has`);
  return value.trim() === '' ? null : value.trim();
}

function readFlag(row: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = row[name];
  if (typeof value === 'boolean') return value;
  const text = readText(row, name)?.toLowerCase() ?? 'f';
  if (['t', 'true', '1', 'yes'].includes(text)) return true;
  if (['f', 'false', '0', 'no'].includes(text)) return false;
  throw new UnusableValue(`${name} is neither true nor false`);
}

/** A moment as ISO 8601 or as PostgreSQL writes it; without a zone it is taken as UTC. */
function readTime(row: Readonly<Record<string, unknown>>, name: string): Date | null {
  const text = readText(row, name);
  if (text === null) return null;
  if (text === 'infinity') return FOREVER;
  const [, day, time, fraction = '0', zone = 'Z'] = TIME.exec(text) ?? [];
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const date = new Date(`${day}T${time}.${fraction}${offset.toUpperCase()}`);
  const isReal = day !== undefined && !Number.isNaN(date.getTime()) && date >= new Date('1970-01-01T00:00:00Z');
  if (!isReal) throw new UnusableValue(`${name} is no time: '${text.slice(0, 50)}'`);
  return date;
}

/** JSON as a value, or as the text that CSV makes of it. */
function readMetadata(row: Readonly<Record<string, unknown>>, name: string): Metadata | null {
  const written = row[name];
  const value = typeof written === 'string' && written.trim() !== '' ? parseJson(written, name) : written;
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw new UnusableValue(`${name} is not a JSON object`);
  JSON.stringify(value, (key, part: unknown) => {
    if (isStorableText(key) && (typeof part !== 'string' || isStorableText(part))) return part;
    throw new UnusableValue(`${name} holds characters that no text has`);
  });
  return value as Metadata;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableValue(`${name} is not valid JSON`);
  }
}
