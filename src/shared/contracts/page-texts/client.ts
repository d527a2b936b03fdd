import { card, closing, glyph, headOf, line, shown, text } from './common-fields.js';
import { definePage, type ValuesOf } from './fields.js';

/** Client Resources (product.md 2.8): support lines, and a portal that is not open yet. */
export const clientTexts = definePage('client', {
  ...headOf(
    'Client Resources',
    'For clients of {company}: support lines and their hours, and a first look at the client portal with tickets, guides, devices, reports, and invoices.',
  ),
  lede: text('Introduction', 'What clients reach for, in one place.'),
  notice: {
    ...text(
      'Notice',
      'The client portal isn’t open yet. The buttons and the login form on this page are a preview: they do nothing, and nothing you type here is sent or kept.',
    ),
    hint: 'Buttons and form of this page do nothing, and say so.',
  },
  lines_eyebrow: line('Support lines: line above the heading', 'Support lines', 60),
  lines_title: line('Support lines: heading', 'Who to call, and when'),
  lines: {
    kind: 'list',
    label: 'Support lines',
    hint: 'Their numbers are facts of the company. A line without a number is left out.',
    entry: 'line',
    of: {
      glyph,
      type: { kind: 'line', label: 'Name', limit: 60 },
      number: {
        kind: 'choice',
        label: 'Number',
        options: {
          phone: 'Telephone of the company',
          emergency: 'Emergency line',
          general: 'Support line',
          accounts: 'Line of the account manager',
        },
      },
      availability: { kind: 'line', label: 'When', limit: 160 },
      shown,
    },
    fallback: [
      {
        glyph: 'clock',
        type: 'Emergency support',
        number: 'emergency',
        availability: '24/7',
        shown: 'around_the_clock',
      },
      {
        glyph: 'clock',
        type: 'Emergency support',
        number: 'emergency',
        availability: '{hours}',
        shown: 'not_around_the_clock',
      },
      {
        glyph: 'headset',
        type: 'General support',
        number: 'general',
        availability: 'Mon-Fri 8AM-6PM',
        shown: 'always',
      },
      {
        glyph: 'people',
        type: 'Account manager',
        number: 'accounts',
        availability: 'Mon-Fri 9AM-5PM',
        shown: 'always',
      },
    ],
  },
  resources_eyebrow: line('Resources: line above the heading', 'Resources', 60),
  resources_title: line('Resources: heading', 'What the portal will hold'),
  resources: {
    kind: 'list',
    label: 'Resources',
    entry: 'resource',
    of: { ...card, action: { kind: 'line', label: 'Button', limit: 40 } },
    fallback: [
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
    ],
  },
  actions_title: line('Quick actions: heading', 'Quick actions'),
  actions_lede: text(
    'Quick actions: text',
    'The four things clients ask for most, one press away once the portal opens.',
  ),
  actions: {
    kind: 'lines',
    label: 'Quick actions',
    limit: 40,
    fallback: ['Report an Outage', 'Reset a Password', 'Add a New User', 'Request a Device'],
  },
  login_title: line('Portal login: heading', 'Portal login'),
  login_text: line('Portal login: text', 'A preview. Nothing you type here is sent or kept.'),
  ...closing('Need something today?', 'You don’t need a portal for that. Call, write, or open a ticket.'),
});

/** A support line of clients, whose number is a fact of the company. */
export type SupportLine = ValuesOf<(typeof clientTexts)['fields']['lines']['of']>;
