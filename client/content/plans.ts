/** The asterisks of a feature; {@link footnotes} explains them. */
export type FeatureMark = '*' | '**';

/** A line of a plan. */
export interface PlanFeature {
  readonly text: string;
  readonly mark?: FeatureMark;
}

/** A pricing plan (product.md 2.6 and 9.1). */
export interface Plan {
  readonly name: string;
  /** The most it costs, in whole US dollars per `unit`. */
  readonly price: number;
  readonly unit: 'user' | 'device';
  readonly period: 'month';
  readonly summary: string;
  readonly features: readonly PlanFeature[];
}

export const plans: readonly [managed: Plan, device: Plan] = [
  {
    name: 'Managed IT Service',
    price: 150,
    unit: 'user',
    period: 'month',
    summary: 'An IT department for every person on the team, whatever they work on.',
    features: [
      { text: 'Priority helpdesk support (remote and on-site)' },
      { text: 'Device management' },
      { text: 'Security configuration' },
      { text: 'Vendor management' },
      { text: 'Price analysis' },
      { text: 'Data backup', mark: '*' },
      { text: 'Compliance management', mark: '*' },
      { text: 'IT secretary' },
    ],
  },
  {
    name: 'Device Support',
    price: 65,
    unit: 'device',
    period: 'month',
    summary: 'For the machines that must not stop: a front desk, a workshop PC, a server.',
    features: [
      { text: 'Priority helpdesk' },
      { text: 'Device management' },
      { text: 'Security configuration', mark: '**' },
    ],
  },
];

export const footnotes: readonly { readonly mark: FeatureMark; readonly text: string }[] = [
  { mark: '*', text: 'An additional charge may apply for applications or hardware.' },
  { mark: '**', text: 'Optional.' },
];

/** The price of average managed service providers, in US dollars per user and month (product.md 9.1). */
export const marketPrice = { from: 175, to: 400 } as const;

/** Says what a client pays below the most that a plan costs. */
export const priceFactors =
  '“Up to” is the most a plan costs. How many people and devices you have, and what they need, decides what you pay below it. Tell us both, and we work out the two plans with you.';
