import type { Environment } from './environment.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Facts of the company that visitors read. Their defaults describe a company that does not exist. */
const SHOWN = [
  'SITE_NAME',
  'SITE_PHONE',
  'SITE_EMAIL',
  'SITE_AREA_ONSITE',
  'SITE_HOURS',
  'SITE_HELP_DESK_URL',
  'SITE_CLAIM_FOUNDED',
  'SITE_CLAIM_CLIENTS',
  'SITE_CLAIM_AROUND_THE_CLOCK',
] as const satisfies readonly (keyof Environment)[];

/** Facts that pages leave out in production as long as nobody sets them. */
const OPTIONAL = [
  'SITE_PARTNER_NAME',
  'SITE_PHONE_EMERGENCY',
  'SITE_PHONE_SUPPORT',
  'SITE_PHONE_ACCOUNTS',
  'SITE_CONTACT_PERSON',
  'SITE_FIRST_30_DAYS',
  'SITE_GUARANTEE_TERMS',
  'SITE_SOCIAL_LINKEDIN',
  'SITE_SOCIAL_FACEBOOK',
  'SITE_SOCIAL_INSTAGRAM',
  'SITE_SOCIAL_X',
] as const satisfies readonly (keyof Environment)[];

/** Variables with an address that mail or visitors must reach. */
const PLACES = ['SITE_EMAIL', 'CONTACT_TO', 'MAIL_FROM', 'SITE_HELP_DESK_URL'] as const;

/** Domains that nobody can have (RFC 2606), with what is below them. */
const RESERVED = /[@./](?:example\.(?:com|net|org)|example|invalid|test|localhost)(?=[>:/]|$)/i;

/** The variables that leave an example where a company should stand: unset ones, and places that nobody can have. */
export function findExamples(given: Variables): string[] {
  const isExample = (name: (typeof PLACES)[number]) => RESERVED.test(given[name] ?? '');
  return [...new Set([...SHOWN.filter((name) => given[name] === undefined), ...PLACES.filter(isExample)])];
}

/** Returns the variables without which pages say less; '#' is the placeholder of an address. */
export function findLeftOut(given: Variables): string[] {
  return OPTIONAL.filter((name) => given[name] === undefined || given[name] === '#');
}
