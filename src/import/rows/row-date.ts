import { RefusedError } from '../import.errors.js';
import { parsePostDate } from '../post-date.js';

const byYear = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?=$|[ T])/;
const byDots = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|,? )/;
const bySlashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?=$|,? )/;
const afternoon = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s?([ap])\.?m\.?$/i;
const fraction = /:\d{2}\.(\d{1,9})/;

/**
 * The moment that a cell means: ISO 8601 or PostgreSQL's form, to the millisecond; or a form of spreadsheets
 * (31.1.2025, 1/31/2025 2:30 PM) if it can mean only one day.
 * @throws RefusedError for anything else
 */
export function parseRowDate(text: string, timeZone: string): Date {
  const [day, rest] = toDay(text);
  const time = day === '' ? rest : `${day} ${toTime(rest)}`;
  const moment = parsePostDate(time.trim(), timeZone);
  const digits = fraction.exec(rest)?.[1] ?? '0';
  return new Date(moment.getTime() + Math.floor(Number(`0.${digits}`) * 1000 + 1e-6));
}

/** The day as year, month and day, and what follows it; an empty day when it is written so already. */
function toDay(text: string): [day: string, rest: string] {
  const year = byYear.exec(text);
  if (year !== null) return [`${year[1]}-${year[2]}-${year[3]}`, text.slice(year[0].length)];
  const dots = byDots.exec(text);
  if (dots !== null) return [`${dots[3]}-${dots[2]}-${dots[1]}`, text.slice(dots[0].length)];
  const slashes = bySlashes.exec(text);
  if (slashes === null) return ['', text];
  const [first, second] = [Number(slashes[1]), Number(slashes[2])];
  if (first <= 12 && second <= 12 && first !== second) {
    throw new RefusedError([`the date '${text}' could mean two days; write it like 2025-01-31`]);
  }
  const [month, day] = second > 12 ? [first, second] : [second, first];
  return [`${slashes[3]}-${month}-${day}`, text.slice(slashes[0].length)];
}

function toTime(rest: string): string {
  const written = rest.replace(/^[,T]?\s*/, '');
  const [, hours, minutes, seconds = '00', half] = afternoon.exec(written) ?? [];
  if (hours === undefined) return written;
  // What no clock shows is refused along with the date.
  if (Number(hours) < 1 || Number(hours) > 12) return written;
  const hour = (Number(hours) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  return `${hour}:${minutes}:${seconds}`;
}
