import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CONFIG, type Config } from '../config/config.js';
import { NewEnquiriesService } from '../contact/new-enquiries.service.js';
import { PostPlansService } from '../posts/post-plans.service.js';
import { ReadsService } from '../reads/reads.service.js';
import { RolesService } from '../roles/roles.service.js';
import { SettingsService } from '../settings/settings.service.js';
import type { Actor } from '../shared/actor.js';
import type { Overview, OverviewPart, OverviewReads } from '../shared/contracts/overview.js';
import { GoodStartService } from './good-start.service.js';
import { SiteHealthService } from './site-health.service.js';
import { within } from './within.js';

/** Less than requests have of the database, so that a slow part is named and does not take the page with it. */
const PART_MS = 5000;
const POSTS_SHOWN = 5;

/** Gathers what the start page of the admin area shows. */
@Injectable()
export class OverviewService {
  private readonly logger = new Logger(OverviewService.name);

  constructor(
    private readonly roles: RolesService,
    private readonly enquiries: NewEnquiriesService,
    private readonly posts: PostPlansService,
    private readonly settings: SettingsService,
    private readonly health: SiteHealthService,
    private readonly goodStart: GoodStartService,
    private readonly modules: ModuleRef,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns what came in, what waits and what needs attention; a part that cannot be found out is named. For authors it
   * is what waits, is scheduled and was read of their own posts.
   */
  async gather(actor: Actor): Promise<Overview> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const failed: OverviewPart[] = [];
    const part = async <T>(name: OverviewPart, find: () => Promise<T>): Promise<T | null> => {
      try {
        return await within(PART_MS, find());
      } catch (error) {
        this.logger.warn({ err: error, part: name }, 'A part of the start page could not be found out');
        failed.push(name);
        return null;
      }
    };
    const ofSite = <T>(name: OverviewPart, find: () => Promise<T>) => (ownerId === null ? part(name, find) : null);
    const [start, enquiries, waiting, settings, scheduled, reads, health] = await Promise.all([
      ofSite('start', () => this.goodStart.list(actor)),
      ofSite('enquiries', () => this.enquiries.summarize(actor)),
      part('waiting', () => this.posts.findWaiting(actor)),
      ofSite('settings', () => this.settings.listWaiting(actor)),
      part('scheduled', () => this.posts.findScheduled(actor)),
      part('reads', () => this.findReads(actor)),
      ofSite('health', () => this.health.read()),
    ]);
    return { failed: failed.sort(), start, enquiries, waiting, settings, scheduled, reads, health };
  }

  /** Returns null where reads are not counted, as nothing knows of them then (`reads.module.ts`). */
  private async findReads(actor: Actor): Promise<OverviewReads | null> {
    if (this.config.site.readCountsDays === null) return null;
    const report = await this.modules.get(ReadsService, { strict: false }).report(actor);
    const total = (report?.days ?? []).reduce((sum, { count }) => sum + count, 0);
    return { total, posts: (report?.posts ?? []).slice(0, POSTS_SHOWN) };
  }
}
