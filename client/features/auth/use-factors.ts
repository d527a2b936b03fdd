import type { Factor } from '@supabase/auth-js';
import { useEffect, useState } from 'react';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';

/** The second factors of the signed-in user, as far as they are known. */
export interface Factors {
  /** Those that were verified, of every kind; null until they are known. */
  readonly factors: readonly Factor[] | null;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}

/** Reads the second factors that the signed-in user has verified. */
export function useFactors(): Factors {
  const getClient = useAuthClient();
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  const [reading, setReading] = useState(0);

  useEffect(() => {
    const read = async () => {
      const { data, error } = await (await getClient()).mfa.listFactors();
      if (error) throw error;
      setFactors(data.all.filter(({ status }) => status === 'verified'));
      setHasFailed(false);
    };
    read().catch((error: unknown) => {
      logError('The second factors could not be read:', error);
      setHasFailed(true);
    });
  }, [getClient, reading]);

  return { factors, hasFailed, reload: () => setReading((count) => count + 1) };
}

/** The authenticator apps among factors. */
export function appsOf(factors: readonly Factor[]): readonly Factor[] {
  return factors.filter((factor) => factor.factor_type === 'totp');
}

/** Returns true when there are recovery codes among factors. */
export function hasRecoveryCodes(factors: readonly Factor[]): boolean {
  return factors.some((factor) => factor.factor_type === 'recovery_code');
}

/** Returns true when recovery codes would go with the one factor beside them (decision 67). */
export function isLastBesideCodes(factors: readonly Factor[]): boolean {
  return factors.length === 2 && hasRecoveryCodes(factors);
}

/** Returns the name of an authenticator app that people read. */
export function nameOf({ friendly_name: name }: Factor): string {
  return name || 'Authenticator app';
}
