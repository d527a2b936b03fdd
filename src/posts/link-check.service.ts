import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { LinkCheckResult } from '../shared/contracts/link-check.js';
import { isPagePath, type LinkState } from '../shared/link-state.js';
import { paths } from '../shared/paths.js';
import { Post } from './post.entity.js';

type Server = ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance'] extends () => infer T ? T : never;

/** Looks where links within this site lead, for the editor. For administrators. */
@Injectable()
export class LinkCheckService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Asks this very server for each path, one after the other, as a reader's browser would. */
  async check(actor: Actor, asked: readonly string[]): Promise<LinkCheckResult> {
    await this.roles.requireAdmin(actor);
    const links: { path: string; state: LinkState }[] = [];
    for (const path of new Set(asked)) links.push({ path, state: await this.find(path) });
    return { links };
  }

  private async find(path: string): Promise<LinkState> {
    // What is no page answers other things than pages do, or does something.
    if (!isPagePath(path)) return 'found';
    if (await this.isAnswered(path)) return 'found';
    const hidden = await this.findHiddenPost(path);
    if (hidden === null) return 'missing';
    return hidden.scheduledAt === null ? 'draft' : 'scheduled';
  }

  private async isAnswered(path: string): Promise<boolean> {
    const server: Server = this.host.httpAdapter.getInstance();
    const { statusCode } = await server.inject({ method: 'GET', url: path, headers: { accept: 'text/html' } });
    return statusCode !== 404 && statusCode !== 410;
  }

  private async findHiddenPost(path: string) {
    const slug = path.startsWith(paths.blog('')) ? decode(path.slice(paths.blog('').length)) : null;
    if (slug === null) return null;
    const where = { slug, isPublished: false, deletedAt: null };
    return await this.em.fork().findOne(Post, where, { fields: ['scheduledAt'] });
  }
}

/** Null for what no address can be. */
function decode(text: string): string | null {
  try {
    const slug = decodeURIComponent(text);
    return slug === '' || slug.includes('\0') ? null : slug;
  } catch {
    return null;
  }
}
