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
    const [d = 1, h = 0, min = 0, s = 0] = rest;
    // A date takes a year below 100 for one of 19xx, where somebody has mistyped one.
    const cycles = y < 100 ? 1 : 0;
    const local = new TZDate(y + cycles * 400, m - 1, d, h, min, s, timeZone);
    return new Date(local.getTime() - cycles * CYCLE_MS);
  }
  const minutes = /^Z$/i.test(offset) ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return new Date(asUtc.getTime() - (offset.startsWith('-') ? -minutes : minutes) * 60_000);
}

/** A moment as {@link readMoment} reads it, in the time of the zone. */
export function formatMoment(moment: Date, timeZone: string): string {
  return format(new TZDate(moment, timeZone), 'yyyy-MM-dd HH:mm');
}

/** The same with the name of the zone, for people who may be in another one. */
export function describeMoment(moment: Date, timeZone: string): string {
  return `${formatMoment(moment, timeZone)} (${timeZone})`;
}
