import type { Site } from '../../src/shared/contracts/site.js';
import type { GlyphName } from '../components/glyphs.js';

/** A support line for clients (product.md 3.6). */
export interface SupportContact {
  readonly glyph: GlyphName;
  readonly type: string;
  /** As people read it; the numbers are placeholders. */
  readonly number: string;
  readonly availability: string;
}

/**
 * The support lines of product.md 9.1. A company that does not claim to be there around the clock shows its
 * office hours on the emergency line.
 */
export function supportContactsOf({ claims, hours }: Pick<Site, 'claims' | 'hours'>): readonly SupportContact[] {
  return [
    {
      glyph: 'clock',
      type: 'Emergency support',
      number: '(555) 010-0911',
      availability: claims.aroundTheClock ? '24/7' : hours,
    },
    { glyph: 'headset', type: 'General support', number: '(555) 010-0120', availability: 'Mon-Fri 8AM-6PM' },
    { glyph: 'people', type: 'Account manager', number: '(555) 010-0130', availability: 'Mon-Fri 9AM-5PM' },
  ];
}
