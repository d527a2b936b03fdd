import { isHexColor } from '../oklch.js';
import { isCompanyPicture } from './company-pictures.js';

/** Everything that the product has to know of one fact of the company. */
export interface CompanyFactSpec {
  /**
   * `phone` is a telephone number as people write it; `address` is that of a page on the web; `link` is one too, or `#`,
   * which stands for none yet; `switch` is yes or no; `day` says when the company is open on a day of the week; `accent`
   * is a color that can be read in both themes; `picture` is the address of one in the media library, as `/media/{name}`.
   */
  readonly kind: 'text' | 'phone' | 'email' | 'address' | 'link' | 'switch' | 'day' | 'accent' | 'picture';
  /** The variable that says it where nobody has set it; null for facts that no release had as variables. */
  readonly variable: `SITE_${string}` | null;
  /** Its name for people. */
  readonly label: string;
  readonly group: CompanyGroup;
  /** In characters; longer ones are refused. */
  readonly limit?: number;
  /** Its value as long as nobody says another; null where it may be missing. */
  readonly fallback: string | boolean | null;
  /** For .env.example, the form and `settings list`. */
  readonly description: string;
  /** For the form, where the description speaks to those who run the server. */
  readonly hint?: string;
}

/** The parts of the form, in their order. */
export const companyGroups = {
  company: 'The company',
  look: 'How it looks',
  contact: 'How to reach it',
  hours: 'Office hours by day',
  support: 'Support lines',
  partner: 'Security partner',
  terms: 'Promises in words',
  social: 'Social links',
  claims: 'Claims',
} as const;

/** The name of a part of the form. */
export type CompanyGroup = keyof typeof companyGroups;

/**
 * The facts of the company, one by one. Variables and their rules, `.env.example`, the stored setting, the rules of the
 * form, `settings`, `site export` and `site import` derive from this list (decision 103).
 */
