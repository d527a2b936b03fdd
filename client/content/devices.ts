import type { GlyphName } from '../../src/shared/glyphs.js';

/** A kind of device, with examples (product.md 3.6). */
export interface DeviceCategory {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly description: string;
  readonly devices: readonly string[];
}

/** The six categories of Devices we Support, in the order of product.md 2.4. */
export const deviceCategories: readonly DeviceCategory[] = [
  {
    glyph: 'computer',
    title: 'Computers and laptops',
    description: 'The machines your people sit in front of all day.',
    devices: [
      'Windows desktops and laptops',
      'MacBook, iMac, and Mac mini',
      'Linux workstations',
      'Chromebooks',
      'All-in-one PCs',
      'Thin clients',
    ],
  },
  {
    glyph: 'phone',
    title: 'Mobile devices',
    description: 'Company mail and files in a pocket, set up safely.',
    devices: [
      'iPhones',
      'Android phones',
      'iPads',
      'Android tablets',
      'Rugged handhelds and scanners',
      'Mobile hotspots',
    ],
  },
  {
    glyph: 'display',
    title: 'Displays and peripherals',
    description: 'Everything that plugs in and ought to just work.',
    devices: [
      'Monitors and multi-screen desks',
      'Docking stations and hubs',
      'Keyboards and mice',
      'Webcams and headsets',
      'Projectors and meeting-room screens',
      'External drives',
    ],
  },
  {
    glyph: 'server',
    title: 'Servers and infrastructure',
    description: 'The boxes in the closet that nobody should have to think about.',
    devices: [
      'Windows servers',
      'Linux servers',
      'Virtual machines',
      'Network storage (NAS)',
      'Backup appliances',
      'Battery backups (UPS)',
    ],
  },
  {
    glyph: 'office',
    title: 'Office equipment',
    description: 'Shared machines that stop everyone when they stop.',
    devices: [
      'Printers',
      'Copiers and scanners',
      'Label and receipt printers',
      'Desk phones',
      'Conference phones',
      'Point-of-sale terminals',
    ],
  },
  {
    glyph: 'network',
    title: 'Network equipment',
    description: 'What carries everything else from desk to desk and out of the door.',
    devices: ['Routers and modems', 'Switches', 'Firewalls', 'Wi-Fi access points', 'VPN gateways', 'Patch panels'],
  },
];

/** One line of the compatibility summary: a question about fit and its answer. */
export interface CompatibilityNote {
  readonly term: string;
  readonly description: string;
}

/** The compatibility summary of the Devices we Support page. */
export const compatibilityNotes: readonly CompatibilityNote[] = [
  { term: 'Systems', description: 'Windows, macOS, Linux, ChromeOS, iOS and iPadOS, and Android.' },
  {
    term: 'Makers',
    description: 'We aren’t tied to a brand. Mixed offices are normal, and we support what you already own.',
  },
  {
    term: 'Age',
    description:
      'As long as the maker still sends security updates, we keep it running. When that ends, we say so and help you plan a replacement.',
  },
  {
    term: 'Not listed',
    description: 'Lists are never complete. Tell us the maker and model, and we’ll tell you whether we can take it on.',
  },
];
