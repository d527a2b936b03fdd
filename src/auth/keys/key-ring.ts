import { generateKey, type Jwk } from './generated-secrets.js';

/**
 * A key's part in a rotation: `next` only verifies so far and is to sign, `current` signs, `former` only verifies what it
 * signed before.
 */
export type KeyState = 'next' | 'current' | 'former';

/** Thrown when a step of a rotation is taken too early, or has nothing to do. */
export class RotationError extends Error {
  override readonly name = 'RotationError';
}

/** The part that a key of the list plays; a key that only verifies and says nothing else is a former one. */
export function stateOf({ key_ops: operations, status }: Jwk): KeyState {
  if (operations?.includes('sign')) return 'current';
  return status === 'next' ? 'next' : 'former';
}

/** Adds a new key that verifies. @throws RotationError while another one waits */
export function addNextKey(keys: readonly Jwk[]): Jwk[] {
  const waiting = keys.find((key) => stateOf(key) === 'next');
  if (waiting !== undefined) {
    throw new RotationError(`Key ${nameOf(waiting)} waits already. Go on with: auth keys promote`);
  }
  return [{ ...generateKey(), key_ops: ['verify'], status: 'next' }, ...keys];
}

/** Returns the key that waits to sign. @throws RotationError when none does */
export function findNextKey(keys: readonly Jwk[]): Jwk {
  const next = keys.find((key) => stateOf(key) === 'next');
  if (next === undefined) throw new RotationError('No key waits to sign. Begin with: auth keys add');
  return next;
}

/** Lets the key that waits sign, and the current one only verify. @throws RotationError when none waits */
export function promoteNextKey(keys: readonly Jwk[]): Jwk[] {
  const next = findNextKey(keys);
  return keys.map(({ status: _status, ...key }) => ({
    ...key,
    key_ops: key.kid === next.kid ? ['sign', 'verify'] : ['verify'],
  }));
}

/** Returns the keys to leave out: the one of that name, or all former ones. @throws RotationError when it cannot go */
export function findRetiring(keys: readonly Jwk[], kid: string | undefined): Jwk[] {
  if (kid === undefined) return keys.filter((key) => stateOf(key) === 'former');
  const named = keys.filter((key) => key.kid === kid);
  if (named.length === 0) throw new RotationError(`There is no key ${kid}. See: auth keys list`);
  if (named.some((key) => stateOf(key) === 'current')) {
    throw new RotationError(`Key ${kid} signs. Another one has to sign first: auth keys add`);
  }
  return named;
}

/** The name of a key for people. */
export const nameOf = ({ kid }: Pick<Jwk, 'kid'>): string => kid ?? 'without a name';
