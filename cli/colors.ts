import { stripVTControlCharacters, styleText } from 'node:util';

const TONES = { good: 'green', notable: 'yellow', bad: 'red', quiet: 'dim', heading: 'bold' } as const;

/** The meaning of a color. Words carry it too, so nothing is lost without colors. */
export type Tone = keyof typeof TONES;

/**
 * The text in the tone's color where the stream is a terminal that has colors, otherwise as it is. NO_COLOR and
 * TERM=dumb switch colors off, FORCE_COLOR on (no-color.org, force-color.org).
 */
export function paint(tone: Tone, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(TONES[tone], text, { stream });
}

/** Returns the number of cells that a text takes in a terminal's line, without its colors. */
export function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
