import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { CONFIG, type Config } from '../config/config.js';
import {
  companyFactNames,
  companyFacts,
  isCompanyFact,
  type CompanyFact,
  type FactValue,
} from '../shared/contracts/company-facts.js';
import { cleanFact, CompanyInput, type CompanyInputValues } from '../shared/contracts/company-input.js';
import { COMPANY_DOCUMENT, SiteService, toMoment, type SiteMoment } from '../site/site.service.js';
import { holdPictures } from './held-pictures.js';
import { nearestOf } from '../shared/nearest.js';
import type { SettingsDefinition, SettingsReading } from './settings-definition.js';
import type { SettingsContent } from './settings-document.entity.js';
import { SettingsRefusedError, type SettingProblem } from './settings.errors.js';

/** The facts of the company as a document. */
@Injectable()
export class CompanyDefinition implements SettingsDefinition {
  readonly name = COMPANY_DOCUMENT;
  readonly subject = 'the company';

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly site: SiteService,
  ) {}

  read(content: unknown): SettingsReading {
    const { values, sources } = toMoment(this.config, content).company;
    return {
      values,
      sources,
      unconfirmed: companyFactNames.filter((name) => isConfirmable(name) && sources[name] === 'fallback'),
    };
  }

  /**
   * A locked fact passes where it is as it is locked: there is nothing to change.
   * @param pathOf the place that a problem is named by
   */
  check(
    given: Readonly<Record<string, unknown>>,
    pathOf: (name: string) => string = (name) => name,
  ): CompanyInputValues {
    const problems: SettingProblem[] = [];
    const input = new CompanyInput() as CompanyInputValues;
    for (const [name, value] of Object.entries(given)) {
      if (!isCompanyFact(name)) problems.push(explainUnknownFact(name, pathOf(name)));
      else input[name] = cleanFact(name, value ?? null) as FactValue;
    }
    for (const { property, constraints = {} } of validateSync(input, { stopAtFirstError: true })) {
      problems.push({ path: pathOf(property), message: Object.values(constraints)[0] ?? 'is not valid' });
    }
    const { values, sources } = this.site.company;
    for (const name of companyFactNames) {
      if (input[name] === undefined || sources[name] !== 'locked' || input[name] === values[name]) continue;
      const { variable } = companyFacts[name];
      problems.push({
        path: pathOf(name),
        message: `is locked: ${variable ?? 'a variable'} says it, and SITE_LOCKED names that`,
      });
    }
    if (problems.length > 0) throw new SettingsRefusedError(problems);
    return input;
  }

  /** @param pathOf the place that a problem is named by */
  async hold(
    em: EntityManager,
    values: Readonly<Record<string, unknown>>,
    pathOf?: (name: string) => string,
  ): Promise<void> {
    await holdPictures(em, values, pathOf);
  }

  apply(content: SettingsContent, values: Readonly<Record<string, unknown>>): SettingsContent {
    return { ...content, ...values };
  }

  toMoment(content: SettingsContent): SiteMoment {
    return toMoment(this.config, content, this.site.pagesContent);
  }
}

/** Addresses of an example are nobody's: they can only become others. */
function isConfirmable(name: CompanyFact): boolean {
  const { kind, fallback } = companyFacts[name];
  return fallback !== null && ['text', 'phone', 'switch'].includes(kind);
}

/** Says that there is no such fact, and which one may be meant. */
export function explainUnknownFact(name: string, path: string): SettingProblem {
  const byVariable = companyFactNames.find((fact) => companyFacts[fact].variable === name.toUpperCase());
  const nearest = byVariable ?? nearestOf(name, companyFactNames);
  const advice = nearest === undefined ? 'settings list names all of them' : `did you mean ${nearest}?`;
  return { path, message: `there is no such setting; ${advice}` };
}
