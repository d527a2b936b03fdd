import { describe, expect, it } from '@jest/globals';
import { findPeriod, formatMoment, readMoment } from './moments.js';

describe('readMoment', () => {
  it.each([
    ['2026-12-01', '2026-12-01T05:00:00.000Z'],
    ['2026-12-01 09:00', '2026-12-01T14:00:00.000Z'],
    ['2026-07-01T09:00:30', '2026-07-01T13:00:30.000Z'],
    ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:00.000+02:00', '2026-12-01T07:00:00.000Z'],
    [' 2026-12-01 09:00 -0330 ', '2026-12-01T12:30:00.000Z'],
    ['2028-02-29', '2028-02-29T05:00:00.000Z'],
    // Clocks skip this hour, and have that one twice.
    ['2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
    ['0026-12-01T00:00Z', '0026-12-01T00:00:00.000Z'],
  ])('reads %j in New York', (text, iso) => {
    expect(readMoment(text, 'America/New_York')?.toISOString()).toBe(iso);
  });

  it.each([
    ...['', 'tomorrow', '2026-02-30', '2026-13-01', '2026-12-01 25:00', '2026-12-1', '1.12.2026', '2026-12-01 9'],
    // No zone is so far away: these are mistyped, and would mean another day.
    ...['2026-12-01 09:00+90:00', '2026-12-01T09:00-15:00', '2026-12-01 09:00 +0190'],
  ])('refuses %j', (text) => {
    expect(readMoment(text, 'UTC')).toBeNull();
  });

  it('reads the offsets that are furthest away', () => {
    expect(readMoment('2026-12-01 09:00+14:00', 'UTC')?.toISOString()).toBe('2026-11-30T19:00:00.000Z');
    expect(readMoment('2026-12-01 09:00-12:00', 'UTC')?.toISOString()).toBe('2026-12-01T21:00:00.000Z');
  });

  it('takes a mistyped year for what it says', () => {
    expect(readMoment('0026-12-01', 'UTC')?.toISOString()).toBe('0026-12-01T00:00:00.000Z');
  });

  it('reads what formatMoment writes', () => {
    const text = formatMoment(new Date('2026-12-01T14:00:00Z'), 'America/New_York');
    expect(text).toBe('2026-12-01 09:00');
    expect(readMoment(text, 'America/New_York')?.toISOString()).toBe('2026-12-01T14:00:00.000Z');
  });
});

describe('findPeriod', () => {
  const read = (name: string, timeZone: string) => {
    const period = findPeriod(name, timeZone);
    return period && [period.since, period.until].map((seconds) => new Date(seconds * 1000).toISOString());
  };

  it.each([
    ['2026', 'America/New_York', '2026-01-01T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
    ['2026/07', 'America/New_York', '2026-07-01T04:00:00.000Z', '2026-08-01T04:00:00.000Z'],
    ['2026/12', 'Australia/Sydney', '2026-11-30T13:00:00.000Z', '2026-12-31T13:00:00.000Z'],
    ['0001', 'UTC', '0001-01-01T00:00:00.000Z', '0002-01-01T00:00:00.000Z'],
    ['0099/12', 'UTC', '0099-12-01T00:00:00.000Z', '0100-01-01T00:00:00.000Z'],
    ['9999', 'UTC', '9999-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
  ])('finds %s in %s', (name, timeZone, since, until) => {
    expect(read(name, timeZone)).toEqual([since, until]);
  });

  it.each(['0000', '2026/00', '2026/13', '10000'])('finds no %s', (name) => {
    expect(read(name, 'UTC')).toBeNull();
  });
});
