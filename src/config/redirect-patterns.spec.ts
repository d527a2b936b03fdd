import { describe, expect, it } from '@jest/globals';
import { readRedirectPatterns } from './redirect-patterns.js';

function isAdmitted(pattern: string, address: string): boolean {
  const { patterns, problems } = readRedirectPatterns([pattern]);
  expect(problems).toEqual([]);
  return patterns.some((one) => one.matches(new URL(address)));
}

describe('a pattern for addresses that links may lead to', () => {
  it.each([
    ['https://app.example', 'https://app.example/'],
    ['https://app.example', 'https://APP.example:443'],
    ['https://app.example/**', 'https://app.example/a/b.c?d=/e.f'],
    ['https://app.example/*', 'https://app.example/back?code=1'],
    ['https://app.example/back?next=*', 'https://app.example/back?next=a'],
    ['https://app.example/zurück', 'https://app.example/zurück'],
    ['https://*.app.example/**', 'https://a-1.app.example/'],
    ['https://preview-*.app.example/', 'https://preview-12.app.example'],
    ['https://**.app.example/**', 'https://a.b.app.example/x'],
    ['https://{a,b{1,2}}.example/{x,y}', 'https://b2.example/y'],
    ['{https://a.example,myapp:/}/back', 'myapp://back'],
    ['http{,s}://app.example', 'http://app.example'],
    ['https://app-[0-9].example', 'https://app-7.example'],
    ['https://app-[!0-9].example', 'https://app-x.example'],
    ['https://app.example/\\*', 'https://app.example/*'],
    ['https://app.example:8443/**', 'https://app.example:8443/x'],
    ['http://localhost:*/**', 'http://localhost:5173/x'],
    ['http://localhost:*/**', 'http://localhost/x'],
    ['http://localhost*/**', 'http://localhost:5173/x'],
    ['http://192.168.1.5:3000/**', 'http://192.168.1.5:3000/x'],
    ['http://192.168.*.*:3000/**', 'http://192.168.1.5:3000/x'],
    ['https://[2001:DB8:0::1]/**', 'https://[2001:db8::1]/x'],
    ['https://bücher.example/**', 'https://xn--bcher-kva.example/x'],
    ['https://**', 'https://app.example:8443/x?y'],
    ['**', 'http://app.example/'],
    ['**', 'myapp://callback'],
    ['myapp://callback', 'myapp://callback#later'],
    ['myapp://callback/*', 'myapp://callback/a?b=c'],
    ['myapp://*/a', 'myapp://callback/a'],
    ['myapp://**', 'myapp://callback/a?b=c'],
    ['myapp:/**', 'myapp://callback/a'],
    ['com.example.app:/back', 'com.example.app:/back'],
    ['com.example.*://back', 'com.example.app://back'],
    ['exp://192.168.1.5:*/--/**', 'exp://192.168.1.5:19000/--/x'],
    ['exp://**', 'exp://192.168.1.5:19000'],
  ])('%s admits %s', (pattern, address) => expect(isAdmitted(pattern, address)).toBe(true));

  it.each([
    ['https://*.example.com/**', 'https://[2001:db8::1]?x.example.com/a'],
    ['https://*.example.com/**', 'https://[2001:db8::1]/?x.example.com/a'],
    ['https://*.example.com/**', 'https://evil.example?x.example.com/a'],
    ['https://*.example.com/**', 'https://evil.example#x.example.com/a'],
    ['https://*.example.com/**', 'https://a.b.example.com/a'],
    ['https://*.example.com/**', 'https://example.com/a'],
    ['https://*.example.com/**', 'https://a.example.com.evil.example/a'],
    ['https://*.example.com/**', 'https://a.example.com:8443/a'],
    ['https://*.example.com/**', 'http://a.example.com/a'],
    ['https://**.example.com/**', 'https://[::1]?.example.com/'],
    ['https://app[^x]example.com/', 'https://app.example.com/'],
    ['https://app[!-/]example.com', 'https://app.example.com/'],
    ['https://**', 'https://10.0.0.1/'],
    ['https://**/**', 'https://[2001:db8::1]/'],
    ['**', 'https://10.0.0.1/'],
    ['https://*.*.*.*/**', 'https://10.0.0.1/'],
    ['http://192.168.1.*/**', 'http://192.168.1.example/'],
    ['https://app.example/a/*', 'https://app.example/a/../secret'],
    ['https://app.example/a/**', 'https://app.example/a/%2e%2E/secret'],
    ['https://app.example/*', 'https://app.example/a/b'],
    ['https://app.example/back', 'https://app.example/back?next=x'],
    ['https://app.example', 'https://app.example/?next=x'],
    ['http://localhost:3000/**', 'http://localhost:3001/x'],
    ['myapp://callback', 'myapp://callback/evil'],
    ['myapp://callback', 'myapp-evil://callback'],
    ['my*://callback', 'https://callback'],
  ])('%s does not admit %s', (pattern, address) => expect(isAdmitted(pattern, address)).toBe(false));

  it.each([
    ['*.example.com/**', 'it has no scheme; put https:// or another one in front'],
    ['localhost:3000/**', 'it has no scheme; put https:// or another one in front'],
    ['*', 'it has no scheme; put https:// or another one in front'],
    ['https://example.com**', 'in a host, ** stands for whole names, as in **.example.com; a path begins with /'],
    ['https://example.com?x=1', 'its host cannot be read'],
    ['https://{a.example', 'it has half a pair of braces'],
    ['https://me@app.example', 'it has a user name'],
    ['https://[2001:db8::zz]/', 'its host is no IPv6 address'],
    ['https://[1:2]/', 'its host is no IPv6 address'],
    ['https://app.example:80a/', 'its port cannot be read; a path begins with /'],
    ['https://app.example:3000**', 'its port cannot be read; a path begins with /'],
    ['https://app.example/[z-a]', '[z-a] is no choice of characters'],
    ['https://bü*.example/', 'bü* cannot be part of a host'],
  ])('that cannot be read is named, and the others count: %s', (pattern, reason) => {
    const { patterns, problems } = readRedirectPatterns([pattern, 'https://app.example']);
    expect(problems).toEqual([`${pattern} admits nothing: ${reason}`]);
    expect(patterns.map(({ text }) => text)).toEqual(['https://app.example']);
  });
});
