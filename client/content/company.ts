import { isCompanyFact, factSpec } from '../../src/shared/contracts/company-facts.js';
import { parseMediaUrl } from '../../src/shared/media.js';

/** The words of the screen of the company. */
export const companyMessages = {
  title: 'Company',
  lede: 'What every page says of the company: name, numbers, hours and claims',
  sameAs: (day: string) => `Same as ${day}`,
  closed: 'Closed',
  daysRead: (words: string) => `Pages say: ${words}`,
  noDays: 'No day says when you are open: pages use the hours in words.',
  locked: (variable: string) => `Locked: ${variable} says it, in the settings of the server (SITE_LOCKED).`,
  confirm: 'This is right',
  confirmed: 'Right as it is, once it is published.',
  unsaid: 'As it came: nobody has said it yet.',
  asItCame: 'As it came',
  pictureFormats: 'A PNG or JPEG, less than 5 MB.',
  chooseAccent: 'Choose the accent',
  useReadable: (color: string) => `Use ${color} instead`,
  accentAsItCame: 'Pages have the green that the site comes with.',
  accentReads: 'This color can be read everywhere, in both themes.',
  accentRefused: 'Pages cannot have this color: some people could not read them.',
  sampleLink: 'A link',
  sampleButton: 'A button',
  themes: { light: 'Light', dark: 'Dark' },
  measures: (all: number, weak: number) =>
    weak === 0 ? `All ${all} contrasts are enough` : `${weak} of ${all} contrasts are too weak`,
  tooLittle: 'too little',
  onPages: (value: string) => `On pages now: ${value}`,
} as const;

/** Names a fact of the company. */
export function labelOfFact(name: string): string {
  return isCompanyFact(name) ? factSpec(name).label : name;
}

/** A value of a fact in words. */
export function describeFact(value: unknown, name?: string): string {
  if ((name === 'accent' || name === 'logo') && typeof value !== 'string') return 'as it came';
  const media = typeof value === 'string' ? parseMediaUrl(value) : null;
  if (media !== null) return `a picture of ${media.width} × ${media.height} px, ${media.id.slice(0, 6)}`;
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'string' && value !== '' && value !== '#' ? value : 'nothing';
}
