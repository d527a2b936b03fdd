const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does something when Ctrl+C or another signal is about to end the process, which it does all the same.
 * @param task done at once: nothing is waited for
 * @returns what takes it back
 */
export function beforeSignalEnds(task: () => void): () => void {
  const handle = (signal: NodeJS.Signals) => {
    task();
    // Whoever else listens has the last word.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, handle);
  };
}
