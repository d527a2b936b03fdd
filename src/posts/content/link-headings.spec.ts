import { describe, expect, it } from '@jest/globals';
import { linkHeadings } from './link-headings.js';

const ids = (html: string) => [...linkHeadings(html).html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
const heading = (words: string) => `<h2>${words}</h2>`;

describe('linkHeadings', () => {
  it('makes a heading a link to itself, named by its words', () => {
    expect(linkHeadings('<p>a</p><h3 class="ql-align-center">What &amp; <em>why</em>?</h3>').html).toBe(
      '<p>a</p><h3 id="what--why" class="ql-align-center" aria-level="2"><a class="heading-link" href="#what--why">What &amp; <em>why</em>?</a></h3>',
    );
  });

  it.each([
    ['equal words', ['Costs', 'Costs', 'Costs 1', 'Costs'], ['costs', 'costs-1', 'costs-1-1', 'costs-2']],
    ['other scripts', ['כמה זה עולה', 'Über uns', '価格'], ['כמה-זה-עולה', 'über-uns', '価格']],
    ['signs only', ['???', '…'], ['section', 'section-1']],
    ['no word', ['<br>', '&nbsp;', '<picture></picture>'], []],
    [
      'ids of footnotes',
      ['Note', 'Note:', 'Note', 'Note 1', 'note - 1'],
      ['note', 'note--1', 'note--2', 'note-1-1', 'note---1'],
    ],
    [
      'ids of the page',
      ['Main', 'Note 1', 'note-1-place', '_R_1_'],
      ['main-1', 'note-1-1', 'note-1-place-1', '_r_1_-1'],
    ],
    ['a long text', ['😀x'.repeat(100)], ['x'.repeat(80)]],
    [
      'a note and a formula',
      ['A<sup class="post-note" id="n"><a href="#note-1">1</a></sup> <math>x<annotation>\\x</annotation></math>'],
      ['a-x', 'n'],
    ],
  ])('gives headings of %s ids of their own', (_what, words, expected) => {
    expect(ids(words.map(heading).join(''))).toEqual(expected);
  });

  it('puts no link around a link', () => {
    expect(linkHeadings(heading('<a href="/x">There</a>')).html).toBe('<h2 id="there"><a href="/x">There</a></h2>');
  });

  it.each([
    ['as they should be', [2, 3, 4, 2, 3, 3], [2, 3, 4, 2, 3, 3]],
    ['that begin below the first level', [3, 4, 4, 3], [2, 3, 3, 2]],
    ['that leave a level out', [2, 4, 4, 3, 5, 2], [2, 3, 3, 3, 4, 2]],
    ['that begin deep and go up', [4, 3, 2, 6], [2, 2, 2, 3]],
  ])(
    'puts headings %s into an outline without gaps, and leaves them the elements they are',
    (_what, levels, expected) => {
      const html = linkHeadings(levels.map((level) => `<h${level}>a</h${level}>`).join('')).html;
      const found = [...html.matchAll(/<h(\d) id="[^"]*"(?: aria-level="(\d)")?>/g)];
      expect(found.map(([, level]) => Number(level))).toEqual(levels);
      expect(found.map(([, level, depth]) => Number(depth ?? level))).toEqual(expected);
      expect(found.every(([, level, depth]) => level !== depth)).toBe(true);
    },
  );

  it('lists the two upper levels of what stands between blocks', () => {
    const { sections, html } = linkHeadings(
      '<h4>Early</h4><h3>One</h3><h4>&lt;b&gt;</h4><h5>Deep</h5><blockquote><h3>Said</h3></blockquote><h3>Two</h3>',
    );
    expect(sections).toEqual([
      { id: 'early', title: 'Early', parts: [] },
      { id: 'one', title: 'One', parts: [{ id: 'b', title: '<b>' }] },
      { id: 'two', title: 'Two', parts: [] },
    ]);
    expect(html).toContain('<h3 id="said" aria-level="2">');
  });

  it('counts a hundred thousand equal headings in a moment', () => {
    const html = heading('a').repeat(100_000);
    expect(linkHeadings(html).sections.at(-1)?.id).toBe('a-99999');
  });
});
