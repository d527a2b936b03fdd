import type { GlyphName } from '../../src/shared/glyphs.js';
import type { Site } from '../../src/shared/contracts/site.js';

/** A guarantee card of the Our Promise page. */
export interface Guarantee {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly description: string;
  /** Examples of the guarantee on an ordinary day. */
  readonly points: readonly string[];
}

const monitoring: Guarantee = {
  glyph: 'monitoring',
  title: '24/7 Monitoring',
  description:
    'We watch the systems in our care day and night, so a failing disk or a missed backup can be noticed before it reaches somebody’s desk.',
  points: ['Computers, servers, and network watched', 'Backups checked, not assumed', 'Warnings read by a person'],
};

/** The same promise for a company that does not claim to be there around the clock. */
const officeHoursMonitoring: Guarantee = {
  glyph: 'monitoring',
  title: 'Proactive Monitoring',
  description:
    'We keep an eye on the systems in our care and look into warnings early, so a failing disk or a missed backup can be noticed before it reaches somebody’s desk.',
  points: monitoring.points,
};

/** The four guarantees of Our Promise (product.md 2.4), as far as the company claims them. */
export function guaranteesOf(claims: Site['claims']): readonly Guarantee[] {
  return [
    {
      glyph: 'badge',
      title: '100% Satisfaction Guarantee',
      description:
        'If our work isn’t right, tell us and we come back to it. A request is closed when you are satisfied, not when we are.',
      points: ['You decide when it is fixed', 'We return to it until you do', 'No argument about whose fault it was'],
    },
    {
      glyph: 'shield',
      title: 'Top-Tier Security',
      description:
        'Every client gets the same high standard of protection at no charge. There is no basic edition of being safe.',
      points: ['The same standard for every client', 'Set up for you, in plain words', 'Never sold as an upgrade'],
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
    },
    claims.aroundTheClock ? monitoring : officeHoursMonitoring,
  ];
}

/** A step for a client when a promise isn't kept. */
export interface GuaranteeStep {
  readonly title: string;
  readonly description: string;
}

/** The steps for a client when the company falls short of a guarantee. */
export const guaranteeSteps: readonly GuaranteeStep[] = [
  { title: 'Tell us', description: 'By phone, by email, or in the ticket. You don’t have to prove anything.' },
  { title: 'We go back to it', description: 'Your request is reopened and somebody takes it on again.' },
  { title: 'You close it', description: 'It is done when you say so, and we tell you what we changed.' },
];
