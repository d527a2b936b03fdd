import type { GlyphName } from '../../src/shared/glyphs.js';

/** A card of the Client Resources page; its button does nothing yet (product.md 2.8). */
export interface ClientResource {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly description: string;
  readonly action: string;
}

/** The six resource cards of the Client Resources page. */
export const clientResources: readonly ClientResource[] = [
  {
    glyph: 'ticket',
    title: 'Support tickets',
    description: 'Every request you have open with us, and what is happening to it.',
    action: 'View Tickets',
  },
  {
    glyph: 'book',
    title: 'Knowledge base',
    description: 'Short guides to the things people ask about most.',
    action: 'Browse Guides',
  },
  {
    glyph: 'support',
    title: 'Remote support',
    description: 'Let a technician see your screen, for as long as you allow it.',
    action: 'Start a Session',
  },
  {
    glyph: 'devices',
    title: 'Your devices',
    description: 'What we look after for you, with its age and its warranty.',
    action: 'View Devices',
  },
  {
    glyph: 'shield',
    title: 'Security and backup',
    description: 'The state of protection and backups across the team.',
    action: 'View Reports',
  },
  {
    glyph: 'price',
    title: 'Billing',
    description: 'Invoices, payment details, and the number of users on your plan.',
    action: 'View Invoices',
  },
];

/** The quick-action buttons of the Client Resources page; they do nothing yet either. */
export const quickActions: readonly string[] = [
  'Report an Outage',
  'Reset a Password',
  'Add a New User',
  'Request a Device',
];

/** Notices of the page: the portal behind its buttons does not exist yet. */
export const portalNotice = {
  /** Stands on the page at all times. */
  standing:
    'The client portal isn’t open yet. The buttons and the login form on this page are a preview: they do nothing, and nothing you type here is sent or kept.',
  /** Appears when a button is pressed. */
  pressed: 'This part of the portal isn’t open yet, so nothing happened.',
  /** Appears when the login form is used. */
  login: 'The portal isn’t open yet. Nothing was sent or kept, and the form has been cleared.',
} as const;
