import { card, line, shown, text } from './common-fields.js';
import { definePage } from './fields.js';

/** Home (product.md 2.3). */
export const homeTexts = definePage('home', {
  title: line('Title in the browser', 'IT Support for Small and Growing Businesses'),
  description: text(
    'Description for search engines',
    'IT support for small and growing businesses: one flat price per user, priority for every client, security at no charge. Remote {area_remote_small}, on-site in {area_onsite}.',
    320,
  ),
  eyebrow: line('Line above the heading', 'IT support for small and growing businesses', 80),
  tagline: {
    ...line('Heading', 'Your Trusted IT Team - Simple. Reliable. Affordable', 100),
    hint: 'Pictures that links are shared with show it too.',
  },
  lede: text('Introduction', 'One flat price per user. Every client gets priority. Security is never an upgrade.'),
  facts: {
    kind: 'list',
    label: 'Facts below the introduction',
    entry: 'fact',
    of: {
      strong: { kind: 'line', label: 'In bold', limit: 60 },
      text: { kind: 'line', label: 'After it', limit: 80, isOptional: true },
      shown,
    },
    fallback: [
      { strong: 'Up to {price_1}', text: 'per {unit_1}, per {period_1}', shown: 'always' },
      { strong: 'Remote', text: '{area_remote_small}', shown: 'always' },
      { strong: 'On-site', text: 'in {area_onsite}', shown: 'always' },
      { strong: 'Over 100', text: 'businesses trust us', shown: 'clients' },
    ],
  },
  ticket_number: line('Example ticket: name', 'Ticket 4127', 40),
  ticket_title: line('Example ticket: what broke', 'Shared drive gone after an update', 80),
  ticket_who: line('Example ticket: for whom', 'Front desk, three people waiting', 80),
  ticket_steps: {
    kind: 'list',
    label: 'Example ticket: steps',
    entry: 'step',
    of: {
      time: { kind: 'line', label: 'Time', limit: 8 },
      what: { kind: 'line', label: 'In bold', limit: 40 },
      how: { kind: 'line', label: 'After it', limit: 80, isOptional: true },
    },
    fallback: [
      { time: '9:02', what: 'Reported', how: 'by email' },
      { time: '9:05', what: 'Picked up', how: 'by a technician, not a queue' },
      { time: '9:11', what: 'Connected', how: 'remotely, cause found' },
      { time: '9:24', what: 'Fixed', how: 'on all three desks, update held back' },
    ],
  },
  ticket_end: line('Example ticket: how it ended', 'Everyone back at work', 60),
  ticket_cost: line('Example ticket: what it cost', 'No extra charge', 60),
  services_title: line('Services: heading', 'Our Services'),
  services_lede: text('Services: text', 'Everything a small company expects of its own IT department.'),
  services: {
    kind: 'list',
    label: 'Services',
    entry: 'service',
    of: { ...card, features: { kind: 'lines', label: 'Features', limit: 120 } },
    fallback: [
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
    ],
  },
  pricing_title: line('Pricing: heading', 'Our Pricing Model'),
  pricing_lede: text(
    'Pricing: text',
    'One price you can say in a sentence: no tiers, no fee per incident, no upgrade to be taken seriously.',
  ),
  touch_title: line('Get in touch: heading', 'Get In Touch'),
  touch_lede: text(
    'Get in touch: text',
    'Tell us what keeps breaking. A first call is free, and you leave it with a plan whether or not you hire us.',
  ),
  business: {
    ...text(
      'The company in a sentence',
      'IT support for small and growing businesses at one flat price per user.',
      320,
    ),
    hint: 'For search engines.',
  },
});
