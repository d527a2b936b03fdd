import type { Factor, GoTrueClient } from '@supabase/auth-js';
import { useState } from 'react';
import { useAuthClient } from '../../lib/session.js';
import { describeOwnError } from './describe-own-error.js';
import { useReading } from './use-reading.js';

/** The kinds of second factors that signing in asks for, as people call them. */
export const FACTOR_NAMES = { webauthn: 'Security key', totp: 'Authenticator app', phone: 'Phone' } as const;

/** The second factors of the signed-in user, as far as they are known. */
export interface Factors {
  /** Those that were verified, of every kind; null until they are known. */
  readonly factors: readonly Factor[] | null;
  readonly hasFailed: boolean;
  readonly reload: () => void;
  /** Names that are taken, also of those that were added here and are not read yet. */
  readonly names: readonly string[];
  /** Takes the name of one that was added. */
  readonly noteName: (name: string) => void;
}

/** Reads the second factors that the signed-in user has verified. */
export function useFactors(): Factors {
  const { found: factors, hasFailed, reload } = useReading(readFactors, 'The second factors could not be read:');
  const [added, setAdded] = useState<readonly string[]>([]);
  return {
    factors,
    hasFailed,
    reload,
    names: [...(factors ?? []).map(nameOf), ...added],
    noteName: (name) => setAdded((names) => [...names, name]),
  };
}

async function readFactors(auth: GoTrueClient): Promise<readonly Factor[]> {
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw error;
  return data.all.filter(({ status }) => status === 'verified');
}

/** The authenticator apps among factors. */
export function appsOf(factors: readonly Factor[]): readonly Factor<'totp'>[] {
  return factors.filter((factor): factor is Factor<'totp'> => factor.factor_type === 'totp');
}

/** The security keys among factors. */
export function keysOf(factors: readonly Factor[]): readonly Factor<'webauthn'>[] {
  return factors.filter((factor): factor is Factor<'webauthn'> => factor.factor_type === 'webauthn');
}

/** A second factor to which codes go. */
export type PhoneFactor = Factor<'phone'> & {
  /** Digits without the plus; the client's types leave it out. */
  readonly phone: string;
};

/** The phones among factors. */
export function phonesOf(factors: readonly Factor[]): readonly PhoneFactor[] {
  return factors.filter((factor): factor is PhoneFactor => factor.factor_type === 'phone');
}

/** Returns true when there are recovery codes among factors. */
export function hasRecoveryCodes(factors: readonly Factor[]): boolean {
  return factors.some((factor) => factor.factor_type === 'recovery_code');
}

/** Returns true when recovery codes would go with the one factor beside them (decision 67). */
export function isLastBesideCodes(factors: readonly Factor[]): boolean {
  return factors.length === 2 && hasRecoveryCodes(factors);
}

/** Hands out what removes a second factor, and returns the problem, or null. */
export function useRemoveFactor() {
  const getClient = useAuthClient();
  return async (factorId: string): Promise<string | null> => {
    const auth = await getClient();
    const { error } = await auth.mfa.unenroll({ factorId });
    // Gone already, by another tab, is gone.
    if (error && error.code !== 'mfa_factor_not_found') return await describeOwnError(auth, error);
    // The session may lack a second factor now, which the next token says.
    await auth.refreshSession();
    return null;
  };
}

/** Removes what was begun and left: its name would be taken. */
export async function removeUnfinishedFactors(auth: GoTrueClient): Promise<void> {
  const { data } = await auth.mfa.listFactors();
  for (const { id, status } of data?.all ?? []) if (status === 'unverified') await auth.mfa.unenroll({ factorId: id });
}

/** Returns the name of a second factor that people read. */
export function nameOf({ friendly_name: name, factor_type: type }: Factor): string {
  return name || (type === 'recovery_code' ? 'Recovery codes' : FACTOR_NAMES[type]);
}
