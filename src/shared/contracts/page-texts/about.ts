import { card, closing, headOf, line, shown, text } from './common-fields.js';
import { definePage } from './fields.js';

/** About Us (product.md 2.5): story, values, call to action. */
export const aboutTexts = definePage('about', {
  ...headOf(
    'About Us',
    '{company} looks after IT for small and growing businesses. Our story, and the four values we work by: reliability, simplicity, affordability, partnership.',
  ),
  lede: text('Introduction', 'We are the IT department of companies that don’t have one.'),
  story_title: line('Story: heading', 'Why we started'),
  story: {
    kind: 'rich',
    label: 'Story',
    limit: 6000,
    fallback: `In most small companies, IT is nobody’s job. Somebody is good with computers, so the printer, the passwords, and the backup that may or may not be running all end up on one desk, on top of the work that person was hired for.

Often the way out is a provider with several tiers. The cheap one answers slowly, the good one costs more than the problem, and security is an extra on top of either.

{company} is the way out we would have wanted ourselves: one flat price per user, priority support for every client, and top-tier security at no charge. We come by when a job needs hands, and we explain what we did in words that need no glossary.`,
  },
  facts: {
    kind: 'list',
    label: 'Facts beside the story',
    entry: 'fact',
    of: {
      label: { kind: 'line', label: 'Name', limit: 60 },
      value: { kind: 'line', label: 'Fact', limit: 120 },
      shown,
    },
    fallback: [
      { label: 'Who answers', value: '{contact_person}', shown: 'contact_person' },
      { label: 'Founded', value: 'August 2025', shown: 'founded' },
      { label: 'Trusted by', value: 'Over 100 businesses', shown: 'clients' },
      { label: 'Price', value: 'One flat rate per user, no tiers', shown: 'always' },
      { label: 'Remote', value: '{area_remote}', shown: 'always' },
      { label: 'On-site', value: '{area_onsite}', shown: 'always' },
    ],
  },
  values_eyebrow: line('Values: line above the heading', 'Our values', 60),
  values_title: line('Values: heading', 'The way we work'),
  values: {
    kind: 'list',
    label: 'Values',
    entry: 'value',
    of: card,
    fallback: [
      {
        glyph: 'shield',
        title: 'Reliability',
        description:
          'We do what we said we would, and we tell you early when we can’t. A request is somebody’s job from the moment it arrives, and it stays open until your work runs again.',
      },
      {
        glyph: 'chat',
        title: 'Simplicity',
        description:
          'One price, one contact, plain words. Technology is complicated enough, so our part of it should fit into a sentence.',
      },
      {
        glyph: 'price',
        title: 'Affordability',
        description:
          'A flat price per user that a small company can plan a year around, with top-tier security inside it rather than sold on top.',
      },
      {
        glyph: 'partnership',
        title: 'Partnership',
        description:
          'We learn how your business works and give you the advice we would want ourselves, including the times when the right answer is to buy nothing.',
      },
    ],
  },
  ...closing(
    'See whether we’re a fit',
    'Tell us about your team and what slows it down. Talking costs nothing, and the answer will be a straight one.',
  ),
});
