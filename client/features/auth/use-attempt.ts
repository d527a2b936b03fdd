import { useState } from 'react';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { LostPartError } from '../../lib/lost-part.js';
import { canUseKeys } from './describe-key-error.js';

/**
 * Asks for something, one time after the other.
 * @param ask returns the problem, or null
 * @param failure the beginning of the line in the browser's log when it breaks off
 */
export function useAttempt(ask: () => Promise<string | null>, failure: string) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const attempt = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      setProblem(await ask());
    } catch (error) {
      logError(failure, error);
      setProblem(error instanceof LostPartError ? error.message : accountMessages.unreachable);
    } finally {
      setIsBusy(false);
    }
  };

  return { isBusy, problem, attempt: () => void attempt() };
}

/** Asks for a security key or a passkey, as {@link useAttempt}, where the browser can. */
export function useKeyAttempt(ask: () => Promise<string | null>, failure: string) {
  return useAttempt(async () => (canUseKeys() ? await ask() : accountMessages.keysUnknown), failure);
}
