import { describe, expect, it } from '@jest/globals';
import { describeMoment, fromZonedInput, toZonedInput } from './zoned-time.js';

const ZONE = 'America/Los_Angeles';

describe('times in the zone of the site', () => {
  it.each([
    ['2026-12-01T17:00:00.000Z', '2026-12-01T09:00', 'Dec 1, 2026, 9:00 AM'],
    ['2026-07-01T16:30:00.000Z', '2026-07-01T09:30', 'Jul 1, 2026, 9:30 AM'],
  ])('shows and reads %s in winter and in summer', (iso, input, words) => {
    expect(toZonedInput(iso, ZONE)).toBe(input);
    expect(fromZonedInput(input, ZONE)).toBe(iso);
    expect(describeMoment(iso, ZONE)).toBe(words);
  });

  // An input reports each digit of a year as a year: what it shows must not change under who types.
  it.each(['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'UTC'])(
    'reads a year digit by digit in %s',
    (zone) => {
      for (const year of ['0002', '0020', '0202', '2026']) {
        const input = `${year}-12-24T03:04`;
        expect(toZonedInput(fromZonedInput(input, zone), zone)).toBe(input);
      }
    },
  );

  it('takes an hour that the clocks leave out for the one after it', () => {
    expect(fromZonedInput('2026-03-08T02:30', ZONE)).toBe('2026-03-08T10:30:00.000Z');
  });

  it('takes an empty input for no time', () => {
    expect(toZonedInput(null, ZONE)).toBe('');
    expect(fromZonedInput('', ZONE)).toBeNull();
  });
});
