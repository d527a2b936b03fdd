import type { OpeningHours } from '../../src/shared/contracts/site.js';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const TIME = String.raw`(\d{1,2})(?::(\d\d))?\s*([ap])?\.?m?\.?`;
const TO = String.raw`\s*(?:to|through|until|[-–—])\s*`;
const HOURS = new RegExp(String.raw`^([a-z]+)\.?(?:${TO}([a-z]+)\.?)?,?\s+(?:from\s+)?${TIME}${TO}${TIME}$`, 'i');

/**
 * Reads office hours that are written as 'Monday to Friday, 8 AM to 6 PM' or 'Mon–Fri 8:00–17:30'. Returns null for
 * all other words: nothing is better than wrong hours.
 */
export function readOpeningHours(words: string): OpeningHours | null {
  const match = HOURS.exec(words.trim());
  if (!match) return null;
  const [, first = '', last = first, ...times] = match;
  const [from, to] = [dayOf(first), dayOf(last)];
  const [opens, closes] = [timeOf(times.slice(0, 3)), timeOf(times.slice(3))];
  if (from < 0 || to < from || opens === null || closes === null || closes <= opens) return null;
  return { days: DAYS.slice(from, to + 1), opens, closes };
}

/** Index of a day by its name or at least three letters of it; -1 for other words. */
function dayOf(word: string): number {
  return word.length < 3 ? -1 : DAYS.findIndex((day) => day.toLowerCase().startsWith(word.toLowerCase()));
}

function timeOf([hours = '', minutes = '00', half]: readonly (string | undefined)[]): string | null {
  const isTwelve = half !== undefined;
  const hour = isTwelve ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  if ((isTwelve && Number(hours) > 12) || hour > 23 || Number(minutes) > 59) return null;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
