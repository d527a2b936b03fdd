/** Rejects with the reason of a signal once it is aborted, and never resolves. */
export async function whenAborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
