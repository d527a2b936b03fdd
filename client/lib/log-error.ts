/** Writes to the browser's console, which is the log of the client. */
export function logError(what: string, detail: unknown): void {
  console.error(what, detail);
}
