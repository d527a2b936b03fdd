/**
 * Returns a regular expression, as both JavaScript and PostgreSQL read it, that finds an address in a text, and not as a
 * part of a longer one: `ann@example.com` is not in `joann@example.com` and not in `ann@example.com.au`. To be used in any
 * case of letters.
 */
export function patternOfAddress(address: string): string {
  const literal = address.replace(/[^\w\s@\u0080-\uffff]/g, '\\$&');
  return `(?<![\\w.%+-])${literal}(?![\\w-]|\\.\\w)`;
}
