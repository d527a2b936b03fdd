import { describe, expect, it } from '@jest/globals';
import { readTarget } from './request-target.js';

describe('the target of a request', () => {
  it.each([
    ['/', '/'],
    ['/blogs/a-post?x=%E0%A4%A', '/blogs/a-post?x=%E0%A4%A'],
    ['/blogs/caf%C3%A9', '/blogs/caf%C3%A9'],
    ['//', '/'],
    ['///?a=//', '/?a=//'],
    ['//evil.example/x', '/evil.example/x'],
    ['/\\/evil.example/x', '/evil.example/x'],
    ['/a//b', '/a//b'],
    ['http://evil.example', '/'],
    ['http://evil.example/about?a=1', '/about?a=1'],
    ['http://evil.example?a=1', '/?a=1'],
    ['*', '/*'],
    ['', '/'],
    ['about', '/about'],
    ['/a\\b/', '/a%5Cb/'],
    ['/%', '/%25'],
    ['/%E0%A4%A', '/%25E0%25A4%25A'],
    ['/caf%C3%A9/%ED%A0%80', '/caf%25C3%25A9/%25ED%25A0%2580'],
  ])('%s is read as %s', (target, path) => {
    expect(readTarget(target)).toBe(path);
    expect(readTarget(path)).toBe(path);
  });
});
