import { expect, it } from '@jest/globals';
import { acceptedEncodings } from './accept-encoding.js';

it.each([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['gzip', ['gzip', 'identity']],
  ['X-GZIP', ['gzip', 'identity']],
  ['gzip;q=1.0, br;q=0.5', ['gzip', 'br', 'identity']],
  ['br; q = 0, gzip ;q=0.001', ['gzip', 'identity']],
  ['identity, gzip;q=0.5', ['identity', 'gzip']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0, gzip', ['gzip']],
  ['gzip;q=0.5, *;q=0.8', ['br', 'identity', 'gzip']],
  ['identity;q=0', ['identity']],
  ['identity;q=0, br', ['br']],
  ['br;q=high, gzip', ['gzip', 'identity']],
  ['deflate', ['identity']],
])('reads %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings);
});
