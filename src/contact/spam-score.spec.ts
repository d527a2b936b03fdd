import { describe, expect, it } from '@jest/globals';
import { looksLikeSpam } from './spam-score.js';

const spam = Array.from(
  { length: 10 },
  (_, n) => `Dear owner ${n}, our SEO service gets backlinks and first page ranking`,
);
const genuine = Array.from(
  { length: 10 },
  (_, n) => `Hello, the printer in room ${n} is broken. Can you come to our office?`,
);

describe('looksLikeSpam', () => {
  it('goes by the words of texts that were decided', () => {
    expect(looksLikeSpam('Cheap backlinks! Our SEO team promises ranking on the first page', { spam, genuine })).toBe(
      true,
    );
    expect(looksLikeSpam('Our printer is broken, can you come?', { spam, genuine })).toBe(false);
    expect(
      looksLikeSpam('Somebody promised us SEO; our printer in the office is broken, can you come to the room?', {
        spam,
        genuine,
      }),
    ).toBe(false);
  });

  it('says nothing about words that nobody has decided about, and before ten texts of each kind', () => {
    expect(looksLikeSpam('Quelque chose de tout nouveau', { spam, genuine })).toBe(false);
    expect(looksLikeSpam('', { spam, genuine })).toBe(false);
    expect(looksLikeSpam(spam[0] ?? '', { spam: spam.slice(1), genuine })).toBe(false);
    expect(looksLikeSpam(spam[0] ?? '', { spam, genuine: genuine.slice(1) })).toBe(false);
  });

  it('does not take a text that repeats one word for more than one word', () => {
    expect(looksLikeSpam('owner '.repeat(300), { spam, genuine })).toBe(looksLikeSpam('owner', { spam, genuine }));
  });
});
