import type { GlyphName } from '../../src/shared/glyphs.js';

/** A reason to choose the company, for the Why Choose Us page. */
export interface Benefit {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly description: string;
}

/** The six benefit cards of Why Choose Us (product.md 2.4). */
export const benefits: readonly Benefit[] = [
  {
    glyph: 'price',
    title: 'One flat price',
    description:
      'You pay per user, and you know the rate before the month begins. There are no tiers to compare and no better package that you should have bought.',
  },
  {
    glyph: 'people',
    title: 'Priority for every client',
    description:
      'There is no premium line, because nobody is put on the slow one. The smallest client gets the same attention as the largest.',
  },
  {
    glyph: 'shield',
    title: 'Security at no charge',
    description: 'Top-tier security is part of the service. We never ask you to decide how safe you can afford to be.',
  },
  {
    glyph: 'support',
    title: 'Remote, and at your desk',
    description:
      'Most problems are solved over a connection while you watch. When a job needs hands, a technician comes to your desk.',
  },
  {
    glyph: 'headset',
    title: 'One contact for all of it',
    description:
      'Computers, phones, printers, servers, the network, and the vendors behind them. You tell us, and we find out whose problem it is.',
  },
  {
    glyph: 'chat',
    title: 'Answers in plain English',
    description:
      'We say what is wrong, what it would cost to fix, and what we would do in your place. Then you decide.',
  },
];

/** The mission statement at the end of the Why Choose Us page. */
export const missionStatement =
  'To give every small business the IT department it would build for itself: people who know the office, one fair price, and security that is never an extra.';

/** A sub-page of Why Choose Us, as its overview introduces it. */
export interface WhyTopic {
  /** Key of the address in `paths`. */
  readonly path: 'ourPromise' | 'devices' | 'notSure';
  readonly title: string;
  readonly description: string;
}

/** The three sub-pages of Why Choose Us, in the order of the header's menu. */
export const whyTopics: readonly WhyTopic[] = [
  {
    path: 'ourPromise',
    title: 'Our Promise',
    description: 'Four guarantees that every client gets, whatever the size of the team.',
  },
  {
    path: 'devices',
    title: 'Devices we Support',
    description: 'From the laptop on the desk to the access point in the ceiling.',
  },
  {
    path: 'notSure',
    title: 'Not sure about IT Service?',
    description: 'Four honest doubts that owners tell us about, and what we answer.',
  },
];
