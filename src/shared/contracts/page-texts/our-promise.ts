import { card, closing, headOf, line, shown, step, text } from './common-fields.js';
import { definePage } from './fields.js';

const points = ['Computers, servers, and network watched', 'Backups checked, not assumed', 'Warnings read by a person'];

/** Our Promise (product.md 2.4): guarantees, and what follows when one is not kept. */
export const promiseTexts = definePage('ourPromise', {
  ...headOf(
    'Our Promise',
    'Four guarantees from {company} for every client: 100% satisfaction, top-tier security, IT that feels in-house, and monitoring that notices trouble early.',
  ),
  lede: text('Introduction', 'Every client gets all of it. There is no tier in which we promise less.'),
  guarantees_eyebrow: line('Guarantees: line above the heading', 'Four guarantees', 60),
  guarantees_title: line('Guarantees: heading', 'What you can count on'),
  guarantees: {
    kind: 'list',
    label: 'Guarantees',
    entry: 'guarantee',
    of: { ...card, points: { kind: 'lines', label: 'On an ordinary day', limit: 120 }, shown },
    fallback: [
      {
        glyph: 'badge',
        title: '100% Satisfaction Guarantee',
        description:
          'If our work isn’t right, tell us and we come back to it. A request is closed when you are satisfied, not when we are.',
        points: ['You decide when it is fixed', 'We return to it until you do', 'No argument about whose fault it was'],
        shown: 'always',
      },
      {
        glyph: 'shield',
        title: 'Top-Tier Security',
        description:
          'Every client gets the same high standard of protection at no charge. There is no basic edition of being safe.',
        points: ['The same standard for every client', 'Set up for you, in plain words', 'Never sold as an upgrade'],
        shown: 'always',
      },
      {
        glyph: 'people',
        title: 'In-House-Like IT',
        description:
          'We learn your people, your devices, and the way you work, so that asking us feels like asking a colleague down the hall.',
        points: [
          'People who know your office',
          'One contact for vendors and orders',
          'Help at the desk when it needs hands',
        ],
        shown: 'always',
      },
      {
        glyph: 'monitoring',
        title: '24/7 Monitoring',
        description:
          'We watch the systems in our care day and night, so a failing disk or a missed backup can be noticed before it reaches somebody’s desk.',
        points,
        shown: 'around_the_clock',
      },
      // The same promise of a company that does not claim to be there around the clock.
      {
        glyph: 'monitoring',
        title: 'Proactive Monitoring',
        description:
          'We keep an eye on the systems in our care and look into warnings early, so a failing disk or a missed backup can be noticed before it reaches somebody’s desk.',
        points,
        shown: 'not_around_the_clock',
      },
    ],
  },
  steps_eyebrow: line('If we fall short: line above the heading', 'If we fall short', 60),
  steps_title: line('If we fall short: heading', 'How to hold us to it'),
  steps_lede: text('If we fall short: text', 'A promise is worth what happens when something goes wrong.'),
  steps: {
    kind: 'list',
    label: 'If we fall short: steps',
    entry: 'step',
    of: step,
    fallback: [
      { title: 'Tell us', description: 'By phone, by email, or in the ticket. You don’t have to prove anything.' },
      { title: 'We go back to it', description: 'Your request is reopened and somebody takes it on again.' },
      { title: 'You close it', description: 'It is done when you say so, and we tell you what we changed.' },
    ],
  },
  ...closing('Put us to the test', 'Bring us a problem that has been open for too long, and see how we treat it.'),
});
