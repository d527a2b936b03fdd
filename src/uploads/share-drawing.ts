import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createElement, type CSSProperties, type ReactNode } from 'react';
import satori, { type Font } from 'satori';
import { toAccentTokens } from '../shared/accent.js';
import { COVER_HEIGHT, drawCover, drawDisk, toneOf, type CoverTone } from '../shared/cables.js';
import { findCoverSubject } from '../shared/cover-subject.js';
import { glyphs } from '../shared/glyphs.js';
import { SHARE_IMAGE_SIZE } from '../shared/share-images.js';

/** The texts of a drawn share image. */
export interface ShareDrawing {
  readonly title: string;
  readonly category: string | null;
  /** Name of the company. */
  readonly company: string;
  /** Color of the company's accent; the one that the site comes with if it is absent. */
  readonly accent?: string | undefined;
  /** The room that the company's logo takes, in the place of the drawn mark; it is laid over the drawing. */
  readonly logo?: { readonly width: number; readonly hasName: boolean } | undefined;
}

/** The tokens of client/styles/tokens.css that the drawing uses, in the light theme; a test compares them. */
export const SHARE_COLORS = {
  background: '#fcf9f3',
  foreground: '#0c2222',
  muted: '#f2efe7',
  'muted-foreground': '#495b5a',
  border: '#dbd6cd',
  primary: '#005e50',
  'primary-soft': '#d7f1e8',
  signal: '#f6a835',
  'signal-soft': '#fdeacc',
  'ink-panel': '#0b2524',
  'ink-panel-accent': '#64d6b5',
} as const;

const COVER_GROUNDS: Record<CoverTone, keyof typeof SHARE_COLORS> = {
  green: 'primary-soft',
  paper: 'muted',
  amber: 'signal-soft',
  ink: 'ink-panel',
};

const { width: WIDTH, height: HEIGHT } = SHARE_IMAGE_SIZE;
const MARGIN = 64;
/** The upper edge of the cover: below the title, or below the name of the company if no title can be written. */
const COVER_TOP = { withTitle: 428, withoutTitle: 148 };
const TITLE_HEIGHT = 264;
const LINE_HEIGHT = 1.12;
const SMALLEST_TITLE = 43;
/** Sizes of the title in pixels, by its length in characters. */
const TITLE_SIZES = [
  { upTo: 60, size: 72 },
  { upTo: 100, size: 58 },
  { upTo: 140, size: 48 },
  { upTo: Infinity, size: SMALLEST_TITLE },
];
/** Characters of a word, and of a title, beyond which the title is small and fills its lines, as it needs the room. */
const LONG_WORD = 24;
const LONG_TITLE = 100;

/** The mark of the site, as in client/assets/favicon.svg. */
const MARK_GROUND = '#00574b';
const MARK =
  '<path d="M9 20v-5a7 7 0 0 1 14 0v5" fill="none" stroke="#f6fcf8" stroke-width="2.4" stroke-linecap="round"/>' +
  '<rect x="6.8" y="18" width="5" height="7" rx="2" fill="#f6fcf8"/>' +
  '<rect x="20.2" y="18" width="5" height="7" rx="2" fill="#f6fcf8"/>' +
  '<circle cx="16" cy="24.6" r="1.9" fill="#f0a63c"/>';
const MARK_SIZE = 52;
/** The room of the company's logo on the drawing, in pixels. */
export const LOGO_PLACE = { left: MARGIN, top: MARGIN - 8, width: 420, height: MARK_SIZE };

/** Decoration, which no font here has: pictographs, flags, and what joins or varies them; and signs without a shape. */
const UNDRAWN = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\uFE00-\uFE0F\u20E3]|\p{Cf}/gu;

/**
 * Draws a share image as SVG whose letters are paths. A text with characters that the font does not have is left out,
 * as boxes in the place of letters would be worse; emoji are left out of their text.
 */
export async function drawShareImage(drawing: ShareDrawing): Promise<string> {
  const { category } = drawing;
  const title = await writableOrNull(drawing.title);
  const texts = {
    title,
    category: await writableOrNull(category ?? ''),
    company: drawing.logo?.hasName ? null : await writableOrNull(drawing.company),
  };
  const top = title === null ? COVER_TOP.withoutTitle : COVER_TOP.withTitle;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${SHARE_COLORS.background}"/>`,
    drawGround(drawing, top),
    drawing.logo === undefined ? drawMark(drawing.accent ?? MARK_GROUND) : '',
    (await toPaths(layOut(texts, drawing.logo?.width ?? MARK_SIZE))).svg,
    '</svg>',
  ].join('');
}

function drawMark(ground: string): string {
  const place = `x="${LOGO_PLACE.left}" y="${LOGO_PLACE.top}" width="${MARK_SIZE}" height="${MARK_SIZE}"`;
  return `<svg ${place} viewBox="0 0 32 32"><rect x="1" y="1" width="30" height="30" rx="8" fill="${ground}"/>${MARK}</svg>`;
}

