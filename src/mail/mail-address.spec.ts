import { describe, expect, it } from '@jest/globals';
import { isPlainAddress } from './mail-address.js';

describe('isPlainAddress', () => {
  it.each(['ada@example.com', "o'hara+tag@mail.example.co.uk", 'root@localhost', '{a|b}~c@x.example'])(
    'takes %s',
    (text) => {
      expect(isPlainAddress(text)).toBe(true);
    },
  );

  it.each([
    'ada@example.com\r\nBcc: all@example.com',
    'ada@example.com\nx',
    'ada@example.com, bob@example.com',
    'ada@example.com;bob@example.com',
    'Ada <ada@example.com>',
    '"ada bob"@example.com',
    'team: ada@example.com',
    'a@b@c.example',
    'ada@example.com\u0000',
    'ada @example.com',
    'ada',
    '@example.com',
    '',
    `${'a'.repeat(250)}@x.example`,
  ])('refuses %j', (text) => {
    expect(isPlainAddress(text)).toBe(false);
  });
});
