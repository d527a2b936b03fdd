import { expect, it } from '@jest/globals';
import { describeDetail } from './audit-details.js';

it('says moments in the zone of the site', () => {
  const words = describeDetail('published_date', '2027-03-14T10:30:00.000Z', 'America/Los_Angeles');
  expect(words).toBe('published date: Mar 14, 2027, 3:30 AM');
  expect(describeDetail('slug', '2027-03-14', 'America/Los_Angeles')).toBe('slug: 2027-03-14');
});
