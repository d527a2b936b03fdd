import { remember } from '../../src/shared/remember.js';

/** In a zone, or in the reader's own. */
const formatsOf = remember(String, (timeZone: string | undefined) => ({
  moment: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  day: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }),
}));

/**
 * Formats a moment like 'Dec 1, 2026, 9:00 AM', for parts that no server renders.
 * @param timeZone that of the site in the admin area; undefined: the reader's own, as for what is theirs
 */
export function formatMoment(iso: string, timeZone: string | undefined): string {
  return formatsOf(timeZone).moment.format(new Date(iso));
}

/** Formats the day of a moment like 'Dec 1, 2026', for parts that no server renders; see {@link formatMoment}. */
export function formatDay(iso: string, timeZone: string | undefined): string {
  return formatsOf(timeZone).day.format(new Date(iso));
}
