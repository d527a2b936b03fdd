import { describe, expect, it } from '@jest/globals';
import { toLoggedPath } from './logged-path.js';

describe('toLoggedPath', () => {
  it.each([
    ['/blogs/first', '/blogs/first'],
    ['/auth/confirm?token_hash=secret', '/auth/confirm'],
    ['/preview/secret', '/preview/...'],
    ['/api/previews/secret?x=1', '/api/previews/...'],
    ['/PREVIEW/secret', '/preview/...'],
    ['/%70review/secret', '/preview/...'],
    ['//preview//secret', '/preview/...'],
    ['/%ff/x#secret', '/%ff/x'],
    ['/a\u009b2J?x', '/a%C2%9B2J'],
  ])('says of %s only %s', (url, logged) => {
    expect(toLoggedPath(url)).toBe(logged);
  });
});
