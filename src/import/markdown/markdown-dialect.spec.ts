import { expect, it } from '@jest/globals';
import { dialectOf } from './markdown-dialect.js';

it.each([
  ['jekyll', {}, 'none', false],
  ['jekyll', { markdown: 'CommonMarkGhPages' }, 'all', true],
  ['zola', {}, 'none', true],
  ['hugo', {}, 'after-spaces', true],
  ['hugo', { markup: { goldmark: { extensions: { Linkify: false } } } }, 'none', true],
  ['hugo', { markup: { goldmark: { extensions: { linkify: true } } } }, 'after-spaces', true],
] as const)('reads the Markdown of %s with %j', (generator, values, bareAddresses, hasSigns) => {
  expect(dialectOf({ configuration: { generator, values, prefix: '', folder: '' }, conventions: null })).toEqual({
    bareAddresses,
    hasSigns,
  });
});

it.each([
  ['eleventy', false, 'none'],
  ['eleventy', true, 'all'],
  ['astro', false, 'all'],
] as const)('reads the Markdown of %s', (generator, isLinking, bareAddresses) => {
  const conventions = { generator, base: '', input: '', isLinking };
  expect(dialectOf({ configuration: null, conventions })).toEqual({ bareAddresses, hasSigns: true });
});

it('reads what nobody knows as GitHub does', () => {
  expect(dialectOf({ configuration: null, conventions: null })).toEqual({ bareAddresses: 'all', hasSigns: true });
});