export const companyFacts = {
  name: {
    kind: 'text',
    variable: 'SITE_NAME',
    label: 'Name',
    group: 'company',
    limit: 80,
    fallback: 'Your IT Team',
    description: 'what the company calls itself',
  },
  legal_name: {
    kind: 'text',
    variable: 'SITE_LEGAL_NAME',
    label: 'Legal entity',
    group: 'company',
    limit: 120,
    fallback: null,
    description: 'the legal entity named in the footer and the legal pages; the name if unset',
  },
  phone: {
    kind: 'phone',
    variable: 'SITE_PHONE',
    label: 'Phone',
    group: 'contact',
    limit: 40,
    fallback: '(555) 010-0100',
    description: 'the telephone number, as people write it',
  },
  email: {
    kind: 'email',
    variable: 'SITE_EMAIL',
    label: 'Email',
    group: 'contact',
    limit: 254,
    fallback: 'hello@example.com',
    description:
      'where people write to; a new site in production asks for it at /setup where neither the variable nor CONTACT_TO ' +
      'and MAIL_FROM say where enquiries go and whom mails are from',
  },
  area_remote: {
    kind: 'text',
    variable: 'SITE_AREA_REMOTE',
    label: 'Area of remote support',
    group: 'contact',
    limit: 80,
    fallback: 'Anywhere',
    description: 'where remote support is offered',
  },
  area_onsite: {
    kind: 'text',
    variable: 'SITE_AREA_ONSITE',
    label: 'Area of on-site support',
    group: 'contact',
    limit: 80,
    fallback: 'Southern California',
    description: 'where technicians drive to',
  },
  hours: {
    kind: 'text',
    variable: 'SITE_HOURS',
    label: 'Office hours, in words',
    group: 'contact',
    limit: 160,
    fallback: 'Monday to Friday, 8 AM to 6 PM',
    description: 'office hours, in words',
  },
  help_desk_url: {
    kind: 'address',
    variable: 'SITE_HELP_DESK_URL',
    label: 'Help desk',
    group: 'contact',
    limit: 500,
    fallback: 'https://help.example.com',
    description: "the ticket portal behind 'Submit a Ticket'",
  },
  contact_person: {
    kind: 'text',
    variable: 'SITE_CONTACT_PERSON',
    label: 'Contact person',
    group: 'contact',
    limit: 120,
    fallback: null,
    description: 'who answers enquiries, by name and role; not mentioned if unset',
  },
  open_monday: {
    kind: 'day',
    variable: null,
    label: 'Monday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description:
      'when the company is open: 08:00-18:00, several with commas between them, or closed; days that say it take the place of the hours in words',
  },
  open_tuesday: {
    kind: 'day',
    variable: null,
    label: 'Tuesday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description: 'as above',
  },
  open_wednesday: {
    kind: 'day',
    variable: null,
    label: 'Wednesday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description: 'as above',
  },
  open_thursday: {
    kind: 'day',
    variable: null,
    label: 'Thursday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description: 'as above',
  },
  open_friday: {
    kind: 'day',
    variable: null,
    label: 'Friday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description: 'as above',
  },
  open_saturday: {
    kind: 'day',
    variable: null,
    label: 'Saturday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description: 'as above',
  },
  open_sunday: {
    kind: 'day',
    variable: null,
    label: 'Sunday',
    group: 'hours',
    limit: 60,
    fallback: null,
    description: 'as above',
  },
  phone_emergency: {
    kind: 'phone',
    variable: 'SITE_PHONE_EMERGENCY',
    label: 'Emergency line',
    group: 'support',
    limit: 40,
    fallback: null,
    description: 'the emergency line of clients; in production, lines that are not set are left out',
    hint: 'The emergency line of clients. Pages leave out lines that are empty.',
  },
  phone_support: {
    kind: 'phone',
    variable: 'SITE_PHONE_SUPPORT',
    label: 'Support line',
    group: 'support',
    limit: 40,
    fallback: null,
    description: 'the general support line of clients',
  },
  phone_accounts: {
    kind: 'phone',
    variable: 'SITE_PHONE_ACCOUNTS',
    label: 'Line of the account manager',
    group: 'support',
    limit: 40,
    fallback: null,
    description: "the line of clients' account manager",
  },
  partner_name: {
    kind: 'text',
    variable: 'SITE_PARTNER_NAME',
    label: 'Name of the partner',
    group: 'partner',
    limit: 80,
    fallback: null,
    description: 'the security vendor of the partner badge; in production there is no badge if unset',
    hint: 'The security vendor of the partner badge. If this is empty, there is no badge.',
  },
  partner_url: {
    kind: 'address',
    variable: 'SITE_PARTNER_URL',
    label: 'Address of the partner',
    group: 'partner',
    limit: 500,
    fallback: null,
    description: 'where the partner badge leads',
  },
  partner_logo: {
    kind: 'picture',
    variable: null,
    label: 'Logo of the partner',
    group: 'partner',
    fallback: null,
    description:
      'the picture in the partner badge, which needs the name as well; one that can be seen on light and on dark ground',
  },
  price_factors: {
    kind: 'text',
    variable: 'SITE_PRICE_FACTORS',
    label: 'What decides the price',
    group: 'terms',
    limit: 1000,
    fallback: null,
    description: "what decides the price below 'up to'; people and devices if unset",
  },
  first_30_days: {
    kind: 'text',
    variable: 'SITE_FIRST_30_DAYS',
    label: 'The first 30 days',
    group: 'terms',
    limit: 2000,
    fallback: null,
    description: 'what a new client gets in the first 30 days; not mentioned if unset',
  },
  guarantee_terms: {
    kind: 'text',
    variable: 'SITE_GUARANTEE_TERMS',
    label: 'Terms of the guarantee',
    group: 'terms',
    limit: 2000,
    fallback: null,
    description: 'the terms of the satisfaction guarantee; not mentioned if unset',
  },
  social_linkedin: {
    kind: 'link',
    variable: 'SITE_SOCIAL_LINKEDIN',
    label: 'LinkedIn',
    group: 'social',
    limit: 500,
    fallback: '#',
    description: 'where the footer leads; # is a placeholder, left out in production',
    hint: 'The address of your profile, for the footer. Leave out a network by leaving its field empty.',
  },
  social_facebook: {
    kind: 'link',
    variable: 'SITE_SOCIAL_FACEBOOK',
    label: 'Facebook',
    group: 'social',
    limit: 500,
    fallback: '#',
    description: 'as above',
  },
  social_instagram: {
    kind: 'link',
    variable: 'SITE_SOCIAL_INSTAGRAM',
    label: 'Instagram',
    group: 'social',
    limit: 500,
    fallback: '#',
    description: 'as above',
  },
  social_x: {
    kind: 'link',
    variable: 'SITE_SOCIAL_X',
    label: 'X',
    group: 'social',
    limit: 500,
    fallback: '#',
    description: 'as above',
  },
  logo: {
    kind: 'picture',
    variable: null,
    label: 'Logo',
    group: 'look',
    fallback: null,
    description: 'the picture in header and footer, on share images and for search engines; the drawn mark if unset',
  },
  logo_dark: {
    kind: 'picture',
    variable: null,
    label: 'Logo on dark ground',
    group: 'look',
    fallback: null,
    description: 'the picture in the place of the logo where the theme is dark; the logo itself if unset',
  },
  logo_has_name: {
    kind: 'switch',
    variable: null,
    label: 'The logo contains the name',
    group: 'look',
    fallback: false,
    description: 'whether the logo can be read as the name of the company, which does not stand beside it then',
  },
  accent: {
    kind: 'accent',
    variable: null,
    label: 'Accent',
    group: 'look',
    fallback: null,
    description: 'the color of links, buttons and cables, as #005e50; the green that the site comes with if unset',
  },
  claim_founded: {
    kind: 'switch',
    variable: 'SITE_CLAIM_FOUNDED',
    label: 'Founded in August 2025',
    group: 'claims',
    fallback: true,
    description: "whether pages say 'founded in August 2025'",
  },
  claim_clients: {
    kind: 'switch',
    variable: 'SITE_CLAIM_CLIENTS',
    label: 'Over 100 businesses',
    group: 'claims',
    fallback: true,
    description: "whether pages say 'over 100 businesses'",
  },
  claim_around_the_clock: {
    kind: 'switch',
    variable: 'SITE_CLAIM_AROUND_THE_CLOCK',
    label: '24/7',
    group: 'claims',
    fallback: true,
    description: "whether pages say '24/7'",
  },
} as const satisfies Readonly<Record<string, CompanyFactSpec>>;

