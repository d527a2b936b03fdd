/** Writes to the browser's console what the specification wants logged there. */
export function logError(what: string, detail: unknown): void {
  // eslint-disable-next-line no-console -- the one place of the pages that may
  console.error(what, detail);
}
