import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import {
  companyFactNames,
  companyFacts,
  pictureFacts,
  type CompanyFact,
  type FactValue,
} from '../shared/contracts/company-facts.js';
import type { CompanyInputValues } from '../shared/contracts/company-input.js';
import { parseMediaUrl } from '../shared/media.js';
import { COMPANY_DOCUMENT, SiteService, type FactSource } from '../site/site.service.js';
import { CompanyDefinition, explainUnknownFact } from './company-definition.js';
import { SettingsStoreService, type Decide } from './settings-store.service.js';
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
    private readonly em: EntityManager,
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
    { isDryRun = false, pathOf = (name) => name, within }: PublishOptions = {},
  ): Promise<FactChange[]> {
    await this.roles.requireAdmin(actor, within);
    const values = this.definition.check(given, pathOf);
    if (isDryRun) {
      await this.definition.hold(this.em.fork({ disableTransactions: true }), values, pathOf);
      return this.compare(values);
    }
    let changes: FactChange[] = [];
    const decide: Decide = async ({ content, draft }, em) => {
      await this.definition.hold(em, values, pathOf);
      // Somebody may have published since this process read the setting.
      changes = this.compare(values, content);
      if (changes.length === 0) return null;
      await this.recordPublication(
        em,
        actor,
        changes.map(({ name }) => name),
      );
      return { content: { ...content, ...Object.fromEntries(changes.map(({ name, after }) => [name, after])) }, draft };
    };
    await this.store.change(actor, COMPANY_DOCUMENT, decide, within);
    if (within === undefined) await this.site.refresh();
    return changes;
  }

  /**
   * Puts a picture into the place of another where pages and the draft show it, in the transaction of `em`; earlier
   * versions keep it. Afterwards the site is to be refreshed.
   * @param fromId the id of the picture that goes
   * @param to address of the one that comes
   * @returns the facts that became others
   * @throws SettingsRefusedError if the new one cannot stand there
   */
  async replacePicture(em: EntityManager, actor: Actor, fromId: string, to: string): Promise<CompanyFact[]> {
    await this.roles.requireAdmin(actor);
    const changed = new Set<CompanyFact>();
    const replaceIn = (values: Readonly<Record<string, unknown>>) => {
      const facts = pictureFacts.filter((name) => idOf(values[name]) === fromId);
      for (const name of facts) changed.add(name);
      return this.definition.check(Object.fromEntries(facts.map((name) => [name, to])));
    };
    await this.store.changeWithin(em, actor, COMPANY_DOCUMENT, async ({ content, draft }) => {
      const published = replaceIn(content);
      const waiting = replaceIn(draft ?? {});
      if (changed.size === 0) return null;
      await this.definition.hold(em, { ...published, ...waiting });
      const facts = Object.keys(published);
      if (facts.length > 0) await this.recordPublication(em, actor, facts);
      return { content: { ...content, ...published }, draft: draft && { ...draft, ...waiting } };
    });
    return [...changed];
  }

  private async recordPublication(em: EntityManager, actor: Actor, facts: readonly string[]): Promise<void> {
    await this.audit.record(em, actor, {
      action: 'settings.published',
      subjectType: 'settings',
      subjectId: COMPANY_DOCUMENT,
      subject: 'the company',
      details: { changed: facts.join(', ') },
    });
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

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' ? parseMediaUrl(value)?.id : undefined;
}

/** How facts are published. */
export interface PublishOptions {
  /** True to say only what would become different. */
  readonly isDryRun?: boolean;
  readonly pathOf?: (name: string) => string;
  /** The transaction of a caller that publishes more in it, and has the site read anew afterwards. */
  readonly within?: EntityManager | undefined;
}
