import { resolve } from 'node:path';
import { EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { ExportFormat, ExportItem, ExportOptions, ExportReport } from '../shared/contracts/export-report.js';
import { Clock } from '../shared/clock.js';
import { SiteService } from '../site/site.service.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { describeFailure, ExportError } from './export.error.js';
import { findUnknownSlugs, readExportedPosts, toFilter } from './exported-posts.js';
import type { PostFiles } from './post-files.js';
import { Post } from '../posts/post.entity.js';
import { toOwnAddresses } from '../posts/post.presenter.js';

/** Told after each post; `total` is known from the start. */
export type ExportProgress = (done: number, total: number) => void;

/** Takes the posts out, so that another site, or this one again, can be made of them. For administrators. */
@Injectable()
export class PostsExportService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly uploads: UploadsService,
    private readonly redirects: RedirectsService,
    private readonly site: SiteService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Writes posts, drafts among them, with the images that they show, as they are at one moment. Everything appears in
   * its place when the last post is written; an export that fails leaves nothing behind.
   * @param destination a file for JSON, a folder for all others
   * @throws ExportError if there is nothing to export, or the destination cannot be written
   */
  async export(
    actor: Actor,
    destination: string,
    options: ExportOptions = {},
    onProgress: ExportProgress = () => undefined,
  ): Promise<ExportReport> {
    await this.roles.requireAdmin(actor);
    const path = resolve(destination);
    const format = options.format ?? (/\.json$/i.test(path) ? 'json' : 'markdown');
    try {
      const result = await this.em
        .fork()
        .transactional((em) => this.exportAll(em, () => this.open(em, path, format, options), options, onProgress), {
          isolationLevel: IsolationLevel.REPEATABLE_READ,
          readOnly: true,
        });
      return { format, destination: path, ...result };
    } catch (error) {
      throw describeFailure(error, path);
    }
  }

  private async exportAll(
    em: EntityManager,
    open: () => Promise<PostFiles>,
    options: ExportOptions,
    onProgress: ExportProgress,
  ): Promise<Pick<ExportReport, 'items' | 'images' | 'losses' | 'unknown'>> {
    // Copying large images takes longer than queries may.
    await em.execute('set local idle_in_transaction_session_timeout = 0');
    const filter = toFilter(options);
    const total = await em.count(Post, filter);
    if (total === 0) throw new ExportError('There are no such posts');
    const unknown = await findUnknownSlugs(em, options.slugs ?? []);
    const files = await open();
    try {
      const { ExportRun } = await import('./export-run.js');
      const run = new ExportRun(files, this.uploads);
      const items: ExportItem[] = [];
      for await (const post of readExportedPosts(em, filter, this.redirects)) {
        items.push(await run.add(post));
        onProgress(items.length, total);
      }
      await files.finish();
      return { items, images: run.imageCount, losses: run.losses, unknown };
    } catch (error) {
      await files.discard();
      throw error;
    }
  }

  private async open(
    em: EntityManager,
    path: string,
    format: ExportFormat,
    options: ExportOptions,
  ): Promise<PostFiles> {
    // What writes a format is large; servers export nothing.
    switch (format) {
      case 'json': {
        const { JsonFiles } = await import('./json-files.js');
        return await JsonFiles.create(path, this.config.server.publicUrl, options);
      }
      case 'wxr': {
        const { WxrFiles } = await import('./foreign/wxr-files.js');
        return await WxrFiles.create(path, options, await this.describeSite(em, options));
      }
      case 'ghost': {
        const { GhostFiles } = await import('./foreign/ghost-files.js');
        return await GhostFiles.create(path, options, await this.describeSite(em, options));
      }
      case 'markdown': {
        const { MarkdownFiles } = await import('./markdown-files.js');
        return await MarkdownFiles.create(path, options);
      }
    }
  }

  private async describeSite(em: EntityManager, options: ExportOptions) {
    const { readSiteTerms } = await import('./foreign/site-terms.js');
    const { name, timeZone } = this.site.current;
    const url = this.config.server.publicUrl.replace(/\/+$/, '');
    const terms = await readSiteTerms(em, toFilter(options));
    return { url, name, timeZone, terms, own: toOwnAddresses(this.config), now: this.clock.now() };
  }
}