/** The cover of the post's card, from `top` to the lower edge. */
function drawGround({ title, category, accent }: ShareDrawing, top: number): string {
  const colors = accent === undefined ? SHARE_COLORS : { ...SHARE_COLORS, ...toAccentTokens(accent).light };
  const height = HEIGHT - top;
  const width = Math.round((WIDTH / height) * COVER_HEIGHT);
  const { paths, lamps, lit } = drawCover(`${category ?? ''}/${title}`, width);
  const tone = toneOf(category);
  const cable = colors[tone === 'ink' ? 'ink-panel-accent' : 'primary'];
  const ground = colors[COVER_GROUNDS[tone]];
  const scale = height / COVER_HEIGHT;
  return [
    `<svg y="${top}" width="${WIDTH}" height="${height}" viewBox="0 0 ${width} ${COVER_HEIGHT}" `,
    `preserveAspectRatio="xMidYMid slice" fill="none" stroke-linejoin="round" stroke="${cable}">`,
    `<rect x="-8" y="-8" width="${width + 16}" height="${COVER_HEIGHT + 16}" stroke="none" `,
    `fill="${ground}"/>`,
    `<g stroke-opacity="0.38" stroke-width="${4 / scale}">${paths.map((path) => `<path d="${path}"/>`).join('')}</g>`,
    `<g stroke-width="${18 / scale}" stroke-linecap="round"><path d="${lamps}"/>`,
    `<path d="${lit}" stroke="${SHARE_COLORS.signal}"/></g>`,
    // A glyph of 40 by 40, as on cards (client/styles/blog.css); pages have no category.
    category === null ? '' : `<path d="${drawDisk(width)}" fill="${ground}" stroke-width="${4 / scale}"/>`,
    category === null
      ? ''
      : `<path d="${glyphs[findCoverSubject(category)]}" stroke-width="${4 / scale / 1.45}" stroke-linecap="round" ` +
        `transform="translate(${width / 2 - 29} ${COVER_HEIGHT / 2 - 29}) scale(1.45)"/>`,
    `</svg>`,
    `<rect y="${top}" width="${WIDTH}" height="2" fill="${SHARE_COLORS.border}"/>`,
  ].join('');
}

/** The texts of a drawing as they are written; null for one that is left out. */
type Written = Readonly<Record<'title' | 'category' | 'company', string | null>>;

function layOut({ title, category, company }: Written, markWidth: number): ReactNode {
  return box(
    { flexDirection: 'column', width: '100%', height: '100%', padding: MARGIN, color: SHARE_COLORS.foreground },
    box(
      { height: MARK_SIZE, marginTop: -8, alignItems: 'center', justifyContent: 'space-between', fontSize: 30 },
      text(
        { ...ONE_LINE, maxWidth: 620 + MARK_SIZE - markWidth, marginLeft: markWidth + 18, fontWeight: 600 },
        company,
      ),
      text({ ...ONE_LINE, maxWidth: 340, color: SHARE_COLORS['muted-foreground'], fontWeight: 500 }, category),
    ),
    box({ height: TITLE_HEIGHT, marginTop: 30, alignItems: 'center' }, text(titleStyle(title ?? ''), title)),
  );
}

const ONE_LINE: CSSProperties = { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' };

function titleStyle(title: string): CSSProperties {
  const hasLongWord = title.split(' ').some((word) => word.length > LONG_WORD);
  const byLength = TITLE_SIZES.find(({ upTo }) => title.length <= upTo)?.size ?? SMALLEST_TITLE;
  const size = hasLongWord ? SMALLEST_TITLE : byLength;
  return {
    maxWidth: '100%',
    fontSize: size,
    fontWeight: 600,
    lineHeight: LINE_HEIGHT,
    letterSpacing: '-0.015em',
    wordBreak: 'break-word',
    textWrap: hasLongWord || title.length > LONG_TITLE ? 'wrap' : 'balance',
    lineClamp: Math.floor(TITLE_HEIGHT / (size * LINE_HEIGHT)),
  };
}

function box(style: CSSProperties, ...children: ReactNode[]): ReactNode {
  return createElement('div', { style: { display: 'flex', ...style } }, ...children);
}

function text(style: CSSProperties, value: string | null): ReactNode {
  return createElement('div', { style: { display: 'block', ...style } }, value ?? '');
}

/** Returns the text without emoji; null if nothing is left, or a letter of it has no shape in the font. */
async function writableOrNull(value: string): Promise<string | null> {
  const written = value.replace(UNDRAWN, '').replace(/\s+/gu, ' ').trim();
  if (written === '') return null;
  const { isWhole } = await toPaths(text({ fontWeight: 600 }, written));
  return isWhole ? written : null;
}

async function toPaths(element: ReactNode): Promise<{ readonly svg: string; readonly isWhole: boolean }> {
  const missing: string[] = [];
  const svg = await satori(box({ width: '100%', height: '100%', fontFamily: FAMILY }, element), {
    ...SHARE_IMAGE_SIZE,
    fonts: fonts(),
    // Asked for what no font has.
    loadAdditionalAsset: async (_language, segment) => {
      missing.push(segment);
      return [];
    },
  });
  return { svg, isWhole: missing.length === 0 };
}

const SUBSETS = ['latin', 'latin-ext'] as const;
const WEIGHTS = [500, 600] as const;
const FAMILY = SUBSETS.join(', ');

let loadedFonts: Font[] | undefined;

/** The family of the site, of which satori reads no variable file. */
function fonts(): Font[] {
  const { resolve } = createRequire(import.meta.url);
  return (loadedFonts ??= SUBSETS.flatMap((subset) =>
    WEIGHTS.map((weight): Font => {
      const file = resolve(`@fontsource/instrument-sans/files/instrument-sans-${subset}-${weight}-normal.woff`);
      return { name: subset, data: readFileSync(file), weight, style: 'normal' };
    }),
  ));
}
