import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { fewOf } from '../../test/support/slow-tests.js';
import {
  accentPairs,
  describeWeakPair,
  examineAccent,
  findReadableAccent,
  findWeakPair,
  SURROUNDINGS,
  toAccentTokens,
  type ThemeName,
} from './accent.js';
import { contrastOf, fromHex, isHexColor, toHex } from './oklch.js';

const tokens = readFileSync(new URL('../../client/styles/tokens.css', import.meta.url), 'utf8');

/** The colors of a theme as the style sheet has them; the dark one names only what differs. */
function readTheme(theme: ThemeName): Record<string, string> {
  const from = theme === 'light' ? 0 : tokens.indexOf(":root[data-theme='dark']");
  const part = tokens.slice(from, theme === 'light' ? tokens.indexOf('@media') : undefined);
  const found = [...part.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(
    ([, name = '', lightness, chroma, hue]) =>
      [name, toHex({ lightness: Number(lightness), chroma: Number(chroma), hue: Number(hue) })] as const,
  );
  return { ...(theme === 'dark' ? readTheme('light') : {}), ...Object.fromEntries(found) };
}

const hues = Array.from({ length: 12 }, (_, hue) => hue * 30);
/** Colors from everywhere: all hues, from pale to black. */
const many = fewOf(hues, (hue) => hue % 90 === 0).flatMap((hue) =>
  [0, 0.06, 0.2, 0.35].flatMap((chroma) =>
    [0, 0.19, 0.21, 0.35, 0.5, 0.7, 1].map((lightness) => toHex({ lightness, chroma, hue })),
  ),
);

describe('an accent', () => {
  it('is measured against the colors that the style sheet has', () => {
    for (const theme of ['light', 'dark'] as const) {
      const colors = readTheme(theme);
      for (const [name, color] of Object.entries(SURROUNDINGS[theme]))
        expect([name, color]).toEqual([name, colors[name]]);
    }
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });

  it('makes of the green that the site comes with nearly the colors that it comes with', () => {
    for (const theme of ['light', 'dark'] as const) {
      const colors = readTheme(theme);
      for (const [name, color] of Object.entries(toAccentTokens('#005e50')[theme])) {
        const [own, made] = [fromHex(colors[name] ?? ''), fromHex(color)];
        expect([name, Math.abs(own.lightness - made.lightness) < 0.015]).toEqual([name, true]);
        expect([name, Math.abs(own.chroma - made.chroma) < 0.015]).toEqual([name, true]);
      }
    }
  });

  it('knows every token of the style that follows from it', () => {
    const inTheStyle = [
      ...new Set<string>(tokens.match(/--(?:primary(?!-foreground)[\w-]*|ring|ink-panel-accent)(?=:)/g) ?? []),
    ];
    expect(
      Object.keys(toAccentTokens('#005e50').light)
        .map((name) => `--${name}`)
        .sort(),
    ).toEqual(inTheStyle.sort());
    expect(Object.keys(toAccentTokens('#005e50').light)).toEqual(
      expect.arrayContaining(
        [...new Set(accentPairs.flatMap(({ front, ground }) => [front, ground]))].filter(
          (name) => !(name in SURROUNDINGS.light),
        ),
      ),
    );
  });

  it('is refused by the name of a pair that is too weak, and never for what follows from it', () => {
    const weak = findWeakPair('#ffe08a');
    expect(weak).toMatchObject({ theme: 'light', label: 'The accent on the page', front: '#ffe08a' });
    expect(describeWeakPair(weak!)).toBe(
      'The accent on the page (#ffe08a on #fcf9f3, light theme) has a contrast of 1.22 to 1, and needs 4.5 to 1',
    );
    for (const color of many) {
      expect(isHexColor(color)).toBe(true);
      const found = findWeakPair(color);
      const own = new Set([color, toAccentTokens(color).light['primary-hover']]);
      // The dark theme can always be read, and so can the quiet colors around the accent.
      if (found !== null)
        expect([color, found.theme, own.has(found.front) || own.has(found.ground)]).toEqual([color, 'light', true]);
      const readable = findReadableAccent(color);
      expect([color, findWeakPair(readable)]).toEqual([color, null]);
      if (found === null) expect(readable).toBe(color);
      for (const { front, ground, least, theme } of examineAccent(readable))
        expect([readable, theme, contrastOf(front, ground) >= least]).toEqual([readable, theme, true]);
    }
  });
});
