import { TZDate } from '@date-fns/tz';
// Not from the package's index: that loads all of its 300 files.
import { format } from 'date-fns/format';
import { enUS } from 'date-fns/locale/en-US';
import type { DisplayDate } from './contracts/posts.js';

/** A moment as pages show it (specification section 9), in a fixed zone and language whatever the machine's are. */
export function toDisplayDate(date: Date, timeZone: string): DisplayDate {
  const local = new TZDate(date, timeZone);
  return {
    iso: date.toISOString(),
    short: format(local, 'MMM d, yyyy', { locale: enUS }),
    long: format(local, 'MMMM d, yyyy', { locale: enUS }),
  };
}
