import { describe, expect, it } from '@jest/globals';
import { readLink } from './mail-link.js';

const OURS = 'https://site.example';

function read(type: string, redirectTo?: string) {
  const query = new URLSearchParams({ token_hash: 'abc', type, ...(redirectTo ? { redirect_to: redirectTo } : {}) });
  return readLink(`?${query.toString()}`, OURS);
}

describe('readLink', () => {
  it('reads what our mails carry', () => {
    expect(read('signup')).toEqual({ tokenHash: 'abc', type: 'signup', next: '/' });
  });

  it.each(['', '?token_hash=abc', '?type=signup', '?token_hash=&type=signup', '?token_hash=abc&type=toString'])(
    'finds no link in %j',
    (search) => {
      expect(readLink(search, OURS)).toBeNull();
    },
  );

  it('goes on to the page that was asked for, if it is ours', () => {
    expect(read('signup', `${OURS}/pricing?a=1`)?.next).toBe('/pricing?a=1');
    expect(read('magiclink', '/blogs')?.next).toBe('/blogs');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    'https://site.example.evil.example/',
    'https://site.example@evil.example/',
    'https://evil.example\\@site.example/',
    'https://3232235777/',
    'https://site.example//evil.example/',
    'http://site.example/pricing',
    'javascript:alert(1)',
    'https://',
  ])('goes home instead of to %s', (redirectTo) => {
    expect(read('signup', redirectTo)?.next).toBe('/');
  });

  it('lets the password be chosen after a recovery and an invitation, whatever was asked for', () => {
    expect(read('recovery', `${OURS}/pricing`)?.next).toBe('/auth/new-password');
    expect(read('invite')?.next).toBe('/auth/new-password');
  });
});
