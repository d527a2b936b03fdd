import type { Config } from '../config/config.js';
import { companyFactNames, companyFacts, factSpec, type CompanyFact } from '../shared/contracts/company-facts.js';
import type { CompanyState } from './company-state.js';

/** The claims that pages make of the company, which only it can know to be true. */
export const CLAIMS = [
  'claim_founded',
  'claim_clients',
  'claim_around_the_clock',
] as const satisfies readonly CompanyFact[];

/** Facts of the company that visitors read. Their fallbacks describe a company that does not exist. */
const SHOWN: readonly CompanyFact[] = ['name', 'phone', 'email', 'area_onsite', 'hours', 'help_desk_url', ...CLAIMS];

/** Facts that pages leave out in production as long as nobody sets them. */
const OPTIONAL: readonly CompanyFact[] = [
  'partner_name',
  'phone_emergency',
  'phone_support',
  'phone_accounts',
  'contact_person',
  'first_30_days',
  'guarantee_terms',
  'social_linkedin',
  'social_facebook',
  'social_instagram',
  'social_x',
];

const DAYS = companyFactNames.filter((name) => factSpec(name).kind === 'day');

/** Domains that nobody can have (RFC 2606), with what is below them. */
const RESERVED = /[@./](?:example\.(?:com|net|org)|example|invalid|test|localhost)(?=[>:/]|$)/i;

/** Returns true for an address of a mailbox or a page that nobody can have. */
export function isReservedPlace(place: string): boolean {
  return RESERVED.test(place);
}

const variableOf = (name: CompanyFact) => companyFacts[name].variable ?? name;

/**
 * Returns the variables that leave an example where a company should stand: of facts that nobody has set, and of places
 * that nobody can have. Outside of production there is nothing to say.
 */
export function findExamples({ mode, contact, mail, company }: Config, { values, sources }: CompanyState): string[] {
  if (mode !== 'production') return [];
  const places = [
    ['SITE_EMAIL', values.email],
    ['CONTACT_TO', contact.to],
    ['MAIL_FROM', mail.from.address],
    ['SITE_HELP_DESK_URL', values.help_desk_url],
  ] as const;
  const unset = SHOWN.filter((name) => !isSaid(name, sources)).map(variableOf);
  // Such a fact is its example, and nobody can change it.
  const kept = SHOWN.filter((name) => sources[name] === 'locked' && !company.given.includes(name));
  const locked = kept.map((name) => `${variableOf(name)} (SITE_LOCKED names it, and it is not set)`);
  return [
    ...new Set([...unset, ...locked, ...places.flatMap(([name, place]) => (isReservedPlace(place ?? '') ? name : []))]),
  ];
}

/** Returns true for a fact that somebody has said. The days of the week say the hours as well. */
export function isSaid(name: CompanyFact, sources: CompanyState['sources']): boolean {
  if (sources[name] !== 'fallback') return true;
  return name === 'hours' && DAYS.some((day) => sources[day] !== 'fallback');
}

/** Returns the variables of facts without which pages say less; '#' is the placeholder of an address. */
export function findLeftOut({ site }: Config, { values }: CompanyState): string[] {
  if (site.showsPlaceholders) return [];
  return OPTIONAL.filter((name) => values[name] === null || values[name] === '#').map(variableOf);
}
