import type { OpeningHours } from './site.js';

/** The facts of the days, in the order of the week. */
const DAYS = {
  open_monday: 'Monday',
  open_tuesday: 'Tuesday',
  open_wednesday: 'Wednesday',
  open_thursday: 'Thursday',
  open_friday: 'Friday',
  open_saturday: 'Saturday',
  open_sunday: 'Sunday',
} as const;

/** When the company is open on each day: `08:00-12:00, 13:00-18:00`, `closed`, or null where nobody says. */
export type WeekHours = Readonly<Record<keyof typeof DAYS, string | null>>;

const TIME = String.raw`(\d{1,2})(?::(\d\d))?\s*(am|pm)?`;
const RANGE = new RegExp(`^${TIME}\\s*(?:-|–|to)\\s*${TIME}$`, 'i');

/** Reads the hours of one day, as '8-17' or '8am - 5:30pm', in their one spelling; returns null for what says none. */
export function toDayHours(text: string): string | null {
  if (/^closed$/i.test(text)) return 'closed';
  const ranges = text.split(',').map((part) => toRange(part.trim()));
  const isInOrder = ranges.every((range, index) => range !== null && (ranges[index - 1]?.slice(6) ?? '') < range);
  return isInOrder ? ranges.join(', ') : null;
}

function toRange(text: string): string | null {
  const [isRange, ...parts] = RANGE.exec(text) ?? [];
  if (isRange === undefined) return null;
  const opens = toTime(parts[0], parts[1], parts[2]);
  const closes = toTime(parts[3], parts[4], parts[5]);
  return opens !== null && closes !== null && opens < closes ? `${opens}-${closes}` : null;
}

function toTime(hour = '', minute = '00', half?: string): string | null {
  const isPossible = half === undefined ? Number(hour) <= 23 : Number(hour) >= 1 && Number(hour) <= 12;
  if (!isPossible || Number(minute) > 59) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** Returns the opening hours of a week, days of the same hours together; none where no day says when it is open. */
export function toOpeningHours(week: WeekHours): OpeningHours[] {
  return toRuns(week).flatMap(({ days, text }) =>
    text.split(', ').map((range) => ({ days, opens: range.slice(0, 5), closes: range.slice(6) })),
  );
}

/** Says the same in words, as 'Monday to Friday, 8 AM to 6 PM; Saturday, 10 AM to 2 PM'. */
export function toHoursInWords(week: WeekHours): string {
  return toRuns(week)
    .map(({ days, text }) => {
      const [first = '', last = first] = [days[0], days.at(-1)];
      const ranges = text.split(', ').map((range) => range.split('-').map(toClock).join(' to '));
      return `${first === last ? first : `${first} to ${last}`}, ${ranges.join(' and ')}`;
    })
    .join('; ');
}

/** Days in a row that are open at the same time. */
function toRuns(week: WeekHours): { days: string[]; text: string }[] {
  const runs: { days: string[]; text: string }[] = [];
  let former: string | null = null;
  for (const name of Object.keys(DAYS) as (keyof typeof DAYS)[]) {
    const text = week[name] === null ? null : toDayHours(week[name]);
    const open = text === 'closed' ? null : text;
    if (open !== null && open === former) runs.at(-1)?.days.push(DAYS[name]);
    else if (open !== null) runs.push({ days: [DAYS[name]], text: open });
    former = open;
  }
  return runs;
}

function toClock(time: string): string {
  const [hour, minute] = [Number(time.slice(0, 2)), time.slice(3)];
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === '00' ? '' : `:${minute}`} ${hour < 12 ? 'AM' : 'PM'}`;
}
