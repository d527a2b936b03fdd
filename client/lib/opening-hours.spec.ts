import { describe, expect, it } from '@jest/globals';
import { readOpeningHours } from './opening-hours.js';

const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

describe('readOpeningHours', () => {
  it.each([
    ['Monday to Friday, 8 AM to 6 PM', week, '08:00', '18:00'],
    ['Mon–Fri 8:00–17:30', week, '08:00', '17:30'],
    ['mon - fri, 9am - 12pm', week, '09:00', '12:00'],
    ['Saturday, 10 a.m. to 2 p.m.', ['Saturday'], '10:00', '14:00'],
    ['Monday through Tuesday from 12 AM until 11:59 PM', ['Monday', 'Tuesday'], '00:00', '23:59'],
  ])('reads %j', (words, days, opens, closes) => {
    expect(readOpeningHours(words)).toEqual({ days, opens, closes });
  });

  it.each([
    'By appointment',
    'Monday to Friday',
    'Friday to Monday, 8 AM to 6 PM',
    'Monday to Friday, 6 PM to 8 AM',
    'Monday to Friday, 8 to 6',
    'Monday to Friday, 8 AM to 6 PM, Saturday by appointment',
    'Mo to Fr, 8 AM to 6 PM',
    'Monday to Friday, 13 PM to 14 PM',
    'Monday to Friday, 8:75 to 18:00',
    'Monday to Friday, 8:00 to 24:30',
    '',
  ])('does not guess at %j', (words) => {
    expect(readOpeningHours(words)).toBeNull();
  });
});
