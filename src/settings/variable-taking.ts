import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { SYSTEM } from '../shared/actor.js';
import { companyFacts } from '../shared/contracts/company-facts.js';
import { COMPANY_DOCUMENT, describeIgnored, SiteService } from '../site/site.service.js';
import { SettingsStoreService } from './settings-store.service.js';

/**
 * Takes what the variables say of the company into the setting, once: from then on the setting counts, and an operator
 * who changes a variable is told that it does nothing. For servers: the shell of a command may have other variables.
 */
@Injectable()
export class VariableTaking implements OnApplicationBootstrap {
  private readonly logger = new Logger(VariableTaking.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly site: SiteService,
    private readonly store: SettingsStoreService,
  ) {}

  /** A failure costs nothing: as long as a variable is not taken, pages say what it says, and the next start tries again. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.take();
    } catch (error) {
      this.logger.warn({ err: error }, 'The variables of the company could not be taken into the settings');
    }
    const ignored = describeIgnored(this.site.company);
    if (ignored !== '') this.logger.warn(ignored);
  }

  private async take(): Promise<void> {
    const { given, locked, values } = this.config.company;
    // Who sets a variable to its fallback says nothing that would have to be kept.
    const wanted = given.filter((name) => !locked.includes(name) && values[name] !== companyFacts[name].fallback);
    const { sources } = this.site.company;
    if (wanted.every((name) => sources[name] === 'setting')) return;
    await this.store.change(SYSTEM, COMPANY_DOCUMENT, async ({ content, draft }) => {
      // Another process may have been here since.
      const taken = wanted.filter((name) => !Object.hasOwn(content, name));
      if (taken.length === 0) return null;
      this.logger.log(`Taken into the settings: ${taken.map((name) => companyFacts[name].variable).join(', ')}`);
      return { content: { ...content, ...Object.fromEntries(taken.map((name) => [name, values[name]])) }, draft };
    });
    await this.site.refresh();
  }
}
