import { describe, expect, it } from '@jest/globals';
import { drawCover, hashText } from './cables.js';

const seeds = Array.from({ length: 200 }, (_, index) => `Security/Post number ${index}`);

describe('hashText', () => {
  it('gives the published values of FNV-1a', () => {
    expect(hashText('')).toBe(0x811c9dc5);
    expect(hashText('foobar')).toBe(0xbf9cf968);
  });
});

describe('drawCover', () => {
  const draw = (seed: string) => drawCover(seed, 320);

  it('draws the same for the same seed, as server and browser must agree', () => {
    for (const seed of seeds) expect(draw(seed)).toEqual(draw(seed));
  });

  it('draws differently for different seeds', () => {
    expect(new Set(seeds.map((seed) => JSON.stringify(draw(seed)))).size).toBeGreaterThan(190);
  });

  it('lights exactly one lamp', () => {
    for (const seed of seeds) expect(draw(seed).lit).toMatch(/^M\d+ \d+h0$/);
  });

  it('keeps every lamp inside the cover', () => {
    const drawings = seeds.map(draw);
    const lamps = drawings.flatMap(({ lamps, lit }) => [...(lamps + lit).matchAll(/M(\d+) (\d+)h0/g)]);
    expect(lamps.length).toBeGreaterThan(seeds.length * 2);
    for (const [x = 0, y = 0] of lamps.map(([, ...numbers]) => numbers.map(Number))) {
      expect(x).toBeGreaterThan(6);
      expect(x).toBeLessThan(314);
      expect(y).toBeGreaterThan(6);
      expect(y).toBeLessThan(174);
    }
  });
});
