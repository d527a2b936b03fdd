import { expect, it } from '@jest/globals';
import { dialectOf, hasFormulas } from './markdown-dialect.js';

it.each([
  ['jekyll', {}, 'none', { hasSigns: false, isOfKramdown: true, showsUnusedNotes: false }],
  ['jekyll', { markdown: 'CommonMarkGhPages' }, 'all', { showsUnusedNotes: false }],
  // Hexo, whose configuration has the same name.
  ['jekyll', { new_post_name: ':title.md' }, 'all', { showsUnusedNotes: false }],
  ['zola', {}, 'none', { hasSigns: false, hasDefinitions: false, isOfZola: true }],
  ['zola', { markdown: { definition_list: true } }, 'none', { hasSigns: false, hasDefinitions: true, isOfZola: true }],
  ['hugo', {}, 'after-spaces', { showsUnusedNotes: false }],
  ['hugo', { markup: { goldmark: { extensions: { Linkify: false } } } }, 'none', { showsUnusedNotes: false }],
  ['hugo', { markup: { goldmark: { extensions: { linkify: true } } } }, 'after-spaces', { showsUnusedNotes: false }],
] as const)('reads the Markdown of %s with %j', (generator, values, bareAddresses, rest) => {
  expect(dialectOf({ configuration: { generator, values, prefix: '', folder: '' }, conventions: null })).toEqual({
    bareAddresses,
    hasSigns: true,
    ...rest,
  });
});

it.each([
  ['eleventy', false, 'none', { hasIndentedCode: false }],
  ['eleventy', true, 'all', { hasIndentedCode: false }],
  ['astro', false, 'all', {}],
] as const)('reads the Markdown of %s', (generator, isLinking, bareAddresses, rest) => {
  const conventions = { generator, base: '', input: '', isLinking };
  expect(dialectOf({ configuration: null, conventions })).toEqual({
    bareAddresses,
    hasSigns: true,
    showsUnusedNotes: false,
    ...rest,
  });
});

it.each([
  [{ math: true }, null, {}, true],
  [{ params: { KaTeX: 'true' } }, 'hugo', {}, true],
  [{ extra: { katex: true } }, 'zola', {}, true],
  [{}, 'jekyll', { mathjax: true }, true],
  [{ mathjax: false }, 'jekyll', { mathjax: true }, false],
  [{}, 'hugo', { params: { math: true } }, true],
  [
    {},
    'hugo',
    { markup: { goldmark: { extensions: { passthrough: { delimiters: { inline: [['$', '$']] } } } } } },
    true,
  ],
  [{}, 'hugo', {}, false],
  [{}, null, {}, false],
] as const)('finds out that there are formulas: %j, %s, %j', (frontMatter, generator, values, expected) => {
  const site = generator === null ? null : { generator, values, prefix: '', folder: '' };
  expect(hasFormulas(frontMatter, site)).toBe(expected);
});

it('reads what nobody knows as GitHub does', () => {
  expect(dialectOf({ configuration: null, conventions: null })).toEqual({ bareAddresses: 'all', hasSigns: true });
});
