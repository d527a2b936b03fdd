import { contrastOf, fromHex, toHex, type Oklch } from './oklch.js';

/** A theme of the site. */
export type ThemeName = 'light' | 'dark';

/** The colors of one theme that follow from the accent, by the names of their tokens (client/styles/tokens.css). */
export type AccentTokens = Readonly<
  Record<'primary' | 'primary-hover' | 'primary-soft' | 'ring' | 'ink-panel-accent', string>
>;

/** The tokens beside which the accent stands, as client/styles/tokens.css has them; a test compares them. */
export const SURROUNDINGS = {
  light: {
    background: '#fcf9f3',
    card: '#fffefb',
    muted: '#f2efe7',
    foreground: '#0c2222',
    'muted-foreground': '#495b5a',
    'primary-foreground': '#f8fdfa',
    'ink-panel': '#0b2524',
  },
  dark: {
    background: '#0d1a1a',
    card: '#142222',
    muted: '#192827',
    foreground: '#eeede4',
    'muted-foreground': '#abb6ad',
    'primary-foreground': '#021d1a',
    'ink-panel': '#061111',
  },
} as const;

type Token = keyof AccentTokens | keyof (typeof SURROUNDINGS)['light'];

/** Two colors that stand on each other somewhere in the style. */
interface Pair {
  readonly front: Token;
  readonly ground: Token;
  /** The least contrast: of text 4.5, of edges, lamps and other signs 3 (WCAG 2.2, AA). */
  readonly least: 3 | 4.5;
  /** Its name for people. */
  readonly label: string;
}

/** Every pair of colors in the style sheets of which one follows from the accent. */
export const accentPairs: readonly Pair[] = [
  { front: 'primary', ground: 'background', least: 4.5, label: 'The accent on the page' },
  { front: 'primary', ground: 'card', least: 4.5, label: 'The accent on cards' },
  { front: 'primary', ground: 'muted', least: 4.5, label: 'The accent on grey ground' },
  { front: 'primary', ground: 'primary-soft', least: 4.5, label: 'The accent on its pale tone' },
  { front: 'primary-foreground', ground: 'primary', least: 4.5, label: 'Words on buttons' },
  { front: 'primary-foreground', ground: 'primary-hover', least: 4.5, label: 'Words on buttons under the pointer' },
  { front: 'foreground', ground: 'primary-soft', least: 4.5, label: 'Text on the pale tone' },
  { front: 'muted-foreground', ground: 'primary-soft', least: 4.5, label: 'Quiet text on the pale tone' },
  { front: 'ink-panel-accent', ground: 'ink-panel', least: 4.5, label: 'The accent in code' },
  { front: 'ring', ground: 'background', least: 3, label: 'The ring around what has the focus' },
  { front: 'ring', ground: 'card', least: 3, label: 'That ring on cards' },
  { front: 'ring', ground: 'muted', least: 3, label: 'That ring on grey ground' },
  { front: 'ring', ground: 'primary-soft', least: 3, label: 'That ring on the pale tone' },
];

/** A pair in one theme, as an accent makes it. */
export interface AccentFinding {
  readonly theme: ThemeName;
  readonly label: string;
  readonly front: string;
  readonly ground: string;
  readonly least: number;
  /** The contrast that was found, from 1 to 21. */
  readonly ratio: number;
}

/**
 * Makes the colors of both themes of an accent. The light theme has it as it is; the dark one the same hue as light as
 * text on dark ground has to be. What lies around it is as far away from it as around the green that the site comes with.
 */
export function toAccentTokens(accent: string): Readonly<Record<ThemeName, AccentTokens>> {
  const base = fromHex(accent);
  const { lightness, chroma, hue } = base;
  const strong: Oklch = { lightness: 0.8, chroma: Math.min(0.13, chroma * 1.4), hue };
  const bright = toHex(strong);
  return {
    light: {
      primary: accent,
      // Black has nothing below it.
      'primary-hover': toHex({ ...base, lightness: lightness > 0.2 ? lightness - 0.06 : lightness + 0.1 }),
      'primary-soft': toHex({ lightness: 0.938, chroma: Math.min(0.03, chroma * 0.36), hue }),
      ring: toHex({ lightness: 0.55, chroma: Math.min(0.11, chroma * 1.33), hue }),
      'ink-panel-accent': bright,
    },
    dark: {
      primary: bright,
      'primary-hover': toHex({ ...strong, lightness: 0.86, chroma: strong.chroma * 0.87 }),
      'primary-soft': toHex({ lightness: 0.305, chroma: Math.min(0.045, chroma * 0.54), hue }),
      ring: toHex({ lightness: 0.74, chroma: Math.min(0.12, chroma * 1.45), hue }),
      'ink-panel-accent': bright,
    },
  };
}

/** Measures every pair of both themes. */
export function examineAccent(accent: string): AccentFinding[] {
  const tokens = toAccentTokens(accent);
  return (['light', 'dark'] as const).flatMap((theme) => {
    const colors: Readonly<Record<Token, string>> = { ...SURROUNDINGS[theme], ...tokens[theme] };
    return accentPairs.map(({ front, ground, least, label }) => ({
      theme,
      label,
      least,
      front: colors[front],
      ground: colors[ground],
      ratio: contrastOf(colors[front], colors[ground]),
    }));
  });
}

/** The first pair that has not enough contrast, the plainest ones first; null where all have. */
export function findWeakPair(accent: string): AccentFinding | null {
  return examineAccent(accent).find(({ ratio, least }) => ratio < least) ?? null;
}

/** Says which pair is too weak, and how weak; one that is too weak is never rounded to what is needed. */
export function describeWeakPair({ theme, label, front, ground, ratio, least }: AccentFinding): string {
  const found = Math.floor(ratio * 100) / 100;
  return `${label} (${front} on ${ground}, ${theme} theme) has a contrast of ${found} to 1, and needs ${least} to 1`;
}

/** The nearest color of the same hue that can be read everywhere; the color itself if it can. */
export function findReadableAccent(accent: string): string {
  const base = fromHex(accent);
  for (let step = 0; step <= 200; step += 1) {
    const color = step === 0 ? accent : toHex({ ...base, lightness: Math.max(0, base.lightness - step / 200) });
    if (findWeakPair(color) === null) return color;
  }
  return '#000000';
}
