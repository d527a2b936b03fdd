import { TZDate } from '@date-fns/tz';
// Not from the package's index: that loads all of its 300 files.
import { format } from 'date-fns/format';
import { enUS } from 'date-fns/locale/en-US';
import type { DisplayDate } from './contracts/posts.js';
import { remember } from './remember.js';

/** Working a date out costs more than all else about a line of a list. */
const keyOf = (date: Date, timeZone: string) => `${date.getTime()} ${timeZone}`;

/** Formats a moment as pages show it (product.md 9.3), in a fixed zone and language, independent of the machine. */
export const toDisplayDate = remember(keyOf, (date, timeZone): DisplayDate => {
  const local = new TZDate(date, timeZone);
  return {
    iso: date.toISOString(),
    short: format(local, 'MMM d, yyyy', { locale: enUS }),
    long: format(local, 'MMMM d, yyyy', { locale: enUS }),
  };
});

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment in a zone, as 'YYYY-MM-DD'. */
export const toDay = remember(keyOf, (date, timeZone): string => {
  const known = dayFormats.get(timeZone);
  // Swedish dates are those of ISO 8601.
  const format =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  if (!known) dayFormats.set(timeZone, format);
  return format.format(date).padStart(10, '0');
});
