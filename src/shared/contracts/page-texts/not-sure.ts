import { closing, headOf, text } from './common-fields.js';
import { definePage, type ValuesOf } from './fields.js';

/** Not sure about IT Service? (product.md 2.4): doubts with answers. */
export const notSureTexts = definePage('notSure', {
  ...headOf(
    'Not sure about IT Service?',
    'Too small, too expensive, already covered, nothing broken: four honest doubts about paying for IT service, answered plainly and without a sales pitch.',
  ),
  lede: text(
    'Introduction',
    'Doubt is reasonable. These are the four doubts we hear most, and what we honestly answer.',
  ),
  doubts: {
    kind: 'list',
    label: 'Doubts',
    entry: 'doubt',
    of: {
      doubt: { kind: 'line', label: 'The doubt, in the words of a customer', limit: 160 },
      short: { kind: 'line', label: 'The answer in a line', limit: 160 },
      answer: { kind: 'text', label: 'The answer', limit: 1000 },
    },
    fallback: [
      {
        doubt: 'We’re too small to need IT service.',
        short: 'If one broken laptop stops the work, you’re big enough.',
        answer:
          'In a small team there is no spare desk and no spare person, so a single failure hurts more, not less. You pay per user, so a small company pays a small amount, and it gets the same priority as everyone else.',
      },
      {
        doubt: 'It will cost more than it’s worth.',
        short: 'You know the price before you decide.',
        answer:
          '{plan_1} is up to {price_1} per {unit_1} per {period_1}, where average providers charge {market_from} to {market_to} in several tiers. If you only need your machines looked after, {plan_2} is up to {price_2} per {unit_2} per {period_2}. Only applications or hardware may add to that. Then think of a day when nobody can work.',
      },
      {
        doubt: 'We already have someone who’s good with computers.',
        short: 'Keep them. We give them their own job back.',
        answer:
          'The colleague everybody asks was usually hired for something else. We take over the updates, the backups, the passwords, and the calls to vendors. They stay the person who knows the business, and we become the people they call.',
      },
      {
        doubt: 'Nothing is broken right now.',
        short: 'That is the best time to start.',
        answer:
          'A backup has to exist before the disk fails, and security has to be set up before the wrong link is clicked. Calm weeks are when this work is quick and quiet. Talk to us now, and if there’s nothing to do, we’ll say so.',
      },
    ],
  },
  ...closing('Still not sure?', 'Tell us your doubt. If you’re better off without us, we’ll say so.'),
});

/** A doubt in a customer's words, and the company's answer. */
export type Doubt = ValuesOf<(typeof notSureTexts)['fields']['doubts']['of']>;
