import type { KeyObject } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { DerivedKeysService } from '../auth/keys/derived-keys.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { PreviewLink } from '../shared/contracts/admin-posts.js';
import type { PostDetail } from '../shared/contracts/posts.js';
import { paths } from '../shared/paths.js';
import { toWorkingForm, wasSaved } from './admin-post.presenter.js';
import { requireReached } from './post-rights.js';
import { PostWriter } from './post-writer.js';
import { Post, type PostRow } from './post.entity.js';
import { PostTrashedException, PreviewLinkNotFoundException } from './post.errors.js';
import { PostPreviewLink, type PostPreviewLinkRow } from './post-preview-link.entity.js';
import { PRESENTER_CONTEXT, toPostDetail, type PresenterContext } from './post.presenter.js';
import { toUncheckedColumns } from './post-texts.js';
import { findOrCreateLink, isWithdrawn, latestEnd, listLinks, withdrawLinks } from './preview-links.js';
import { formatPreviewToken, readPreviewToken } from './preview-token.js';

/** A preview link that somebody made, for who asks what is kept about them. Moments are ISO 8601, UTC. */
export interface MadePreviewLink {
  /** The post's id: its title may be none of theirs any more. */
  readonly post_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** Null for a link that was not withdrawn. */
  readonly withdrawn_at: string | null;
}

/** Links at which a post can be read as its author sees it, by whoever has the link, for seven days or until withdrawn. */
@Injectable()
export class PreviewsService {
  private readonly key: KeyObject;

  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
    @Inject(CONFIG) private readonly config: Config,
    keys: DerivedKeysService,
  ) {
    this.key = keys.keyFor('posts previews');
  }

  /** Makes a link, or answers the one of today. @throws PostNotFoundException, PostTrashedException */
  async createLink(actor: Actor, postId: string): Promise<PreviewLink> {
    return await this.writer.transaction(async (em) => {
      // Else a role that is taken at this moment would leave a link that nobody withdraws.
      const scope = await this.roles.holdAuthor(em, actor);
      const row = await this.writer.lockOne(em, postId, scope);
      if (row.deletedAt) throw new PostTrashedException();
      const { link, isNew } = await findOrCreateLink(em, postId, userIdOf(actor), this.clock.now());
      if (isNew) await this.writer.record(em, actor, { row, action: 'post.preview_link_created' });
      return this.present(postId, link);
    });
  }

  /** Lists the links of a post that can be used, the newest first. @throws PostNotFoundException for an author */
  async listLinks(actor: Actor, postId: string): Promise<PreviewLink[]> {
    const scope = await this.roles.requireAuthor(actor);
    const em = this.em.fork({ disableTransactions: true });
    if (scope.ownerId !== null) await requireReached(em, postId, scope);
    const links = await listLinks(em, postId, this.clock.now());
    return links.map((link) => this.present(postId, link));
  }

  /** Lists the links that these accounts made, those that have ended too, the oldest first. The caller has checked the actor. */
  async listMade(userIds: readonly string[]): Promise<MadePreviewLink[]> {
    const em = this.em.fork({ disableTransactions: true });
    const orderBy = { createdAt: 'asc', id: 'asc' } as const;
    const links = await em.find(PostPreviewLink, { createdBy: { $in: [...userIds] } }, { orderBy });
    return links.map(({ post, createdAt, expiresAt, withdrawnAt }) => ({
      post_id: post.id,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      withdrawn_at: withdrawnAt?.toISOString() ?? null,
    }));
  }

  /** Ends a link at once and for good. @throws PreviewLinkNotFoundException, PostNotFoundException */
  async withdrawLink(actor: Actor, postId: string, linkId: string): Promise<void> {
    const scope = await this.roles.requireAuthor(actor);
    await this.writer.transaction(async (em) => {
      const row = await this.writer.lockOne(em, postId, scope);
      const link = await em.findOne(PostPreviewLink, { id: linkId, post: postId });
      if (link === null) throw new PreviewLinkNotFoundException();
      if (link.withdrawnAt !== null) return;
      link.withdrawnAt = this.clock.now();
      await this.writer.record(em, actor, { row, action: 'post.preview_link_withdrawn' });
    });
  }

  /** Ends all links of a post, those that are not listed too. @throws PostNotFoundException */
  async withdrawAll(actor: Actor, postId: string): Promise<void> {
    const scope = await this.roles.requireAuthor(actor);
    await this.writer.transaction(async (em) => {
      const row = await this.writer.lockOne(em, postId, scope);
      await withdrawLinks(em, [postId], this.clock.now());
      await this.writer.record(em, actor, { row, action: 'post.preview_links_withdrawn' });
    });
  }

  /** The post of a link, with the edits that were kept; null when the link is wrong or has expired. */
  async find(token: string): Promise<PostDetail | null> {
    const claim = readPreviewToken(this.key, token);
    const now = this.clock.now();
    if (claim === null || claim.expiresAt <= now || claim.expiresAt > latestEnd(now)) return null;
    const em = this.em.fork({ disableTransactions: true });
    const row = await em.findOne(Post, { id: claim.postId, deletedAt: null });
    if (row === null || (await isWithdrawn(em, claim.postId, claim.expiresAt))) return null;
    return toPostDetail({ ...row, ...toWorkingContents(row) }, this.context);
  }

  private present(postId: string, { id, createdAt, expiresAt }: PostPreviewLinkRow): PreviewLink {
    const url = new URL(paths.preview(formatPreviewToken(this.key, { postId, expiresAt })), this.config.site.url);
    return { id, url: url.href, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
  }
}

/** Edits as readers would see them; they may be half done. */
function toWorkingContents(row: PostRow): Partial<PostRow> {
  if (!row.workingCopy) return wasSaved(row) ? {} : { title: 'Untitled' };
  const columns = toUncheckedColumns(toWorkingForm(row));
  return { ...columns, title: columns.title || 'Untitled' };
}
