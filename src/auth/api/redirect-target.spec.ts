import { describe, expect, it } from '@jest/globals';
import { readRedirectPatterns } from '../../config/redirect-patterns.js';
import { chooseRedirect, isRedirectAllowed } from './redirect-target.js';

const rules = {
  siteUrl: 'https://it.example',
  publicUrl: 'https://accounts.it.example',
  redirects: readRedirectPatterns([
    ...['https://*.apps.example/**', 'myapp://callback', 'https://{one,two}.example/back?', 'http://192.168.1.5/*'],
  ]).patterns,
};

describe('isRedirectAllowed', () => {
  it.each([
    'https://it.example',
    'https://it.example/blogs?page=2#top',
    'https://accounts.it.example/auth/new-password',
    'http://127.0.0.1:4000/x',
    'http://[::1]:4000/',
    'https://shop.apps.example/a/b.c',
    'https://two.example/backX',
    'myapp://callback#later',
    'http://192.168.1.5/x',
  ])('allows %s', (address) => expect(isRedirectAllowed(address, rules)).toBe(true));

  it.each([
    'http://it.example',
    'https://it.example:8443',
    'https://accounts.it.example:8443/',
    'https://it.example.evil.example',
    'https://evil.example/https://it.example',
    'https://it.example@evil.example/',
    'https://user:pass@it.example/',
    'https://it.example\\@evil.example',
    '//evil.example',
    '/path',
    'https:it.example',
    'https:///it.example',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'javascript:alert(1)',
    'JavaScript://it.example/%0aalert(1)',
    'data:text/html,x',
    'https://it.example\n.evil.example',
    ' https://it.example',
    'https://a.b.apps.example/x',
    'https://[2001:db8::1]?x.apps.example/a',
    'https://evil.example?.apps.example/a',
    'http://3232235781/x',
    'ws://127.0.0.1/',
    'myapp://me@callback',
    'https://three.example/backX',
    'https://one.example/back/',
    'myapp://callback/evil',
    'https://ït.example/',
    '',
  ])('refuses %s', (address) => expect(isRedirectAllowed(address, rules)).toBe(false));

  it('does not let a list that allows everything allow scripts', () => {
    const all = { ...rules, redirects: readRedirectPatterns(['**']).patterns };
    expect(isRedirectAllowed('https://anywhere.example/', all)).toBe(true);
    expect(isRedirectAllowed('javascript:alert(1)', all)).toBe(false);
  });

  it('ignores the port of a site on this machine', () => {
    const local = { siteUrl: 'http://localhost:3000', publicUrl: 'http://localhost:3000', redirects: [] };
    expect(isRedirectAllowed('http://localhost:5173/x', local)).toBe(true);
    expect(isRedirectAllowed('https://localhost:5173/x', local)).toBe(false);
  });
});

describe('chooseRedirect', () => {
  it('takes the first that is allowed, else the site', () => {
    expect(chooseRedirect(['https://evil.example', 'https://it.example/b'], rules)).toBe('https://it.example/b');
    expect(chooseRedirect([undefined, '', '//evil.example'], rules)).toBe('https://it.example');
  });
});
