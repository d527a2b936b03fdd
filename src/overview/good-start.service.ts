import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { BackupService } from '../backup/backup.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { companyFacts } from '../shared/contracts/company-facts.js';
import { START_STEPS, type StartStep, type StartStepName } from '../shared/contracts/overview.js';
import { CLAIMS, isReservedPlace, isSaid, SiteService } from '../site/site.service.js';

type Facts = Readonly<Record<'post' | 'enquiry' | 'mail' | 'backup' | 'factor', boolean>>;

/** Knows what a new installation still lacks, by facts alone. */
@Injectable()
export class GoodStartService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly site: SiteService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns the steps of a good start, in the order in which they are taken; none once all of them are done. */
  async list(actor: Actor): Promise<StartStep[]> {
    await this.roles.requireAdmin(actor);
    const facts = await this.findFacts(userIdOf(actor));
    const { mode, mail, backups } = this.config;
    const { name, phone, helpDeskUrl } = this.site.current;
    const { sources } = this.site.company;
    // The setup takes them back; a site that was made with commands makes those of the example.
    const areClaimsOwn = mode !== 'production' || CLAIMS.every((claim) => isSaid(claim, sources));
    const done: Readonly<Record<StartStepName, boolean>> = {
      name: name !== companyFacts.name.fallback,
      phone: phone !== companyFacts.phone.fallback,
      facts: isSaid('hours', sources) && !isReservedPlace(helpDeskUrl) && areClaimsOwn,
      post: facts.post,
      // What was kept in a folder has reached nobody. An enquiry that was sent may be of a release without marks.
      mail: mail.transport.kind === 'smtp' && (facts.mail || facts.enquiry),
      backup: backups.warnDays === 0 || facts.backup || (await new BackupService(this.config).findTimes()).length > 0,
      factor: facts.factor,
    };
    const steps = START_STEPS.map((name) => ({ name, is_done: done[name] }));
    return steps.every(({ is_done: isDone }) => isDone) ? [] : steps;
  }

  private async findFacts(userId: string | null): Promise<Facts> {
    const [facts] = await this.em.fork({ disableTransactions: true }).execute<Facts[]>(
      `select exists (select from blog_posts where first_published_at is not null) as post,
         exists (select from enquiries where sent_at is not null) as enquiry,
         exists (select from site_marks where name = 'mail.delivered') as mail,
         exists (select from site_marks where name = 'backup.made') as backup,
         exists (select from auth.mfa_factors where user_id = ?::uuid and status = 'verified') as factor`,
      [userId],
    );
    return facts ?? { post: false, enquiry: false, mail: false, backup: false, factor: false };
  }
}
