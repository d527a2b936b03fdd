import { describe, expect, it } from '@jest/globals';
import { patternOfAddress } from './mentioned-address.js';

describe('patternOfAddress', () => {
  const mentions = (text: string, address = 'ann+1@example.com') =>
    new RegExp(patternOfAddress(address), 'i').test(text);

  it.each([
    'ann+1@example.com',
    'Ann+1@Example.com',
    'For <ann+1@example.com>.',
    'a@b.example\nann+1@example.com. Then',
  ])('finds it in %j', (text) => expect(mentions(text)).toBe(true));

  it.each([
    'joann+1@example.com',
    'jo.ann+1@example.com',
    'ann+1@example.com.au',
    'ann+1@example.community',
    'ann1@exampleXcom',
  ])('does not find it in %j', (text) => expect(mentions(text)).toBe(false));

  it('takes every character of an address for itself', () => {
    const address = `a.!#$%&'*+/=?^_{|}~-ö@[127.0.0.1]`;
    expect(mentions(`To ${address}`, address)).toBe(true);
  });
});
