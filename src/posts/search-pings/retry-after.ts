const DAY_MS = 86_400_000;

/**
 * Reads the header Retry-After (RFC 9110, 10.2.3), seconds or a date, as milliseconds from now.
 * @returns between a second and a day; null without a readable header
 */
export function readRetryAfter(value: string | null, now: Date): number | null {
  if (value === null || value.trim() === '') return null;
  const waitMs = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 1000), DAY_MS);
}
