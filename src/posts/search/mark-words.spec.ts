import { describe, expect, it } from '@jest/globals';
import { cutSnippet, markWords } from './mark-words.js';

const matchesIn = (text: string, stems: readonly string[]) =>
  markWords(text, stems).flatMap(({ text: part, is_match: isMatch }) => (isMatch ? [part] : []));

describe('marks of found words', () => {
  it('are on every form of a word, with or without accents', () => {
    expect(matchesIn('Backups, BACKUP and back-up', ['backup'])).toEqual(['Backups', 'BACKUP', 'back-up']);
    expect(matchesIn('E-Mails, the mail-server and Wi\u2011Fi', ['email', 'mail', 'wifi'])).toEqual([
      'Mails',
      'mail',
      'Wi\u2011Fi',
    ]);
    expect(matchesIn('Our policy and your policies', ['polici'])).toEqual(['policy', 'policies']);
    expect(matchesIn('The Café’s cafe', ['cafe'])).toEqual(['Café’s', 'cafe']);
    expect(matchesIn('A Netz\u00ADwerk', ['netzwerk'])).toEqual(['Netz\u00ADwerk']);
  });

  it('are on forms that do not begin like their stem', () => {
    expect(matchesIn('File sharing: what we share, and shards', ['share'])).toEqual(['sharing', 'share']);
    expect(matchesIn('Using it, used, usually', ['use'])).toEqual(['Using', 'used']);
    expect(matchesIn('Studying studies of a study in a studio', ['studi'])).toEqual([
      'Studying',
      'studies',
      'study',
      'studio',
    ]);
  });

  it('are on whole short words only, but for scripts without blanks', () => {
    expect(matchesIn('OS of Oslo', ['os'])).toEqual(['OS']);
    expect(matchesIn('備份您的資料 before 資料備份', ['備份'])).toEqual(['備份您的資料']);
  });

  it('lose nothing of the text', () => {
    const text = '<b>One</b> & two\nthree ';
    const parts = markWords(text, ['two', 'b']);
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(parts.some((part) => part.text === '')).toBe(false);
  });
});

describe('a piece of a text', () => {
  const long = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`.trim();

  it('is the one around the first find', () => {
    const piece = cutSnippet(long, ['needl']);
    expect(piece).toMatch(/^… before .*needle after .* …$/);
    expect(piece.length).toBeLessThan(200);
  });

  it('is the beginning where nothing is found, and the whole of a short text', () => {
    expect(cutSnippet(long, ['nothing'])).toMatch(/^before before .* …$/);
    expect(cutSnippet('Short text', ['text'])).toBe('Short text');
  });

  it('cuts no character in two and copes with words without an end', () => {
    expect(cutSnippet('😀'.repeat(200), ['x'])).toBe(`${'😀'.repeat(90)} …`);
    // Half of one, at the end and at the beginning.
    expect(cutSnippet(`a${'😀'.repeat(200)}`, ['x'])).toBe(`a${'😀'.repeat(89)} …`);
    expect(cutSnippet(`${'😀'.repeat(100)}!needle`, ['needle'])).toBe(`… ${'😀'.repeat(29)}!needle`);
  });
});
