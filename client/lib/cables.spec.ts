import { describe, expect, it } from '@jest/globals';
import { drawCableLine, drawCover, hashText } from './cables.js';

const seeds = Array.from({ length: 200 }, (_, index) => `Security/Post number ${index}`);

describe('hashText', () => {
  it('gives the published values of FNV-1a', () => {
    expect(hashText('')).toBe(0x811c9dc5);
    expect(hashText('foobar')).toBe(0xbf9cf968);
  });
});

describe.each([
  { name: 'drawCover', draw: (seed: string) => drawCover(seed, 320) },
  { name: 'drawCableLine', draw: drawCableLine },
])('$name', ({ draw }) => {
  it('draws the same for the same seed, as server and browser must agree', () => {
    for (const seed of seeds) expect(draw(seed)).toEqual(draw(seed));
  });

  it('draws differently for different seeds', () => {
    expect(new Set(seeds.map((seed) => JSON.stringify(draw(seed)))).size).toBeGreaterThan(190);
  });

  it('lights exactly one lamp', () => {
    for (const seed of seeds) expect(draw(seed).lamps.filter((lamp) => lamp.isLit)).toHaveLength(1);
  });
});

describe('drawCover', () => {
  it('keeps every lamp inside the cover', () => {
    for (const { x, y } of seeds.flatMap((seed) => drawCover(seed, 320).lamps)) {
      expect(x).toBeGreaterThan(6);
      expect(x).toBeLessThan(314);
      expect(y).toBeGreaterThan(6);
      expect(y).toBeLessThan(174);
    }
  });
});
