import { remember } from './remember.js';

/** A drawing of patch cables: data of SVG paths. */
export interface CableDrawing {
  readonly paths: readonly string[];
  /** Lamps on the cables: lines without length, which are dots for their round ends. */
  readonly lamps: string;
  /** The one lamp that is lit. */
  readonly lit: string;
}

/** FNV-1a: the same text gives the same number on the server and in every browser. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A repeatable source of whole numbers from 0 to below `limit` (mulberry32). */
function createDice(seed: string): (limit: number) => number {
  let state = hashText(seed);
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function shuffle<T>(items: readonly T[], roll: (limit: number) => number): T[] {
  const pool = [...items];
  return items.flatMap(() => pool.splice(roll(pool.length), 1));
}

/** Up to four of the places, none too close to another; the first one is lit. */
function pickLamps(
  places: readonly { x: number; y: number }[],
  distance: number,
  roll: (limit: number) => number,
): Pick<CableDrawing, 'lamps' | 'lit'> {
  const picked: { x: number; y: number }[] = [];
  for (const place of shuffle(places, roll)) {
    if (picked.every(({ x, y }) => Math.hypot(x - place.x, y - place.y) >= distance)) picked.push(place);
  }
  const [lit, ...lamps] = picked.slice(0, 4).map(({ x, y }) => `M${x} ${y}h0`);
  return { lamps: lamps.join(''), lit: lit ?? '' };
}

/** Lanes that cables run in, as fractions of the height. */
const coverLanes = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6];

/** Grounds of drawn covers. */
const tones = ['green', 'paper', 'amber', 'ink'] as const;

/** A ground of drawn covers. */
export type CoverTone = (typeof tones)[number];

/** Returns the ground of a post's cover; a category always has the same one. */
export function toneOf(category: string | null): CoverTone {
  return tones[hashText(category ?? '') % tones.length] ?? tones[0];
}

/** Height of the drawing of {@link drawCover}. */
export const COVER_HEIGHT = 180;

/** Radius of the disk in the middle of a cover, which stands before the cables. */
const COVER_DISK = 44;

/**
 * Draws the cables of a post's cover, 180 high and as wide as asked: three that change lanes twice, with their lamps
 * beside the disk in the middle.
 */
export const drawCover = remember((seed: string, width: number) => `${width} ${seed}`, workOutCover);

function workOutCover(seed: string, width: number): CableDrawing {
  const roll = createDice(seed);
  const lanesAt = [0, 1, 2].map(() => shuffle(coverLanes, roll));
  const corners: { x: number; y: number }[] = [];
  const paths = [0, 1, 2].map((cable) => {
    const [first = 0, second = 0, third = 0] = lanesAt.map((lanes) => Math.round((lanes[cable] ?? 0) * COVER_HEIGHT));
    const stops = [
      { x: Math.round(width * (0.14 + roll(8) * 0.028)), from: first, to: second },
      { x: Math.round(width * (0.55 + roll(8) * 0.028)), from: second, to: third },
    ];
    let path = `M-4 ${first}`;
    for (const { x, from, to } of stops) {
      if (from === to) continue;
      const end = x + Math.round(Math.abs(to - from) * 0.6);
      path += `H${x}L${end} ${to}`;
      corners.push(roll(2) === 0 ? { x, y: from } : { x: end, y: to });
    }
    corners.push({ x: 24 + roll(3) * 8, y: first }, { x: width - 24 - roll(3) * 8, y: third });
    return `${path}H${width + 4}`;
  });
  const isBesideDisk = ({ x, y }: { x: number; y: number }) =>
    Math.hypot(x - width / 2, y - COVER_HEIGHT / 2) > COVER_DISK + 14;
  return { paths: [paths.join('')], ...pickLamps(corners.filter(isBesideDisk), 24, roll) };
}

/** Draws the disk in the middle of a cover of that width. */
export function drawDisk(width: number): string {
  return `M${width / 2} ${COVER_HEIGHT / 2 - COVER_DISK}a${COVER_DISK} ${COVER_DISK} 0 1 1-.1 0z`;
}
