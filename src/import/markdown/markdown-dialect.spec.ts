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
  expect(dialectOf({ generator, values })).toEqual({ bareAddresses, hasSigns });
});

it('reads what nobody knows as GitHub does', () => {
  expect(dialectOf(null)).toEqual({ bareAddresses: 'all', hasSigns: true });
});
