import type { GlyphName } from '../../src/shared/glyphs.js';

/** A card of 'Our Services' on the home page. */
export interface Service {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly description: string;
  readonly features: readonly string[];
}

/** The services of the company (product.md 1), in the order in which pages show them. */
export const services: readonly Service[] = [
  {
    glyph: 'support',
    title: 'Hands-on IT support',
    description: 'A person who knows your office, on the phone, on your screen or at the desk.',
    features: ['Priority for every client', 'Remote and on-site', 'One number, one ticket portal'],
  },
  {
    glyph: 'shield',
    title: 'Lite managed solution',
    description: 'The parts of managed IT that a small team really needs, and none of the rest.',
    features: ['Device management', 'Security configuration', 'Vendor management'],
  },
  {
    glyph: 'devices',
    title: 'Device setup, upgrade and maintenance',
    description: 'New machines ready on the first day, older ones kept honest.',
    features: ['Set up before they reach the desk', 'Upgrades planned, not forced', 'Updates and regular upkeep'],
  },
  {
    glyph: 'backup',
    title: 'Data backup',
    description: 'Copies of your work that were tested before you need them.',
    features: ['Automatic and off-site', 'Restores tried, not assumed', 'Mail and cloud files included'],
  },
  {
    glyph: 'chat',
    title: 'IT consulting',
    description: 'Plain answers before you sign, buy or move anything.',
    features: ['Price analysis', 'Compliance management', 'A second opinion on any quote'],
  },
  {
    glyph: 'secretary',
    title: 'All-round IT secretary',
    description: 'Renewals, orders and phone calls to vendors, done for you.',
    features: ['One contact for all of it', 'Renewals kept in a calendar', 'Licenses and logins in order'],
  },
];
