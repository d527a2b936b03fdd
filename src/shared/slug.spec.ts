import { describe, expect, it } from '@jest/globals';
import { slugify } from './slug.js';

describe('slugify', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  --Five  settings: that stop 99% -- ', 'five-settings-that-stop-99'],
    ['Café & Crème', 'cafe-creme'],
    ['ALL CAPS_and_underscores', 'all-caps-and-underscores'],
    ['???', ''],
  ])('turns %j into %j', (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });
});
