import { marketPrice, plans } from './plans.js';

const [managed, device] = plans;

/** A doubt in a customer's words, and the company's answer. */
export interface Doubt {
  readonly doubt: string;
  readonly answer: string;
  /** The answer in one line, for the reader who skims. */
  readonly short: string;
}

/** The four doubts of the Not sure about IT Service? page (product.md 2.4). */
export const doubts: readonly Doubt[] = [
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
      `${managed.name} is up to $${managed.price} per user per month, where average providers charge $${marketPrice.from} to $${marketPrice.to} in several tiers. ` +
      `If you only need your machines looked after, ${device.name} is up to $${device.price} per device per month. ` +
      'Only applications or hardware may add to that. Then think of a day when nobody can work.',
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
];
