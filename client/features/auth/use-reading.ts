import type { GoTrueClient } from '@supabase/auth-js';
import { useEffect, useState } from 'react';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';

/**
 * Reads something of the account, and again on demand.
 * @param read the same function at every call
 * @param failure begins the line of the log
 */
export function useReading<T>(read: (auth: GoTrueClient) => Promise<T>, failure: string) {
  const getClient = useAuthClient();
  const [found, setFound] = useState<T | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [reading, setReading] = useState(0);

  useEffect(() => {
    // An answer that is overtaken by the next one tells how it was before the change that the next one was asked for.
    let isCurrent = true;
    getClient()
      .then(read)
      .then(
        (value) => {
          if (!isCurrent) return;
          setFound(() => value);
          setHasFailed(false);
        },
        (error: unknown) => {
          if (!isCurrent) return;
          logError(failure, error);
          setHasFailed(true);
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [getClient, read, failure, reading]);

  return { found, hasFailed, reload: () => setReading((count) => count + 1) };
}
