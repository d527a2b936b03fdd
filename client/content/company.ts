import { isCompanyFact, factSpec } from '../../src/shared/contracts/company-facts.js';

/** The words of the screen of the company. */
export const companyMessages = {
  title: 'Company',
  lede: 'What every page says of the company: name, numbers, hours and claims',
  sameAs: (day: string) => `Same as ${day}`,
  closed: 'Closed',
  daysRead: (words: string) => `Pages say: ${words}`,
  noDays: 'No day says when you are open: pages use the hours in words.',
  locked: (variable: string) => `Locked: ${variable} says it, in the settings of the server (SITE_LOCKED).`,
  onPages: (value: string) => `On pages now: ${value}`,
} as const;

/** Names a fact of the company. */
export function labelOfFact(name: string): string {
  return isCompanyFact(name) ? factSpec(name).label : name;
}

/** A value of a fact in words. */
export function describeFact(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'string' && value !== '' && value !== '#' ? value : 'nothing';
}
