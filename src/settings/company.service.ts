import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { companyFactNames, companyFacts, type CompanyFact, type FactValue } from '../shared/contracts/company-facts.js';
import type { CompanyInputValues } from '../shared/contracts/company-input.js';
import { COMPANY_DOCUMENT, SiteService, type FactSource } from '../site/site.service.js';
import { CompanyDefinition, explainUnknownFact } from './company-definition.js';
import { SettingsStoreService } from './settings-store.service.js';
import { SettingsRefusedError } from './settings.errors.js';

export { SettingsRefusedError } from './settings.errors.js';

/** A fact as it is now. */
export interface ListedFact {
  readonly name: CompanyFact;
  readonly value: FactValue;
  readonly source: FactSource;
  /** The variable that says it, or would; null where there is none. */
  readonly variable: string | null;
  /** True for a variable that says something else than the setting, which counts. */
  readonly isIgnored: boolean;
  /** True for hours in words while the days say them. */
  readonly isOverruled: boolean;
}

/** A fact that becomes another one. */
export interface FactChange {
  readonly name: CompanyFact;
  readonly before: FactValue;
  readonly after: FactValue;
}

/** Reads and publishes the facts of the company. For administrators. */
@Injectable()
export class CompanyService {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly definition: CompanyDefinition,
    private readonly site: SiteService,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
  ) {}

  /** Every fact, in the order of the form. */
  async list(actor: Actor): Promise<ListedFact[]> {
    await this.roles.requireAdmin(actor);
    const { values, sources, ignored } = this.site.company;
    const { openingHours } = this.site.current;
    return companyFactNames.map((name) => ({
      name,
      value: values[name],
      source: sources[name],
      variable: companyFacts[name].variable,
      isIgnored: ignored.includes(name),
      isOverruled: name === 'hours' && openingHours !== undefined,
    }));
  }

  /** @throws SettingsRefusedError where there is no such fact, naming the nearest one */
  async find(actor: Actor, name: string): Promise<ListedFact> {
    const facts = await this.list(actor);
    const fact = facts.find((each) => each.name === name);
    if (fact === undefined) throw new SettingsRefusedError([explainUnknownFact(name, name)]);
    return fact;
  }

  /**
   * Publishes facts at once: all of them or, if one is refused, none.
   * @param given by name, as they were typed; absent ones stay as they are
   * @param pathOf the place that a problem is named by
   * @returns what becomes different by it, also of a dry run; none of it is a new version
   * @throws SettingsRefusedError naming everything that is wrong
   */
  async publish(
    actor: Actor,
    given: Readonly<Record<string, unknown>>,
    { isDryRun = false, pathOf = (name) => name }: PublishOptions = {},
  ): Promise<FactChange[]> {
    await this.roles.requireAdmin(actor);
    const values = this.definition.check(given, pathOf);
    if (isDryRun) return this.compare(values);
    let changes: FactChange[] = [];
    await this.store.change(actor, COMPANY_DOCUMENT, async ({ content, draft }, em) => {
      // Somebody may have published since this process read the setting.
      changes = this.compare(values, content);
      if (changes.length === 0) return null;
      await this.audit.record(em, actor, {
        action: 'settings.published',
        subjectType: 'settings',
        subjectId: COMPANY_DOCUMENT,
        subject: 'the company',
        details: { changed: changes.map(({ name }) => name).join(', ') },
      });
      return { content: { ...content, ...Object.fromEntries(changes.map(({ name, after }) => [name, after])) }, draft };
    });
    await this.site.refresh();
    return changes;
  }

  /** @param content of the setting, where it may be newer than what this process knows */
  private compare(values: CompanyInputValues, content?: Readonly<Record<string, unknown>>): FactChange[] {
    const current = this.site.company;
    return companyFactNames.flatMap((name) => {
      const after = values[name];
      if (after === undefined || current.sources[name] === 'locked') return [];
      const stored = content?.[name] as FactValue | undefined;
      const before = stored ?? (content !== undefined && name in content ? null : current.values[name]);
      // What nobody has said is a setting once somebody says it, also as it is.
      const isSaid = content === undefined ? current.sources[name] !== 'fallback' : name in content;
      return after === before && (isSaid || current.sources[name] === 'variable') ? [] : [{ name, before, after }];
    });
  }
}

/** How facts are published. */
export interface PublishOptions {
  /** True to say only what would become different. */
  readonly isDryRun?: boolean;
  readonly pathOf?: (name: string) => string;
}
