const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** Formats a moment like 'Dec 1, 2026, 9:00 AM', in the reader's time zone. Not for server-rendered parts. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

/** Formats the day of a moment like 'Dec 1, 2026', in the reader's time zone. Not for server-rendered parts. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}
