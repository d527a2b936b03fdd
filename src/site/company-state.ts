import type { CompanyConfig } from '../config/company-variables.js';
import {
  companyFactNames,
  companyFacts,
  isFactValue,
  type CompanyFact,
  type CompanyValues,
  type FactValue,
} from '../shared/contracts/company-facts.js';
import type { SettingSource } from '../shared/contracts/settings.js';

/** The origin of the value of a fact. */
export type FactSource = SettingSource;

/** The facts of the company as they are now, and where each is from. */
export interface CompanyState {
  readonly values: CompanyValues;
  readonly sources: Readonly<Record<CompanyFact, FactSource>>;
  /** Facts whose variables say something else than the setting, which is what counts. */
  readonly ignored: readonly CompanyFact[];
}

/**
 * Decides what is true of the company. A locked fact is as its variable says; of others, the setting comes before the
 * variable, and the variable before the fallback.
 * @param content the published setting as it is stored: what this release cannot use in it is left aside
 */
export function toCompanyState(company: CompanyConfig, content: unknown): CompanyState {
  const stored = toStoredValues(content);
  const sourceOf = (name: CompanyFact): FactSource => {
    if (company.locked.includes(name)) return 'locked';
    if (name in stored) return 'setting';
    return company.given.includes(name) ? 'variable' : 'fallback';
  };
  const sources = companyFactNames.map((name) => [name, sourceOf(name)] as const);
  const values = sources.map(([name, source]) => [name, source === 'setting' ? stored[name] : company.values[name]]);
  return {
    values: Object.fromEntries(values) as CompanyValues,
    sources: Object.fromEntries(sources) as CompanyState['sources'],
    ignored: sources.flatMap(([name, source]) => (isIgnored(company, name, source, stored[name]) ? name : [])),
  };
}

/** Returns the facts of a stored setting that this release knows, with values that it can use. */
export function toStoredValues(content: unknown): Partial<Record<CompanyFact, FactValue>> {
  const given = typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {};
  const values: Partial<Record<CompanyFact, FactValue>> = {};
  for (const name of companyFactNames) {
    const value = given[name];
    if (Object.hasOwn(given, name) && isFactValue(name, value)) values[name] = value;
  }
  return values;
}

/** A variable that is set to its fallback says nothing, as in the demo. */
function isIgnored(
  { given, values }: CompanyConfig,
  name: CompanyFact,
  source: FactSource,
  stored: FactValue | undefined,
): boolean {
  if (source !== 'setting' || !given.includes(name)) return false;
  return values[name] !== stored && values[name] !== companyFacts[name].fallback;
}
