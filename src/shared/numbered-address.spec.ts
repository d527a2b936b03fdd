import { describe, expect, it } from '@jest/globals';
import { toNumberedAddress } from './numbered-address.js';

describe('toNumberedAddress', () => {
  it.each([
    ['/?p=12', '/?p=12'],
    ['/?utm=a&p=0012&b', '/?p=12'],
    ['/blog?page_id=3', '/blog/?page_id=3'],
    ['/?p=0', '/?p=0'],
    ['/?p=1&p=2', '/?p=1'],
    ['/', null],
    ['/?cat=3', null],
    ['/?p=12x', null],
    ['/?p=-1', null],
    ['/?xp=1', null],
    ['/?p=x&page_id=1', null],
    ['/?p[]=1', null],
    [`/?p=${'1'.repeat(21)}`, null],
    ['//blog//?p=1', '//blog/?p=1'],
  ])('reads %j', (url, address) => {
    expect(toNumberedAddress(url)).toBe(address);
  });
});
