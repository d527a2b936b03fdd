import { useRef } from 'react';

/**
 * Hands out what does one thing after another: an action that is asked for while another one is on its way neither ends
 * it nor gets lost. A failure holds up nothing of what waits behind it.
 */
export function useTurns() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return <T>(work: () => Promise<T>): Promise<T> => {
    const ended = last.current.then(work);
    last.current = ended.catch(() => undefined);
    return ended;
  };
}
