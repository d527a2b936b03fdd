import { ValidateBy, ValidateIf } from 'class-validator';
import { describeWeakPair, findWeakPair } from '../accent.js';
import { cleanCharacters } from '../clean-characters.js';
import { companyFactNames, factSpec, type CompanyFact, type CompanyFactSpec, type FactValue } from './company-facts.js';
import { isCompanyPicture } from './company-pictures.js';
import { isHexColor } from '../oklch.js';
import { toDayHours } from './day-hours.js';
import { characterCount, isWebAddress } from './post-input.js';
import { needsSmtpUtf8 } from '../smtp-utf8.js';

/** One address and nothing more: nothing that could add an address or a line to the header of a mail. */
const PLAIN_ADDRESS = /^[^\s<>()[\],;:"\\@]+@[^\s<>()[\],;:"\\@.]+(?:\.[^\s<>()[\],;:"\\@.]+)+$/;

/** The shortest numbers that a company can be called at from outside. */
const PHONE_DIGITS = 5;

/** Facts as they are handed in; those that are absent stay as they are. */
export type CompanyInputValues = { [Name in CompanyFact]?: FactValue };

/** The rules of the facts, for form, command line and files alike. Hand in what {@link cleanFact} makes of the values. */
export class CompanyInput {}

for (const name of companyFactNames) {
  const spec = factSpec(name);
  ValidateIf((_, value) => value !== undefined)(CompanyInput.prototype, name);
  ValidateBy({
    name: 'fact',
    validator: {
      validate: (value: unknown) => findProblem(spec, value) === null,
      defaultMessage: (context) => findProblem(spec, context?.value) ?? '',
    },
  })(CompanyInput.prototype, name);
}

/**
 * Reads a value as it is stored: one line of text without blanks around it; null instead of nothing where the fact may
 * be missing; the words of a command line for yes and no. A value of another type comes back as it is, to be refused.
 */
export function cleanFact(name: CompanyFact, value: unknown): unknown {
  const { kind, fallback } = factSpec(name);
  if (kind === 'switch') return toSwitch(value);
  if (typeof value !== 'string') return value;
  const line = cleanCharacters(value).replace(/\s+/g, ' ').trim().normalize('NFC');
  if (line === '') return kind === 'link' ? '#' : fallback === null ? null : '';
  if (kind === 'day') return toDayHours(line) ?? line;
  if (kind === 'accent') return toColor(line) ?? line;
  return kind === 'address' ? line.replace(/\/+$/, '') : line;
}

/** Reads a color as people type it: with or without the sign before it, with three digits or six. */
function toColor(line: string): string | null {
  const digits = line.toLowerCase().replace(/^#/, '');
  const color = `#${/^[0-9a-f]{3}$/.test(digits) ? digits.replace(/./g, '$&$&') : digits}`;
  return isHexColor(color) ? color : null;
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

function toSwitch(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return SWITCH_WORDS[value.trim().toLowerCase()] ?? value;
}

/** Says what is wrong with a value; null when nothing is. */
function findProblem({ kind, label, limit = Infinity, fallback }: CompanyFactSpec, value: unknown): string | null {
  if (kind === 'switch') return typeof value === 'boolean' ? null : `${label} must be yes or no`;
  if (value === null || value === '') return fallback === null && value === null ? null : `${label} is required`;
  if (typeof value !== 'string') return `${label} must be a text`;
  if (characterCount(value) > limit) return `${label} too long (${limit} characters at most)`;
  switch (kind) {
    case 'phone':
      return countDigits(value) < PHONE_DIGITS ? `${label} must have at least ${PHONE_DIGITS} digits` : null;
    case 'email':
      return findEmailProblem(label, value);
    case 'address':
      return isWebAddress(value) ? null : `${label} must begin with https:// or http://`;
    case 'link':
      return value === '#' || isWebAddress(value)
        ? null
        : `${label} must begin with https:// or http://, or be # for none`;
    case 'day':
      return toDayHours(value) === value ? null : `${label} must be closed, or times such as 08:00-18:00`;
    case 'accent':
      return findAccentProblem(label, value);
    case 'picture':
      return findPictureProblem(label, value);
    case 'text':
      return null;
  }
}

/** Mails of the site are from this address: a server on the way that speaks no SMTPUTF8 takes none of them. */
function findEmailProblem(label: string, value: string): string | null {
  if (!PLAIN_ADDRESS.test(value)) return `${label} must be an email address`;
  if (!needsSmtpUtf8(value)) return null;
  return `${label} can have letters such as ö after the @ only: many mail servers refuse mails from others`;
}

function countDigits(value: string): number {
  return value.match(/\d/g)?.length ?? 0;
}

/** Says why an address cannot be that of a picture of the company; null when it can. Whether the picture is there is another question. */
export function findPictureProblem(label: string, value: string): string | null {
  return isCompanyPicture(value) ? null : `${label} must be a PNG or JPEG picture of the media library`;
}

/** Says why a color cannot be the accent; null when it can. */
export function findAccentProblem(label: string, value: string): string | null {
  if (!isHexColor(value)) return `${label} must be a color such as #005e50`;
  const weak = findWeakPair(value);
  return weak === null ? null : `${label} cannot be read everywhere. ${describeWeakPair(weak)}`;
}
