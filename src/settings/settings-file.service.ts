import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import type { Actor } from '../shared/actor.js';
import type { TextDifference } from '../shared/contracts/page-texts/differences.js';
import { SiteService } from '../site/site.service.js';
import { CompanyService, type FactChange, type PublishOptions } from './company.service.js';
import { PagesService } from './pages.service.js';
import { readSettings, writeSettings } from './settings-yaml.js';
import { SettingsRefusedError, type SettingProblem } from './settings.errors.js';

/** The changes that an import of a file makes. */
export interface ImportedSettings {
  readonly company: readonly FactChange[];
  readonly pages: readonly TextDifference[];
}

const ofCompany: PublishOptions = { pathOf: (name) => `company.${name}` };
const ofPages: PublishOptions = { pathOf: (name) => `pages.${name}` };

/** Writes and reads files with all settings. For administrators. */
@Injectable()
export class SettingsFileService {
  constructor(
    private readonly company: CompanyService,
    private readonly pages: PagesService,
    private readonly site: SiteService,
    private readonly em: EntityManager,
  ) {}

  /** Returns the facts and texts that somebody has said as YAML, which {@link import} takes. */
  async export(actor: Actor): Promise<string> {
    return writeSettings(this.site.company, await this.pages.listEdits(actor));
  }

  /**
   * Publishes the settings of a file that {@link export} wrote: all of them or none. Both parts are looked at before, so that
   * every fault is named.
   * @throws SettingsRefusedError naming every fault by its path
   */
  async import(actor: Actor, text: string, isDryRun: boolean): Promise<ImportedSettings> {
    const { company, pages } = readSettings(text);
    const problems = await Promise.all([
      problemsOf(() => this.company.publish(actor, company, { ...ofCompany, isDryRun: true })),
      problemsOf(() => this.pages.check(actor, pages, ofPages)),
    ]);
    if (problems.flat().length > 0) throw new SettingsRefusedError(problems.flat());
    const publish = async (within?: EntityManager): Promise<ImportedSettings> => ({
      company: await this.company.publish(actor, company, { ...ofCompany, isDryRun, within }),
      pages: await this.pages.publish(actor, pages, { ...ofPages, isDryRun, within }),
    });
    if (isDryRun) return await publish();
    const changes = await twiceIfRaced(() => this.em.fork().transactional(publish));
    await this.site.refresh();
    return changes;
  }
}

async function problemsOf(check: () => Promise<unknown>): Promise<readonly SettingProblem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof SettingsRefusedError) return error.problems;
    throw error;
  }
}
