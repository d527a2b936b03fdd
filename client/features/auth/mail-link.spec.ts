import { describe, expect, it } from '@jest/globals';
import { readLink } from './mail-link.js';

const OURS = 'https://site.example';

function read(type: string, redirectTo?: string) {
  const query = new URLSearchParams({ token_hash: 'abc', type, ...(redirectTo ? { redirect_to: redirectTo } : {}) });
  return readLink(`?${query.toString()}`, OURS);
}

describe('readLink', () => {
  it('reads what our mails carry', () => {
    expect(read('signup')).toEqual({ tokenHash: 'abc', type: 'signup', next: '/', state: null, application: null });
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

  it.each(['https://site.example//evil.example/', 'https://site.example/auth/confirm', 'https://'])(
    'goes home instead of to %s',
    (redirectTo) => {
      expect(read('signup', redirectTo)).toMatchObject({ next: '/', application: null });
    },
  );

  // The server decides whether it is allowed, and says where the link leads.
  it.each([
    'https://app.example/',
    'myapp://back',
    '//evil.example/',
    'https://site.example.evil.example/',
    'https://site.example@evil.example/',
    'https://evil.example\\@site.example/',
    'https://3232235777/',
    'http://site.example/pricing',
    'javascript:alert(1)',
  ])('leaves a link that names %s to the server', (redirectTo) => {
    expect(read('signup', redirectTo)).toMatchObject({ next: '/', application: redirectTo });
  });

  it('leaves links that end in a code to the server, for no page of ours asks for one', () => {
    const query = new URLSearchParams({ token_hash: 'pkce_abc', type: 'signup', redirect_to: `${OURS}/pricing` });
    expect(readLink(`?${query.toString()}`, OURS)).toMatchObject({ application: `${OURS}/pricing` });
  });

  it('lets the password be chosen after a recovery and an invitation, whatever was asked for', () => {
    expect(read('recovery', `${OURS}/pricing`)?.next).toBe('/auth/new-password');
    expect(read('invite')).toMatchObject({ next: '/auth/new-password', state: { first: { then: '/' } } });
    expect(read('invite', `${OURS}/admin`)?.state).toEqual({ first: { then: '/admin' } });
    expect(read('invite', `${OURS}//evil.example`)?.state).toEqual({ first: { then: '/' } });
    expect(read('recovery', `${OURS}/admin`)?.state).toBeNull();
  });
});
