import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { drawShareImage, SHARE_COLORS } from './share-drawing.js';

const company = 'Your IT Team';

/** The paths of the letters, of all that is drawn. */
const lettersOf = (svg: string) => svg.slice(svg.lastIndexOf('<svg'));
const draw = async (title: string, category: string | null = null) =>
  lettersOf(await drawShareImage({ title, category, company }));

/** Björn Ottosson's Oklab, in the light theme all within sRGB. */
function toHex(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const [l, m, s] = [
    (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ] as const;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((value) => {
    const bounded = Math.min(1, Math.max(0, value));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  });
  return `#${Buffer.from(bytes).toString('hex')}`;
}

describe('a drawn share image', () => {
  it('has the colors of the light theme', () => {
    const tokens = readFileSync(new URL('../../client/styles/tokens.css', import.meta.url), 'utf8');
    const colors = Object.keys(SHARE_COLORS).map((name) => {
      const [, ...parts] = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(tokens) ?? [];
      const [lightness = 0, chroma = 0, hue = 0] = parts.map(Number);
      return [name, toHex(lightness, chroma, hue)];
    });
    expect(SHARE_COLORS).toEqual(Object.fromEntries(colors));
  });

  it('writes its texts as paths, which need no font', async () => {
    const svg = await draw('“Größe” in Łódź – <b>5 €</b> & more', 'Networks');
    expect(svg).not.toMatch(/<text|Łódź|<b>/);
    expect(svg).not.toBe(await draw('“Große” in Łódź – <b>5 €</b> & more', 'Networks'));
  });

  it('leaves out a text with letters that the font does not have, and emoji alone', async () => {
    const bare = await draw('');
    expect(await draw('مرحبا hello')).toBe(bare);
    expect(await draw('你好', 'Новости')).toBe(bare);
    expect(await draw('🚀 We moved 👩‍💻🇩🇪')).toBe(await draw('We moved'));
    expect(await draw('Title', '🎉')).toBe(await draw('Title'));
  });

  it('has room for the longest titles and words', async () => {
    for (const title of ['W'.repeat(200), 'word '.repeat(40).trim(), `${'n'.repeat(80)} ${'W'.repeat(80)}`]) {
      const svg = await drawShareImage({ title, category: 'C'.repeat(50), company: 'Company '.repeat(12) });
      const lowest = [...lettersOf(svg).matchAll(/ y="([\d.]+)"[^>]* height="([\d.]+)"/g)].map(
        ([, y, height]) => Number(y) + Number(height),
      );
      expect(Math.max(0, ...lowest.filter((y) => y < 630))).toBeLessThan(428);
    }
  });
});
