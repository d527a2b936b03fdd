import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { enUS } from 'date-fns/locale/en-US';

/** Format of an input of type datetime-local. */
const INPUT_FORMAT = "yyyy-MM-dd'T'HH:mm";
const INPUT_PATTERN = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/;

/** 400 years, after which the calendar begins anew. */
const CYCLE_MS = 146_097 * 24 * 3_600_000;

/** A moment as an input of type datetime-local shows it in a zone; empty for none. */
export function toZonedInput(iso: string | null, timeZone: string): string {
  return iso === null ? '' : format(new TZDate(iso, timeZone), INPUT_FORMAT);
}

/** The moment that such an input means in a zone, ISO 8601, UTC; null for an input that is empty or half filled in. */
export function fromZonedInput(value: string, timeZone: string): string | null {
  const [, year, month, day, hour, minute] = (INPUT_PATTERN.exec(value) ?? []).map(Number);
  if (year === undefined || month === undefined) return null;
  // A date takes a year below 100 for one of 19xx. An input has such a year while the first digits of another are typed.
  const cycles = year < 100 ? 1 : 0;
  const local = new TZDate(year + cycles * 400, month - 1, day ?? 1, hour ?? 0, minute ?? 0, timeZone);
  return new Date(local.getTime() - cycles * CYCLE_MS).toISOString();
}

/** A moment in words in a zone, like 'Dec 1, 2026, 9:00 AM'. */
export function describeMoment(iso: string, timeZone: string): string {
  return format(new TZDate(iso, timeZone), 'MMM d, yyyy, h:mm a', { locale: enUS });
}

/** A chosen date in words, also when none was. */
export function toDateWords(iso: string | null, timeZone: string): string {
  return iso === null ? '‘when it is published for the first time’' : describeMoment(iso, timeZone);
}
