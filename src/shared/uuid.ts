const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns true for a UUID in its one spelling, in small letters. PostgreSQL refuses other texts instead of not finding them. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
