import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { DerivedKeysService } from '../auth/keys/derived-keys.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { PreviewLink } from '../shared/contracts/admin-posts.js';
import type { PostDetail } from '../shared/contracts/posts.js';
import { paths } from '../shared/paths.js';
import { toKeptForm, wasSaved } from './admin-post.presenter.js';
import { PostWriter } from './post-writer.js';
import { Post, type PostRow } from './post.entity.js';
import { PostNotFoundException, PostTrashedException } from './post.errors.js';
import { PRESENTER_CONTEXT, toPostDetail, type PresenterContext } from './post.presenter.js';
import { toUncheckedColumns } from './post-texts.js';
import { formatPreviewToken, readPreviewToken } from './preview-token.js';

const LIFETIME_MS = 7 * 24 * 3_600_000;

/** Links at which a post can be read as its author sees it, by whoever has the link, for seven days. */
@Injectable()
export class PreviewsService {
  private readonly key: Buffer;

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

  /** @throws PostNotFoundException, PostTrashedException */
  async createLink(actor: Actor, postId: string): Promise<PreviewLink> {
    await this.roles.requireAdmin(actor);
    return await this.writer.transaction(async (em) => {
      const row = await em.findOne(Post, { id: postId });
      if (row === null) throw new PostNotFoundException();
      if (row.deletedAt) throw new PostTrashedException();
      const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS);
      await this.writer.record(em, actor, { row, action: 'post.preview_link_created' });
      const url = new URL(paths.preview(formatPreviewToken(this.key, { postId, expiresAt })), this.config.site.url);
      return { url: url.href, expires_at: expiresAt.toISOString() };
    });
  }

  /** The post of a link, with the edits that were kept; null when the link is not good, or no longer. */
  async find(token: string): Promise<PostDetail | null> {
    const claim = readPreviewToken(this.key, token);
    if (claim === null || claim.expiresAt <= this.clock.now()) return null;
    const em = this.em.fork({ disableTransactions: true });
    const row = await em.findOne(Post, { id: claim.postId, deletedAt: null });
    if (row === null) return null;
    return toPostDetail({ ...row, ...toKeptContents(row) }, this.context);
  }
}

/** Edits as readers would see them; they may be half done. */
function toKeptContents(row: PostRow): Partial<PostRow> {
  if (!row.workingCopy) return wasSaved(row) ? {} : { title: 'Untitled' };
  const columns = toUncheckedColumns(toKeptForm(row));
  return { ...columns, title: columns.title || 'Untitled' };
}
