const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** A moment like 'Dec 1, 2026, 9:00 AM', in the time of whoever reads it. Not for what the server renders. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

/** The day of a moment like 'Dec 1, 2026', in the time of whoever reads it. Not for what the server renders. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}
