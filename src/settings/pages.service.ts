import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { findDifferences, type TextDifference } from '../shared/contracts/page-texts/differences.js';
import { PAGES_DOCUMENT, SiteService } from '../site/site.service.js';
import type { PublishOptions } from './company.service.js';
import { PagesDefinition } from './pages-definition.js';
import type { SettingsContent } from './settings-document.entity.js';
import { SettingsStoreService, type Decide } from './settings-store.service.js';

type Values = Readonly<Record<string, unknown>>;

/** Publishes the texts of pages at once, for the command line. For administrators. */
@Injectable()
export class PagesService {
  constructor(
    private readonly store: SettingsStoreService,
    private readonly definition: PagesDefinition,
    private readonly site: SiteService,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the texts that are not as they came, by page. */
  async listEdits(actor: Actor): Promise<Readonly<Record<string, Values>>> {
    await this.roles.requireAdmin(actor);
    const pages = Object.entries<Values>(this.site.texts.edits);
    return Object.fromEntries(pages.filter(([, values]) => Object.keys(values).length > 0));
  }

  /** Checks texts without publishing them. @throws SettingsRefusedError naming everything that is wrong */
  async check(actor: Actor, given: Values, { pathOf }: PublishOptions = {}): Promise<void> {
    await this.roles.requireAdmin(actor);
    const { content } = await this.store.read(PAGES_DOCUMENT);
    this.compute(content, given, pathOf);
  }

  /**
   * Publishes texts at once: all of them or, if one is refused, none.
   * @param given by name, such as `pricing.plans`; null for a text as it came; absent ones stay as they are
   * @returns what becomes different by it, also of a dry run; none of it is a new version
   * @throws SettingsRefusedError naming everything that is wrong
   */
  async publish(
    actor: Actor,
    given: Values,
    { isDryRun = false, pathOf, within }: PublishOptions = {},
  ): Promise<TextDifference[]> {
    await this.roles.requireAdmin(actor, within);
    if (isDryRun) return this.compute((await this.store.read(PAGES_DOCUMENT)).content, given, pathOf).differences;
    let differences: TextDifference[] = [];
    const decide: Decide = async ({ content, draft }, em) => {
      const next = this.compute(content, given, pathOf);
      differences = next.differences;
      if (differences.length === 0) return null;
      await this.audit.record(em, actor, {
        action: 'settings.published',
        subjectType: 'settings',
        subjectId: PAGES_DOCUMENT,
        subject: this.definition.subject,
        details: { changed: next.changed.join(', ') },
      });
      return { content: next.content, draft };
    };
    await this.store.change(actor, PAGES_DOCUMENT, decide, within);
    if (within === undefined) await this.site.refresh();
    return differences;
  }

  private compute(content: SettingsContent, given: Values, pathOf?: (path: string) => string) {
    const values = this.definition.check(given, pathOf);
    const next = this.definition.apply(content, values);
    this.definition.checkWhole(next, pathOf);
    const before = this.definition.read(content).values;
    const found = Object.entries(values).map(([name, value]) => findDifferences(name, before[name], value));
    const changed = Object.keys(values).filter((_, index) => (found[index]?.length ?? 0) > 0);
    return { content: next, differences: found.flat(), changed };
  }
}
