import type { Site } from '../../src/shared/contracts/site.js';
import type { GlyphName } from '../../src/shared/glyphs.js';

/** A support line for clients (product.md 3.6). */
export interface SupportContact {
  readonly glyph: GlyphName;
  readonly type: string;
  /** As people read it. */
  readonly number: string;
  readonly availability: string;
}

type SupportSite = Pick<Site, 'claims' | 'hours' | 'phone' | 'supportLines' | 'showsPlaceholders'>;

/** Placeholders of product.md 9.1, for lines that are not set. */
const PLACEHOLDERS = { emergency: '(555) 010-0911', general: '(555) 010-0120', accounts: '(555) 010-0130' } as const;

/**
 * The support lines of product.md 9.1. A company that does not claim to be there around the clock shows its
 * office hours on the emergency line. Where there are no placeholders, lines that are not set are left out, and its
 * telephone stands for all of them.
 */
export function supportContactsOf(site: SupportSite): readonly SupportContact[] {
  const { claims, hours, phone, supportLines, showsPlaceholders } = site;
  const numberOf = (line: keyof typeof PLACEHOLDERS) =>
    supportLines[line] ?? (showsPlaceholders ? PLACEHOLDERS[line] : null);
  const lines = [
    {
      glyph: 'clock',
      type: 'Emergency support',
      number: numberOf('emergency'),
      availability: claims.aroundTheClock ? '24/7' : hours,
    },
    { glyph: 'headset', type: 'General support', number: numberOf('general'), availability: 'Mon-Fri 8AM-6PM' },
    { glyph: 'people', type: 'Account manager', number: numberOf('accounts'), availability: 'Mon-Fri 9AM-5PM' },
  ] as const;
  const known = lines.flatMap((line) => (line.number === null ? [] : [{ ...line, number: line.number }]));
  return known.length > 0 ? known : [{ glyph: 'headset', type: 'Support', number: phone, availability: hours }];
}

/** True where a support line of the page is a placeholder. */
export function hasPlaceholderLines({ supportLines, showsPlaceholders }: SupportSite): boolean {
  return showsPlaceholders && Object.values(supportLines).includes(null);
}
