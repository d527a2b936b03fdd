/** Writes to the browser's console what the specification wants logged there. */
export function logError(what: string, detail: unknown): void {
  console.error(what, detail);
}
