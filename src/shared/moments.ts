import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';

const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/i;

/** 400 years, after which the calendar begins anew. */
const CYCLE_MS = 146_097 * 24 * 3_600_000;

/**
 * The moment that '2026-12-01', '2026-12-01 09:00' or ISO 8601 means; null for anything else, for days that no
 * calendar has, and for offsets that no zone has. A date alone is the beginning of that day; without an offset it is the
 * time of the zone.
 */
export function readMoment(text: string, timeZone: string): Date | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = PATTERN.exec(text.trim()) ?? [];
  const asUtc = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Dates roll over: the 30th of February would be one in March.
  if (Number.isNaN(asUtc.getTime()) || asUtc.getUTCDate() !== Number(day)) return null;
  if (offset === undefined) {
    const [y = 0, m = 0, ...rest] = [year, month, day, hour, minute, second].map(Number);
    return toMoment(timeZone, y, m, rest);
  }
  const minutes = /^Z$/i.test(offset) ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return new Date(asUtc.getTime() - (offset.startsWith('-') ? -minutes : minutes) * 60_000);
}

/** A year or a month, as '2026' or '2026/12'. */
export interface Period {
  readonly name: string;
  /** Its first moment, in seconds since 1970: years of ISO 8601 are others here than in PostgreSQL before 1 and after 9999. */
  readonly since: number;
  /** The first moment of the next one, likewise. */
  readonly until: number;
}

/**
 * The moments of a year or a month in a zone, so that the database need not know the name of the zone; null for one that
 * no calendar has.
 */
export function findPeriod(name: string, timeZone: string): Period | null {
  const [year = 0, month] = name.split('/').map(Number);
  if (year < 1 || year > 9999 || (month !== undefined && (month < 1 || month > 12))) return null;
  const since = toMoment(timeZone, year, month ?? 1);
  const until = month === undefined ? toMoment(timeZone, year + 1, 1) : toMoment(timeZone, year, month + 1);
  return { name, since: since.getTime() / 1000, until: until.getTime() / 1000 };
}

/** The moment of a time in a zone. The month 13 is the first one of the next year. */
function toMoment(
  timeZone: string,
  year: number,
  month: number,
  [day = 1, hour = 0, minute = 0, second = 0]: readonly number[] = [],
): Date {
  // A date takes a year below 100 for one of 19xx, where somebody has mistyped one.
  const cycles = year < 100 ? 1 : 0;
  const local = new TZDate(year + cycles * 400, month - 1, day, hour, minute, second, timeZone);
  return new Date(local.getTime() - cycles * CYCLE_MS);
}

/** A moment as {@link readMoment} reads it, in the time of the zone. */
export function formatMoment(moment: Date, timeZone: string): string {
  return format(new TZDate(moment, timeZone), 'yyyy-MM-dd HH:mm');
}

/** The same with the name of the zone, for people who may be in another one. */
export function describeMoment(moment: Date, timeZone: string): string {
  return `${formatMoment(moment, timeZone)} (${timeZone})`;
}
