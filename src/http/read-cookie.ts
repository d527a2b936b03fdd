/**
 * Returns the value of a cookie, or undefined where there is none or an empty one.
 * @param header the header Cookie of a request
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim().split('=', 2)) ?? [];
  return pairs.find(([key, value]) => key === name && value)?.[1];
}
