import { codeLanguages } from '../../../../src/shared/code-languages.js';
import type { Choice } from './toolbar-parts.js';

/** The page's title is the first heading: those of a text begin at the second level. */
export const headings: readonly Choice[] = [
  ['', 'Paragraph'],
  ['2', 'Heading'],
  ['3', 'Subheading'],
  ['4', 'Heading 4'],
  ['5', 'Heading 5'],
  ['6', 'Heading 6'],
];

export const alignments: readonly Choice[] = [
  ['', 'Left'],
  ['center', 'Center'],
  ['right', 'Right'],
  ['justify', 'Justified'],
];

export const fonts: readonly Choice[] = [
  ['', 'Sans serif'],
  ['serif', 'Serif'],
  ['monospace', 'Monospace'],
];

export const sizes: readonly Choice[] = [
  ['small', 'Small'],
  ['', 'Normal'],
  ['large', 'Large'],
  ['huge', 'Huge'],
];

/** Text colors, each readable on white paper, on which the dark theme puts colored words. */
export const colors: readonly Choice[] = [
  ['', 'Text color: none'],
  ['#a10000', 'Dark red'],
  ['#e60000', 'Red'],
  ['#b2560d', 'Orange'],
  ['#7a5c00', 'Ochre'],
  ['#006100', 'Dark green'],
  ['#008000', 'Green'],
  ['#0047b2', 'Dark blue'],
  ['#0066cc', 'Blue'],
  ['#6b24b2', 'Purple'],
  ['#5f6368', 'Gray'],
];

export const backgrounds: readonly Choice[] = [
  ['', 'Highlight: none'],
  ['#ffff99', 'Yellow'],
  ['#ffebcc', 'Orange'],
  ['#facccc', 'Red'],
  ['#cce8cc', 'Green'],
  ['#cce0f5', 'Blue'],
  ['#ebd6ff', 'Purple'],
  ['#e0e0e0', 'Gray'],
];

/** Languages that are colored, by the name under which posts have them. */
export const languages: readonly Choice[] = [['plain', 'Plain text'], ...codeLanguages];
