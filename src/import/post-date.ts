import { TZDate } from '@date-fns/tz';
import { RefusedError } from './import.errors.js';

const datePattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[T ]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:[ \t]*([ap])\.?m\.?)?[ \t]*(Z|[A-Z]{2,4}(?![A-Z+-])|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)?(?:[ \t]+(?:\([^()]{1,50}\)|[A-Z]{3,5}))?)?$/i;
/** Zones by their names, in hours from UTC: those of RFC 822, and of others that mean one alone. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, utc: 0, gmt: 0, ut: 0, wet: 0, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3, jst: 9, kst: 9 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
};

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const monthFirst =
  /^(?:[a-z]{3,9},?[ \t]+)?([a-z]{3,9})\.?[ \t]+(\d{1,2})(?:st|nd|rd|th)?,?[ \t]+(\d{4})(?=$|,?[ \t])/i;
const dayFirst =
  /^(?:[a-z]{3,9},?[ \t]+)?(\d{1,2})(?:st|nd|rd|th|\.)?[ \t]+([a-z]{3,9})\.?,?[ \t]+(\d{4})(?=$|,?[ \t])/i;
const yearFirst =
  /^(\d{4})(?:\/(\d{1,2})\/|\.(\d{1,2})\.|年[ \t]?(\d{1,2})月[ \t]?|(\d{2})(?=\d{2}(?:$|[ \tT])))(\d{1,2})日?(?=$|[ \tT])/;
/** Which of the first two is the day is known where one of them is no month, or dots stand between. */
const yearLast = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?=$|,?[ \t])/;
/** Seconds since 1970, or milliseconds. */
const unixTime = /^\d{10}(\d{3})?$/;

/** Returns true for the moments that programs write where there is none: Go's first day, the zeros of MySQL, and what PHP makes of them. */
export function isZeroDate(text: string): boolean {
  return /^\s*(?:0001-01-01|0000-00-00|-0001-11-30)(?:[T \t]|\s*$)/.test(text);
}

/**
 * The moment that a date in front matter or a file name means: ISO 8601, or the looser forms of static site generators
 * ('2015-03-17', '2015-03-17 10:00:00 -4', 'Mar 17 2015 3:04 PM', '17.03.2015', seconds since 1970). A date without a time is noon in the site's zone, so that it stays the
 * same day wherever it is read; a time without an offset is in the site's zone.
 * @throws RefusedError for anything else, and for days that no calendar has
 */
export function parsePostDate(text: string, timeZone: string): Date {
  const unix = unixTime.exec(text.trim());
  if (unix !== null) return new Date(Number(unix[0]) * (unix[1] === undefined ? 1000 : 1));
  const match = datePattern.exec(withNumbers(text.trim()));
  const zone = match?.[8]?.toLowerCase() ?? '';
  if (match === null || (/^[a-z]/.test(zone) && !/\d/.test(zone) && ZONES[zone] === undefined))
    throw new RefusedError([`the date '${text}' is not one like 2025-01-31 or 2025-01-31 10:00`]);
  const [, year, month, day, hour, minute, second, half, offset] = match;
  const hours = half === undefined ? (hour ?? '12') : hourOfHalf(Number(hour), half);
  const parts = [year, month, day, hours, minute ?? '0', second ?? '0'].map(Number) as DateParts;
  if (!isOnCalendar(parts)) throw new RefusedError([`the date '${text}' is on no calendar`]);
  if (offset === undefined) return new Date(new TZDate(parts[0], parts[1] - 1, ...rest(parts), timeZone).getTime());
  return new Date(Date.UTC(parts[0], parts[1] - 1, ...rest(parts)) - offsetMinutes(offset) * 60_000);
}

/** Year, month and day as a date has them in its own zone, in whatever form it is written; undefined for what is none. */
export function writtenDay(text: string): readonly [year: string, month: string, day: string] | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(withNumbers(text.trim())) ?? [];
  return year === undefined || month === undefined || day === undefined ? undefined : [year, month, day];
}

/** The hour of a day with two halves of twelve hours; no hour for one that they do not have. */
function hourOfHalf(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** A date with the month's name in English, or with slashes behind the year, in numbers; others as they are. */
function withNumbers(text: string): string {
  const first = monthFirst.exec(text);
  const other = dayFirst.exec(text);
  const [written = '', year = '', month = '', day = ''] =
    first !== null
      ? [first[0], first[3], monthOf(first[1] ?? ''), first[2]]
      : other !== null
        ? [other[0], other[3], monthOf(other[2] ?? ''), other[1]]
        : daysInNumbers(text);
  return month === '' ? text : `${year}-${month}-${day}${text.slice(written.length).replace(/^,/, '')}`;
}

function daysInNumbers(text: string): (string | undefined)[] {
  const [written, year, ...others] = yearFirst.exec(text) ?? [];
  if (written !== undefined) return [written, year, others.slice(0, -1).filter(Boolean).join(''), others.at(-1)];
  const [last, first = '', sign, second = '', itsYear] = yearLast.exec(text) ?? [];
  if (last === undefined) return [];
  if (sign === '.' || Number(first) > 12) return [last, itsYear, second, first];
  return Number(second) > 12 ? [last, itsYear, first, second] : [];
}

/** The number of a month by its name, or the first three letters or more of it; empty for what is none. */
function monthOf(name: string): string {
  const index = MONTHS.findIndex((month) => month.startsWith(name.toLowerCase()));
  return index < 0 ? '' : String(index + 1);
}

/** A file's name such as `2015-03-17-title`, `2015-3-7-title` or `2015-03-17_title`, as its date and the rest; no date where it has none. */
export function splitDatedName(name: string): { readonly date?: string; readonly rest: string } {
  const [whole = '', ...parts] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[-_]|$)/.exec(name) ?? [];
  const date = toDay(parts);
  return date === undefined ? { rest: name } : { date, rest: /[-_]$/.test(whole) ? name.slice(whole.length) : name };
}

/** The day in a path such as `/2015/03/17/title/`; undefined when there is none. */
export function dateInPath(path: string): string | undefined {
  return toDay(/(?:^|\/)(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|$)/.exec(path)?.slice(1) ?? []);
}

/** Year, month and day as a date; undefined for what is on no calendar. */
function toDay(written: readonly string[]): string | undefined {
  const [year, month, day] = written.map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return isOnCalendar([year, month, day, 0, 0, 0]) ? written.join('-') : undefined;
}

type DateParts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function rest([, , day, hour, minute, second]: DateParts): [number, number, number, number] {
  return [day, hour, minute, second];
}

function isOnCalendar(parts: DateParts): boolean {
  const [year, month, day, hour, minute, second] = parts;
  const date = new Date(Date.UTC(year, month - 1, day));
  // The first hundred years are those from 1900 on to this function.
  const isDay = year > 99 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay && hour < 24 && minute < 60 && second < 60;
}

function offsetMinutes(offset: string): number {
  const match = /([+-])(\d{1,2}):?(\d{2})?$/.exec(offset);
  if (match === null) return (ZONES[offset.toLowerCase()] ?? 0) * 60;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}
