/**
 * Says in a word or more what the job queue has met: its workers give copies of errors, which are of no class, and a host
 * with several addresses refuses with an error that has no message.
 */
export function describeJobError(error: unknown): string {
  const { message, code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return message || code || String(error);
}
