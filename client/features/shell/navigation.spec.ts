import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { toAriaCurrent } from './navigation.js';

describe('a link to the current page', () => {
  it.each([
    ['/about', '/about', 'page'],
    ['/about', '/about//', 'page'],
    ['/', '/', 'page'],
    ['/blogs', '/blogs/a-post/', 'true'],
    ['/blogs', '/blogs//a-post', 'true'],
    ['/', '/about', undefined],
    ['/blog', '/blogs', undefined],
  ])('%s on %s is %s', (to, pathname, expected) => {
    expect(toAriaCurrent(to, pathname)).toBe(expected);
  });

  it('is found in time on an address of as many slashes as a request can hold', () => {
    const pathname = `/x${'/'.repeat(15_000)}y`;
    // A page asks for some forty links; with the square of the slashes that were seconds.
    const askAll = () => Array.from({ length: 40 }, () => toAriaCurrent('/about', pathname));
    expect(leastProcessorTime(() => void askAll(), 1000)).toBeLessThanOrEqual(1000);
  });
});
