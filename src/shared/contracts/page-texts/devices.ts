import { card, closing, headOf, line, text } from './common-fields.js';
import { definePage } from './fields.js';

/** Devices we Support (product.md 2.4): categories, and the line between what is supported and what is not. */
export const devicesTexts = definePage('devices', {
  ...headOf(
    'Devices we Support',
    'The devices {company} looks after: computers and laptops, mobile devices, displays, servers, office equipment, and network equipment, whatever the brand.',
  ),
  lede: text('Introduction', 'If your team needs it to work, chances are we already look after one like it.'),
  categories_eyebrow: line('Categories: line above the heading', 'Six categories', 60),
  categories_title: line('Categories: heading', 'From the desk to the server closet'),
  categories: {
    kind: 'list',
    label: 'Categories',
    entry: 'category',
    of: { ...card, devices: { kind: 'lines', label: 'Devices', limit: 120 } },
    fallback: [
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
    ],
  },
  notes_eyebrow: line('Compatibility: line above the heading', 'Compatibility', 60),
  notes_title: line('Compatibility: heading', 'Will it work with what you have?'),
  notes_lede: text('Compatibility: text', 'Almost certainly. Here is where the line runs.'),
  notes: {
    kind: 'list',
    label: 'Compatibility',
    entry: 'note',
    of: {
      term: { kind: 'line', label: 'Subject', limit: 60 },
      description: { kind: 'text', label: 'Answer', limit: 400 },
    },
    fallback: [
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
        description:
          'Lists are never complete. Tell us the maker and model, and we’ll tell you whether we can take it on.',
      },
    ],
  },
  ...closing('Not sure about a device?', 'Send us the maker and the model, and we’ll tell you where you stand.'),
});
