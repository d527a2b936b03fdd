import { describe, expect, it } from '@jest/globals';
import { parseUrl } from './parse-url.js';

describe('parseUrl', () => {
  it('reads addresses, and those that begin where another one is', () => {
    expect(parseUrl('https://Site.example:443/a')?.href).toBe('https://site.example/a');
    expect(parseUrl('b?c', 'https://site.example/a')?.href).toBe('https://site.example/b?c');
  });

  it.each([['/a'], ['https://'], ['http://[::1'], ['']])('finds none in %j', (text) => {
    expect(parseUrl(text)).toBeNull();
  });
});
