import { useCallback, useEffect, useRef } from 'react';
import { ENQUIRY_MIN_MS } from '../../../src/shared/limits.js';

/** Key and time of one filling of the form. */
export interface FillingClock {
  /** The key of this filling, the same until {@link FillingClock.startAgain}. */
  readonly getKey: () => string;
  /** Resolves once the form was on the screen for the least time, with how long that was in milliseconds. */
  readonly waitUntilShown: () => Promise<number>;
  readonly startAgain: () => void;
}

/** Random enough to be nobody else's; `randomUUID` is missing where the site has no TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Key and time of one filling of the form. */
export function useFilling(): FillingClock {
  const shownAt = useRef(0);
  const key = useRef<string | null>(null);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const getKey = useCallback(() => (key.current ??= newKey()), []);
  const startAgain = useCallback(() => {
    key.current = null;
  }, []);
  const waitUntilShown = useCallback(async () => {
    const left = shownAt.current + ENQUIRY_MIN_MS - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    // A timer may ring a moment early.
    return Math.max(ENQUIRY_MIN_MS, performance.now() - shownAt.current);
  }, []);
  return { getKey, waitUntilShown, startAgain };
}
