import { stripVTControlCharacters, styleText } from 'node:util';

const TONES = { good: 'green', notable: 'yellow', bad: 'red', quiet: 'dim', heading: 'bold' } as const;

/** The meaning of a color. Words carry it too, so nothing is lost without colors. */
export type Tone = keyof typeof TONES;

/**
 * The text in the tone's colour where the stream is a terminal that has colours, otherwise as it is. NO_COLOR and
 * TERM=dumb switch colours off, FORCE_COLOR on (no-color.org, force-color.org).
 */
export function paint(tone: Tone, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(TONES[tone], text, { stream });
}

/** How many cells of a terminal's line a text takes, whatever its colours. */
export function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
