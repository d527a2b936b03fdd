import type { SupportLine } from '../../src/shared/contracts/page-texts/client.js';
import type { Site } from '../../src/shared/contracts/site.js';
import type { GlyphName } from '../../src/shared/glyphs.js';
import { shownOf } from '../lib/page-texts.js';

/** A support line for clients (product.md 3.6). */
export interface SupportContact {
  readonly glyph: GlyphName;
  readonly type: string;
  /** As people read it. */
  readonly number: string;
  readonly availability: string;
}

type SupportSite = Pick<Site, 'claims' | 'contactPerson' | 'hours' | 'phone' | 'supportLines' | 'showsPlaceholders'>;

/** Placeholders of product.md 9.1, for lines that are not set. */
const PLACEHOLDERS = { emergency: '(555) 010-0911', general: '(555) 010-0120', accounts: '(555) 010-0130' } as const;

/**
 * The support lines of product.md 9.1 with their numbers. Where there are no placeholders, lines that are not set are
 * left out, and the company's telephone stands for all of them.
 * @param lines in the order of the page
 */
export function supportContactsOf(site: SupportSite, lines: readonly SupportLine[]): readonly SupportContact[] {
  const { hours, phone, supportLines, showsPlaceholders } = site;
  const numberOf = (line: SupportLine['number']) =>
    line === 'phone' ? phone : (supportLines[line] ?? (showsPlaceholders ? PLACEHOLDERS[line] : null));
  const known = shownOf(lines, site).flatMap(({ glyph, type, number: line, availability }) => {
    const number = numberOf(line);
    return number === null ? [] : [{ glyph, type, number, availability }];
  });
  return known.length > 0 ? known : [{ glyph: 'headset', type: 'Support', number: phone, availability: hours }];
}

/** True where a support line of the page is a placeholder. */
export function hasPlaceholderLines(site: SupportSite, lines: readonly SupportLine[]): boolean {
  const isPlaceholder = ({ number }: SupportLine) => number !== 'phone' && site.supportLines[number] === null;
  return site.showsPlaceholders && shownOf(lines, site).some(isPlaceholder);
}
