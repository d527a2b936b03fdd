import { card, closing, headOf, line, text } from './common-fields.js';
import { definePage } from './fields.js';

/** Why Choose Us (product.md 2.4): benefits, mission, ways on. */
export const whyTexts = definePage('whyChooseUs', {
  ...headOf(
    'Why Choose Us?',
    'Six reasons small businesses choose {company}: one flat price, priority for every client, security at no charge, and one contact for everything with a plug.',
  ),
  lede: text('Introduction', 'Because IT should be the part of your day that you don’t think about.'),
  benefits_eyebrow: line('Benefits: line above the heading', 'Six good reasons', 60),
  benefits_title: line('Benefits: heading', 'What changes when we look after it'),
  benefits: {
    kind: 'list',
    label: 'Benefits',
    entry: 'benefit',
    of: card,
    fallback: [
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
        description:
          'Top-tier security is part of the service. We never ask you to decide how safe you can afford to be.',
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
    ],
  },
  mission_eyebrow: line('Mission: line above the heading', 'Our mission', 60),
  mission_title: line('Mission: heading', 'What we are here for'),
  mission: text(
    'Mission',
    'To give every small business the IT department it would build for itself: people who know the office, one fair price, and security that is never an extra.',
    600,
  ),
  topics_eyebrow: line('Pages below: line above the heading', 'Look closer', 60),
  topics_title: line('Pages below: heading', 'Three things people ask first'),
  topic_promise: text(
    'Pages below: Our Promise',
    'Four guarantees that every client gets, whatever the size of the team.',
  ),
  topic_devices: text(
    'Pages below: Devices we Support',
    'From the laptop on the desk to the access point in the ceiling.',
  ),
  topic_doubts: text(
    'Pages below: Not sure about IT Service?',
    'Four honest doubts that owners tell us about, and what we answer.',
  ),
  ...closing('Ask us the hard questions', 'The first conversation is free, and you’re welcome to bring your doubts.'),
});
