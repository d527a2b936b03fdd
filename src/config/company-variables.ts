import { z } from 'zod';
import {
  companyFactNames,
  companyFacts,
  factSpec,
  type CompanyFact,
  type CompanyFactSpec,
  type CompanyValues,
  type CompanyVariable,
} from '../shared/contracts/company-facts.js';
import { flag, httpUrl, optionalText, text } from './variable-rules.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The facts of the company as the environment has them. */
export interface CompanyConfig {
  /** Every fact: as its variable says, or its fallback. */
  readonly values: CompanyValues;
  /** The facts whose variables are set. */
  readonly given: readonly CompanyFact[];
  /** The facts that SITE_LOCKED names: they are as their variables say, whatever is set elsewhere. */
  readonly locked: readonly CompanyFact[];
}

type Rules = Readonly<Record<CompanyVariable, z.ZodType<string | boolean | undefined>>>;

/** The variables of the company's facts with their rules, in the order of the facts. */
export const companyVariables = Object.fromEntries(
  companyFactNames.flatMap((name) => {
    const { variable } = companyFacts[name];
    return variable === null ? [] : [[variable, ruleOf(factSpec(name)).describe(factSpec(name).description)]];
  }),
) as Rules;

/** The variables that may not be overruled, separated by commas. */
export const lockedVariables = z
  .string()
  .superRefine((value, context) => {
    const unknown = namesIn(value).filter((name) => !(name in companyVariables));
    if (unknown.length > 0) context.addIssue(`names what is no variable of the company: ${unknown.join(', ')}`);
  })
  .default('')
  .describe(
    'the variables of the company, separated by commas, that nobody may overrule in the browser or with settings set; ' +
      'all others are read once, when nobody has set what they say',
  );

/** Variables that have passed their rules. */
type ParsedVariables = Readonly<Partial<Record<CompanyVariable, unknown>>> & { readonly SITE_LOCKED: string };

/** Reads the facts from variables that have passed their rules. */
export function toCompanyConfig(parsed: ParsedVariables, given: Variables): CompanyConfig {
  const values = companyFactNames.map((name) => {
    const { variable, fallback } = companyFacts[name];
    return [name, variable === null ? fallback : (parsed[variable] ?? null)];
  });
  const locked = new Set(namesIn(parsed.SITE_LOCKED));
  return {
    values: Object.fromEntries(values) as CompanyValues,
    given: companyFactNames.filter((name) => given[companyFacts[name].variable ?? ''] !== undefined),
    locked: companyFactNames.filter((name) => locked.has(companyFacts[name].variable ?? '')),
  };
}

function namesIn(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function ruleOf({ kind, fallback }: CompanyFactSpec): z.ZodType<string | boolean | undefined> {
  if (typeof fallback === 'boolean') return flag(fallback);
  switch (kind) {
    case 'email':
      return z.email({ error: 'must be an email address' }).default(fallback ?? '');
    case 'address':
      return fallback === null ? httpUrl.optional() : httpUrl.default(fallback);
    default:
      return fallback === null ? optionalText : text(fallback);
  }
}
