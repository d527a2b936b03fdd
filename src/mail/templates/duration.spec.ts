import { expect, it } from '@jest/globals';
import { describeDuration } from './duration.js';

it.each([
  [30, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [86_400, '24 hours'],
  [604_800, '7 days'],
  [176_400, '49 hours'],
  // Never more than it is.
  [9000, '2 hours'],
])('%d s are %s', (seconds, words) => {
  expect(describeDuration(seconds)).toBe(words);
});