type Specs = typeof companyFacts;

/** The name of a fact, in the stored setting as at the command line. */
export type CompanyFact = keyof Specs;

/** The variable of a fact. */
export type CompanyVariable = NonNullable<Specs[CompanyFact]['variable']>;

/** A value of a fact; null where it is missing. */
export type FactValue = string | boolean | null;

/** All facts with their values. */
export type CompanyValues = {
  readonly [Name in CompanyFact]: Specs[Name]['fallback'] extends boolean
    ? boolean
    : Specs[Name]['fallback'] extends null
      ? string | null
      : string;
};

/** The facts in the order of the form. */
export const companyFactNames = Object.keys(companyFacts) as readonly CompanyFact[];

/** Returns the entry of a fact, with all the properties that an entry may have. */
export function factSpec(name: CompanyFact): CompanyFactSpec {
  return companyFacts[name];
}

/** The facts that are pictures of the media library. */
export const pictureFacts = companyFactNames.filter((name) => factSpec(name).kind === 'picture');

/** Returns true for the name of a fact. */
export function isCompanyFact(name: string): name is CompanyFact {
  return Object.hasOwn(companyFacts, name);
}

/** Returns true for a value of the type that the fact has; its rules may still refuse it. */
export function isFactValue(name: CompanyFact, value: unknown): value is FactValue {
  const { kind, fallback } = factSpec(name);
  if (kind === 'switch') return typeof value === 'boolean';
  if (kind === 'picture') return value === null || (typeof value === 'string' && isCompanyPicture(value));
  if (kind === 'accent') return value === null || (typeof value === 'string' && isHexColor(value));
  return typeof value === 'string' || (value === null && fallback === null);
}
