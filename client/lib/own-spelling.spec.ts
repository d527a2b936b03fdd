import { describe, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { toOwnSpelling } from './own-spelling.js';

describe('the spelling of a path', () => {
  it.each(['/', '/pricing', '/why-choose-us/our-promise', paths.blog('c++'), paths.blog('あ'), '/a%2Fb'])(
    'stays %s',
    (path) => {
      expect(toOwnSpelling(path)).toBe(path);
    },
  );

  it.each([
    ['/blogs/c++', paths.blog('c++')],
    ['/blogs/%e3%81%82', paths.blog('あ')],
    ['/%70ricing', paths.pricing],
    ['/blogs/tag/a,b/2', '/blogs/tag/a%2Cb/2'],
  ])('of %s is %s', (path, own) => {
    expect(toOwnSpelling(path)).toBe(own);
  });

  it('is left alone where nobody can read it', () => {
    expect(toOwnSpelling('/%E0')).toBe('/%E0');
  });
});
