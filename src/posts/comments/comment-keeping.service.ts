import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, NotFoundException } from '@nestjs/common';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import type { CommentQuery, ManagedComment, ManagedCommentPage } from '../../shared/contracts/comments.js';
import { escapeText } from '../content/markup-tree.js';
import { toPlainText } from '../content/plain-text.js';
import { requireEditable } from '../post-rights.js';
import { CommentsService } from './comments.service.js';

const PAGE_SIZE = 50;
const FROM = `from post_comments c join blog_posts p on p.id = c.post_id
  where c.removed_at is null and p.deleted_at is null and (?::uuid is null or p.owner_id = ?::uuid)
    and (?::uuid is null or p.id = ?::uuid)
    and (?::text = '' or c.author ilike ? or p.title ilike ? or regexp_replace(c.html, '<[^>]*>', '', 'g') ilike ?)`;

/** Shows the comments below posts to those who look after them, and removes single ones. */
@Injectable()
export class CommentKeepingService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly comments: CommentsService,
  ) {}

  /** The comments below the posts that somebody reaches, the newest first; those in the trash are left out. */
  async list(actor: Actor, { search = '', post, cursor }: CommentQuery): Promise<ManagedCommentPage> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const words = search.trim();
    const values = [ownerId, ownerId, post ?? null, post ?? null, words];
    const patterns = [toPattern(words), toPattern(words), toPattern(escapeText(words))];
    const [time = '', after = '', ...rest] = cursor?.split('_') ?? [];
    const em = this.em.fork({ disableTransactions: true });
    interface Row extends Omit<ManagedComment, 'text'> {
      readonly html: string;
      readonly moment: string;
    }
    const rows = await em.execute<Row[]>(
      `select c.source_id as id, p.id as post_id, p.title as post_title, p.slug as post_slug, p.is_published, c.author,
         c.author_url, to_json(c.written_at) as written_at, c.html, (extract(epoch from c.written_at) * 1000)::bigint::text as moment
       ${FROM}
         and (?::text = '' or (c.written_at, p.id, c.source_id) < (to_timestamp(?::numeric / 1000), ?::uuid, ?::text))
       order by c.written_at desc, p.id desc, c.source_id desc limit ?`,
      [...values, ...patterns, time, time || '0', after || NOBODY, rest.join('_'), PAGE_SIZE + 1],
    );
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(`select count(*)::int as total ${FROM}`, [
      ...values,
      ...patterns,
    ]);
    const items = rows.slice(0, PAGE_SIZE);
    const last = items.at(-1);
    const isMore = rows.length > PAGE_SIZE && last !== undefined;
    return {
      items: items.map(({ html, moment: _moment, written_at, ...row }) => ({
        ...row,
        written_at: new Date(written_at).toISOString(),
        text: toPlainText(html),
      })),
      total,
      next_cursor: isMore ? `${last.moment}_${last.post_id}_${last.id}` : null,
    };
  }

  /**
   * Removes a comment for good: no import brings it again. Below a published post that is for those who publish.
   * @throws NotFoundException when there is none below a post that somebody reaches
   */
  async remove(actor: Actor, postId: string, id: string): Promise<void> {
    const scope = await this.roles.requireAuthor(actor);
    await this.em.fork().transactional(async (em) => {
      const [post] = await em.execute<{ is_published: boolean; scheduled_at: Date | null }[]>(
        `select is_published, scheduled_at from blog_posts
         where id = ?::uuid and deleted_at is null and (?::uuid is null or owner_id = ?::uuid) for share`,
        [postId, scope.ownerId, scope.ownerId],
      );
      if (post === undefined) throw new CommentNotFoundException();
      requireEditable(scope, { isPublished: post.is_published, scheduledAt: post.scheduled_at });
      const removed = await this.comments.erase(em, actor, {
        where: 'c.post_id = ?::uuid and c.source_id = ? and c.removed_at is null',
        values: [postId, id],
      });
      if (removed === 0) throw new CommentNotFoundException();
    });
  }
}

/** Stands where there is no post to begin after. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Somebody else has removed it, or the post is not theirs. */
class CommentNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'comment_not_found', message: 'There is no such comment' });
  }
}

function toPattern(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}
