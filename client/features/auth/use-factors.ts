import type { Factor } from '@supabase/auth-js';
import { useEffect, useState } from 'react';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';

/** Reads the authenticator apps that the signed-in user has verified; null until they are known. */
export function useFactors() {
  const getClient = useAuthClient();
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  const [reading, setReading] = useState(0);

  useEffect(() => {
    const read = async () => {
      const { data, error } = await (await getClient()).mfa.listFactors();
      if (error) throw error;
      setFactors(data.totp);
      setHasFailed(false);
    };
    read().catch((error: unknown) => {
      logError('The authenticator apps could not be read:', error);
      setHasFailed(true);
    });
  }, [getClient, reading]);

  return { factors, hasFailed, reload: () => setReading((count) => count + 1) };
}

/** Returns the name of an authenticator app that people read. */
export function nameOf({ friendly_name: name }: Factor): string {
  return name || 'Authenticator app';
}
