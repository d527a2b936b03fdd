import { describe, expect, it } from '@jest/globals';
import { foldText, readQuery, toTitleKeys, toTolerantKeys, toVariants, wordsOf } from './search-words.js';

describe('words of a search', () => {
  it('are small letters without accents, in any script', () => {
    expect(wordsOf('Café, NAÏVE: Łódź/Straße 7 “Don’t”')).toEqual(['cafe', 'naive', 'łodz', 'straße', '7', 'dont']);
    expect(wordsOf('גיבוי של קבצים / النسخ')).toEqual(['גיבוי', 'של', 'קבצים', 'النسخ']);
    // Signs without width: where a word may be broken or may not, and what joins the letters of Indic scripts.
    expect(wordsOf('Netz\u00ADwerk un\u2060til a\uFEFFway ക്\u200Dഷ')).toEqual(['netzwerk', 'until', 'away', 'കഷ']);
    expect(wordsOf('user@host.example 802.11ax')).toEqual(['user', 'host', 'example', '802', '11ax']);
  });

  it.each([
    ['Back up', { words: ['back', 'up'], text: 'back up', isUnfinished: false }],
    ['backu', { words: ['backu'], text: 'backu', isUnfinished: true }],
    ['old "Mail  server" log', { text: 'old "mail server" log', isUnfinished: false }],
    ['„Mail server“', { text: '"mail server"', isUnfinished: false }],
    ['ab', { isUnfinished: false }],
    // Words of two signs, in a sentence without blanks.
    ['備份', { words: ['備份'], isUnfinished: true }],
    ['バックアップ 復', { isUnfinished: true }],
    ['Wi-Fi', { words: ['wi', 'fi'], text: 'wifi or wi fi', plain: 'wifi or wi fi', isUnfinished: false }],
    [
      'my e-mail serv',
      { text: 'my email serv or my e mail serv', before: 'my email or my e mail', isUnfinished: true },
    ],
    ['"e-mail server"', { text: '"e mail server"', plain: 'email server or e mail server' }],
    // The second mark is not typed yet.
    ['"mail serv', { text: 'mail serv', isUnfinished: true }],
    [`-a & !(b) :* | 'c`, { text: 'a b c', isUnfinished: false }],
  ])('are read from %j', (typed, query) => {
    expect(readQuery(typed)).toMatchObject(query);
  });

  it('are one word as well where a hyphen or a sign without width parts them', () => {
    expect(wordsOf('Wi-Fi e\u2011mail')).toEqual(['wi', 'fi', 'e', 'mail', 'wifi', 'email']);
    expect(wordsOf('می\u200Cخواهم ភាសា\u200Bខ្មែរ')).toEqual(
      ['می', 'خواهم', 'ភាសា', 'ខ្មែរ', 'میخواهم', 'ភាសាខ្មែរ'].map(foldText),
    );
    expect(wordsOf('in- and output – so--so')).toEqual(['in', 'and', 'output', 'so', 'so']);
  });

  it('are ten at most, and none in signs alone', () => {
    expect(readQuery('x '.repeat(30))?.words).toHaveLength(10);
    expect(readQuery('x-y-z '.repeat(30))?.words).toHaveLength(10);
    expect(readQuery('"" :* ()')).toBeNull();
  });
});

describe('words that are alike', () => {
  it.each([
    ['backup', 'bakcup'],
    ['backup', 'bckup'],
    ['backup', 'bacckup'],
    ['backup', 'backop'],
    ['гость', 'госьт'],
  ])('%s and %s have a variant in common', (word, typed) => {
    const variants = new Set(toVariants(word));
    expect(toVariants(typed).some((variant) => variants.has(variant))).toBe(true);
  });

  it('are no short ones, and have no more variants than compared letters', () => {
    expect(toVariants('cat')).toEqual(['cat']);
    expect(toVariants('x'.repeat(100))).toHaveLength(2);
    expect(toVariants('abcdefghijklmnopqrstuvwxyz0123456789')).toHaveLength(25);
    expect(toTitleKeys('A cat, a CAT')).toEqual(['a', 'cat']);
  });

  it('are asked for by the words of a query that are long enough', () => {
    expect(toTolerantKeys(readQuery('the bakcup')!)).toHaveLength(1);
    expect(toTolerantKeys(readQuery('it is so')!)).toBeNull();
  });
});
