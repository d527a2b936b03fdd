import { describe, expect, it } from '@jest/globals';
import { toDayHours, toHoursInWords, toOpeningHours, type WeekHours } from './day-hours.js';

const NONE: WeekHours = {
  ...{ open_monday: null, open_tuesday: null, open_wednesday: null, open_thursday: null },
  ...{ open_friday: null, open_saturday: null, open_sunday: null },
};

describe('the hours of a day', () => {
  it.each([
    ['8:00-18:00', '08:00-18:00'],
    ['08:00 to 12:30,13:00 – 17:00', '08:00-12:30, 13:00-17:00'],
    ['Closed', 'closed'],
    ['18:00-8:00', null],
    ['8-18', '08:00-18:00'],
    ['8am - 5:30 PM', '08:00-17:30'],
    ['12am-12pm, 1pm to 17:00', '00:00-12:00, 13:00-17:00'],
    ['13am-2pm', null],
    ['0am-2pm', null],
    ['8-5', null],
    ['08:00-24:00', null],
    ['08:60-09:00', null],
    ['13:00-17:00, 08:00-12:00', null],
    ['08:00-12:00, 11:00-13:00', null],
    ['08:00-12:00,', null],
    ['', null],
    ['<b>', null],
  ])('%j are %j', (text, hours) => {
    expect(toDayHours(text)).toBe(hours);
  });
});

describe('the hours of a week', () => {
  it('are those of the days that are open, together where they are the same', () => {
    const day = '08:00-18:00';
    const week = { ...NONE, open_monday: day, open_tuesday: day, open_wednesday: 'closed', open_thursday: day };
    const all = { ...week, open_friday: '08:00-12:00, 13:30-17:00', open_sunday: '00:00-12:00' };
    expect(toHoursInWords(all)).toBe(
      'Monday to Tuesday, 8 AM to 6 PM; Thursday, 8 AM to 6 PM; Friday, 8 AM to 12 PM and 1:30 PM to 5 PM; Sunday, 12 AM to 12 PM',
    );
    expect(toOpeningHours(all)).toEqual([
      { days: ['Monday', 'Tuesday'], opens: '08:00', closes: '18:00' },
      { days: ['Thursday'], opens: '08:00', closes: '18:00' },
      { days: ['Friday'], opens: '08:00', closes: '12:00' },
      { days: ['Friday'], opens: '13:30', closes: '17:00' },
      { days: ['Sunday'], opens: '00:00', closes: '12:00' },
    ]);
  });

  it('are none where no day is open, or says it in a way that nobody knows', () => {
    for (const week of [NONE, { ...NONE, open_monday: 'closed' }, { ...NONE, open_monday: 'later' }]) {
      expect(toOpeningHours(week)).toEqual([]);
      expect(toHoursInWords(week)).toBe('');
    }
  });
});
