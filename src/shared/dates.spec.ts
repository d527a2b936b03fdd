import { describe, expect, it } from '@jest/globals';
import { toDisplayDate } from './dates.js';

describe('toDisplayDate', () => {
  it('shows the day that it is in the zone', () => {
    const date = new Date('2025-01-06T05:00:00Z');
    expect(toDisplayDate(date, 'America/Los_Angeles')).toEqual({
      iso: '2025-01-06T05:00:00.000Z',
      short: 'Jan 5, 2025',
      long: 'January 5, 2025',
    });
    expect(toDisplayDate(date, 'UTC').short).toBe('Jan 6, 2025');
  });
});
