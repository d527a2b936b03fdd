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
    ['/%61bout', '/about'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/caf\xc3\xa9', '/caf%C3%A9'],
    ['/caf\xe9', '/caf%25e9'],
    ['/a%2fb%3fc%25d', '/a%2Fb%3Fc%25d'],
    ['/a%252Fb', '/a%252Fb'],
    ['/a%2bb+c', '/a%2Bb+c'],
    ['/"<a>|{b}', '/%22%3Ca%3E%7C%7Bb%7D'],
    ['/@vite/client?v=1', '/@vite/client?v=1'],
    ['/%00', '/%00'],
    ['/.well-known/x', '/.well-known/x'],
    ['/a/../about', '/about'],
    ['/a/%2E%2e/about', '/about'],
    ['/./about/.', '/about/'],
    ['/about/x/..', '/about/'],
    ['/../../about', '/about'],
    ['/..', '/'],
    ['/x/..//evil.example/', '/evil.example/'],
    ['/..%2fabout', '/..%2Fabout'],
    ['/..about', '/..about'],
  ])('%s is read as %s', (target, path) => {
    expect(readTarget(target)).toBe(path);
    expect(readTarget(path)).toBe(path);
  });
});
