import { headOf, line, text } from './common-fields.js';
import { definePage, type ValuesOf } from './fields.js';
import type { Prices } from './prices.js';

const marks = { none: 'None', one: 'One asterisk', two: 'Two asterisks' } as const;

/** Pricing (product.md 2.6): the plans and their footnotes. All prices of the site are here. */
export const pricingTexts = definePage('pricing', {
  ...headOf(
    'Pricing',
    'Managed IT service for up to {price_1} per user per month, device support for up to {price_2} per device per month. No tiers, and every client gets priority.',
  ),
  lede: text(
    'Introduction',
    'Two plans, one level of service: priority support is part of both, without tiers or a fee per incident.',
  ),
  plans: {
    kind: 'list',
    label: 'Plans',
    hint: 'The first one is the one that the home page and the comparison name.',
    entry: 'plan',
    min: 1,
    of: {
      name: { kind: 'line', label: 'Name', limit: 80 },
      price: { kind: 'price', label: 'The most it costs' },
      unit: { kind: 'line', label: 'For each', limit: 20 },
      period: { kind: 'line', label: 'Period', limit: 20 },
      summary: { kind: 'text', label: 'Summary', limit: 300 },
      features: {
        kind: 'list',
        label: 'Features',
        entry: 'feature',
        of: {
          text: { kind: 'line', label: 'Feature', limit: 120 },
          mark: { kind: 'choice', label: 'Footnote', options: marks },
        },
      },
    },
    fallback: [
      {
        name: 'Managed IT Service',
        price: 150,
        unit: 'user',
        period: 'month',
        summary: 'An IT department for every person on the team, whatever they work on.',
        features: [
          { text: 'Priority helpdesk support (remote and on-site)', mark: 'none' },
          { text: 'Device management', mark: 'none' },
          { text: 'Security configuration', mark: 'none' },
          { text: 'Vendor management', mark: 'none' },
          { text: 'Price analysis', mark: 'none' },
          { text: 'Data backup', mark: 'one' },
          { text: 'Compliance management', mark: 'one' },
          { text: 'IT secretary', mark: 'none' },
        ],
      },
      {
        name: 'Device Support',
        price: 65,
        unit: 'device',
        period: 'month',
        summary: 'For the machines that must not stop: a front desk, a workshop PC, a server.',
        features: [
          { text: 'Priority helpdesk', mark: 'none' },
          { text: 'Device management', mark: 'none' },
          { text: 'Security configuration', mark: 'two' },
        ],
      },
    ],
  },
  footnote_one: text('Footnote of one asterisk', 'An additional charge may apply for applications or hardware.'),
  footnote_two: text('Footnote of two asterisks', 'Optional.'),
  factors_title: line('What decides the price: heading', 'What decides the price'),
  factors: {
    ...text(
      'What decides the price',
      '“Up to” is the most a plan costs. How many people and devices you have, and what they need, decides what you pay below it. Tell us both, and we work out the two plans with you.',
      1000,
    ),
    hint: 'What the settings of the company say takes its place.',
  },
  market_from: { kind: 'price', label: 'Price of average providers, from', fallback: 175 },
  market_to: { kind: 'price', label: 'Price of average providers, to', fallback: 400 },
  compared_eyebrow: line('Comparison: line above the heading', 'Compared', 60),
  compared_title: line('Comparison: heading', 'What the same month costs elsewhere'),
  compared_lede: text(
    'Comparison: text',
    'Average managed service pricing comes in several tiers. Ours is one price, and it ends below where theirs begin.',
  ),
  first_days_title: line('First 30 days: heading', 'Your first 30 days'),
  closing_eyebrow: line('End of the page: line above the heading', 'Not sure which?', 60),
  closing_title: line('End of the page: heading', 'Tell us how many people and machines you have'),
  closing_lede: text('End of the page: text', 'We work out both plans with you, and say which of them costs you less.'),
});

/** A pricing plan. */
export type Plan = ValuesOf<(typeof pricingTexts)['fields']['plans']['of']>;

/** Returns the prices that other pages name. */
export function toPrices({ plans, market_from, market_to }: typeof pricingTexts.defaults): Prices {
  return {
    plans: plans.map(({ name, price, unit, period }) => ({ name, price, unit, period })),
    market: { from: market_from, to: market_to },
  };
}
