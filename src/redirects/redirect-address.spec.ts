import { describe, expect, it } from '@jest/globals';
import { pathOfTarget, toPath, toPresentTarget, toTarget } from './redirect-address.js';

const SITE = 'https://www.example.com';

describe('toPath', () => {
  it.each([
    ['/2019/05/backups.html', '/2019/05/backups.html'],
    ['/index.php/post/', '/index.php/post'],
    ['//a///b//', '/a/b'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/café', '/caf%C3%A9'],
    ['/cafe\u0301', '/caf%C3%A9'],
    ['/%7Euser/%61', '/~user/a'],
    ['/a:b,c;d=e@f&g+h$i', '/a:b,c;d=e@f&g+h$i'],
    ['/a%3Ab', '/a:b'],
    ['/one%2Ftwo', '/one%2Ftwo'],
    ['/two words\\x', '/two%20words%5Cx'],
    ['/%25zz', '/%25zz'],
    [' https://Old.example.org:8080/post ', '/post'],
    ['/to/https://old.example.org/post', '/to/https:/old.example.org/post'],
    ['/blogs/old', '/blogs/old'],
    ['/admins', '/admins'],
    ['/%24%26%2B%2C%3B%3D%40%21', '/$&+,;=@!'],
    [`/${'a'.repeat(1999)}`, `/${'a'.repeat(1999)}`],
    ['/Media-kit', '/Media-kit'],
    ['https://old.example.org/?p=12', '/?p=12'],
    ['/café//?page_id=7', '/caf%C3%A9/?page_id=7'],
  ])('writes %j in one way', (text, path) => {
    expect(toPath(text)).toBe(path);
    expect(toPath(path)).toBe(path);
  });

  it.each([
    ['post', 'must begin with a slash'],
    ['', 'must begin with a slash'],
    ['ftp://old.example.org/x', 'must begin with a slash'],
    ['/index.php?p=12', 'must end before a ? or #'],
    ['/?p=12&x=1', 'must end before a ? or #'],
    ['/?p=012', 'must end before a ? or #'],
    ['/?cat=12', 'must end before a ? or #'],
    ['/admin/?p=12', 'the site answers everything under /admin itself'],
    ['/post#top', 'must end before a ? or #'],
    ['/a/../b', 'dots in the place of a name'],
    ['/%2e%2e/b', 'dots in the place of a name'],
    ['/caf%e9', 'not in the percent-encoding of UTF-8'],
    ['/100%', 'not in the percent-encoding of UTF-8'],
    ['/\ud800', 'not in the percent-encoding of UTF-8'],
    ['/a%00b', 'control characters'],
    ['/a\nb', 'control characters'],
    [`/${'ä'.repeat(334)}`, 'too long'],
    [`/${'a'.repeat(2000)}`, 'too long'],
    ['/./b', 'dots in the place of a name'],
    ['/a\x7fb', 'control characters'],
    ['/preview', 'under /preview itself'],
    ['/functions/v1/x', 'under /functions/v1 itself'],
    ['/DEV/mail', 'under /dev/mail itself'],
    ['/robots.txt', 'a page of this site'],
    ['x https://old.example.org/post', 'must begin with a slash'],
    ['/', 'a page of this site'],
    ['https://old.example.org', 'must begin with a slash'],
    ['/About/', 'a page of this site'],
    ['/%61bout', 'a page of this site'],
    ['/Search/', 'a page of this site'],
    ['/rss.xml', 'a page of this site'],
    ['/api/posts', 'under /api itself'],
    ['/auth/v1/token', 'under /auth/v1 itself'],
    ['/assets', 'under /assets itself'],
    ['/media/x.png', 'under /media itself'],
    ['/admin/x', 'under /admin itself'],
  ])('refuses %j', (text, reason) => {
    expect(() => toPath(text)).toThrow(reason);
  });
});

describe('toPresentTarget', () => {
  it.each([
    ['https://www.example.com/team', '/team'],
    ['https://www.example.com//:year/:splat?from=x#top', '/:year/:splat?from=x#top'],
    ['https://www.example.com', '/'],
    ['https://www.example.com/caf%e9', 'https://www.example.com/caf%e9'],
    ['https://other.example.com/team', 'https://other.example.com/team'],
    ['/team', '/team'],
  ])('takes %j for %j', (target, present) => {
    expect(toPresentTarget(target, SITE)).toBe(present);
  });
});

describe('toTarget', () => {
  it.each([
    ['/blogs/new/', '/blogs/new', '/blogs/new'],
    ['/', '/', '/'],
    ['/contact/?topic=a b#form', '/contact?topic=a%20b#form', '/contact'],
    ['/caf%c3%a9', '/caf%C3%A9', '/caf%C3%A9'],
    ['https://www.example.com/blogs/new', '/blogs/new', '/blogs/new'],
    ['https://www.example.com', '/', '/'],
    [' /new ', '/new', '/new'],
    ['http://www.example.com/x', 'http://www.example.com/x', null],
    ['HTTPS://Other.example.com', 'https://other.example.com/', null],
    ['http://other.example.com/%61?b#c', 'http://other.example.com/%61?b#c', null],
  ])('writes %j in one way', (text, target, path) => {
    expect(toTarget(text, SITE)).toBe(target);
    expect(toTarget(target, SITE)).toBe(target);
    expect(pathOfTarget(target)).toBe(path);
  });

  it.each([
    ['//evil.example.com/x', 'must be a path of this site'],
    ['/\\evil.example.com', 'must be a path of this site'],
    ['/\t/evil.example.com', 'control characters'],
    ['/x\r\nset-cookie: a=b', 'control characters'],
    ['javascript:alert(1)', 'must be a path of this site'],
    ['data:text/html,x', 'must be a path of this site'],
    ['blogs/new', 'must be a path of this site'],
    ['https:/x', 'must be a path of this site'],
    ['https://', 'must be a path of this site'],
    ['https://user:secret@other.example.com/', 'a name or password'],
    ['https://user@other.example.com/', 'a name or password'],
    ['https://:secret@other.example.com/', 'a name or password'],
    ['see https://other.example.com/', 'must be a path of this site'],
    ['/caf%e9', 'not in the percent-encoding of UTF-8'],
    [`https://other.example.com/${'a'.repeat(2000)}`, 'too long'],
  ])('refuses %j', (text, reason) => {
    expect(() => toTarget(text, SITE)).toThrow(reason);
  });
});
