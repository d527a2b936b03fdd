import { canonicalColor } from '../html/color.js';

/** Colors that say no more than "text" and "paper". */
const plainNames =
  /^(?:black|white|windowtext|canvastext|canvas|window|inherit|initial|currentcolor|auto|transparent|)$/;
/** Below this, a color is meant as black; above the other, as white. */
const DARKEST = 60;
const LIGHTEST = 235;

/**
 * Takes fonts, sizes, margins and all else away that a program says about the looks of a text, and keeps what an author
 * meant: weight, slant, lines, raised and lowered text, alignment, and colors other than those of text and paper.
 */
export function cleanLook(element: HTMLElement): void {
  const { style } = element;
  // Word keeps several blanks in a row as blanks that do not break.
  if (/mso-spacerun/.test(element.getAttribute('style') ?? '')) element.textContent = ' ';
  const kept: Record<string, string> = {};
  const weight = style.fontWeight;
  if (/^(?:bold|bolder|[6-9]00)$/.test(weight) && !/^H\d$/.test(element.tagName)) kept['font-weight'] = 'bold';
  if (/italic|oblique/.test(style.fontStyle)) kept['font-style'] = 'italic';
  const line = `${style.textDecoration} ${style.textDecorationLine}`;
  const isLink = element.tagName === 'A' || element.closest('a') !== null || element.querySelector('a') !== null;
  const lines = [/underline/.test(line) && !isLink && 'underline', /line-through/.test(line) && 'line-through'];
  if (lines.some(Boolean)) kept['text-decoration'] = lines.filter(Boolean).join(' ');
  if (/^(?:center|right|justify)$/.test(style.textAlign)) kept['text-align'] = style.textAlign;
  if (!isPlain(style.color) && !isLink) kept['color'] = style.color;
  if (!isPlain(style.backgroundColor)) kept['background-color'] = style.backgroundColor;
  // The direction is an attribute, wherever it was written.
  if (style.direction === 'rtl') element.dir = 'rtl';
  const raise = style.verticalAlign;
  element.removeAttribute('style');
  for (const [name, value] of Object.entries(kept)) style.setProperty(name, value);
  if (raise === 'super' || raise === 'sub') wrapInside(element, raise === 'super' ? 'sup' : 'sub');
}

function isPlain(written: string): boolean {
  const color = canonicalColor(written);
  if (plainNames.test(color) || /^rgba\(.*, 0\)$/.test(color)) return true;
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(color)?.slice(1) ?? [];
  const levels = digits.map((part) => Number.parseInt(part, 16));
  if (levels.length === 0) return false;
  return levels.every((level) => level <= DARKEST) || levels.every((level) => level >= LIGHTEST);
}

function wrapInside(element: HTMLElement, tag: string): void {
  if (element.matches('td, th, img')) return;
  const wrapper = element.ownerDocument.createElement(tag);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}
