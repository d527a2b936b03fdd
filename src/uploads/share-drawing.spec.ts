import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { toAccentTokens } from '../shared/accent.js';
import { toHex } from '../shared/oklch.js';
import { drawShareImage, SHARE_COLORS } from './share-drawing.js';

const company = 'Your IT Team';

/** The paths of the letters, of all that is drawn. */
const lettersOf = (svg: string) => svg.slice(svg.lastIndexOf('<svg'));
const draw = async (title: string, category: string | null = null) =>
  lettersOf(await drawShareImage({ title, category, company }));

describe('a drawn share image', () => {
  it('has the colors of the light theme', () => {
    const tokens = readFileSync(new URL('../../client/styles/tokens.css', import.meta.url), 'utf8');
    const colors = Object.keys(SHARE_COLORS).map((name) => {
      const [, ...parts] = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(tokens) ?? [];
      const [lightness = 0, chroma = 0, hue = 0] = parts.map(Number);
      return [name, toHex({ lightness, chroma, hue })];
    });
    expect(SHARE_COLORS).toEqual(Object.fromEntries(colors));
  });

  it('has the accent of the company, and nothing of the green then', async () => {
    const subject = { title: 'Title', category: 'Support', company };
    const [green, blue] = [await drawShareImage(subject), await drawShareImage({ ...subject, accent: '#0b4f8a' })];
    const { light } = toAccentTokens('#0b4f8a');
    expect(blue).toContain('fill="#0b4f8a"');
    expect([light.primary, light['ink-panel-accent']].some((color) => blue.includes(`stroke="${color}"`))).toBe(true);
    for (const color of [
      '#00574b',
      SHARE_COLORS.primary,
      SHARE_COLORS['primary-soft'],
      SHARE_COLORS['ink-panel-accent'],
    ])
      expect(blue).not.toContain(color);
    expect(green).toContain('#00574b');
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
