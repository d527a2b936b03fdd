import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { ContentNotifier } from '../../database/content-notifier.js';
import { ConnectionPool } from '../../database/pool/connection-pool.js';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { Clock } from '../../shared/clock.js';
import type { PostComments } from '../../shared/contracts/posts.js';
import { toCommentHtml } from '../content/comment-html.js';
import { PRESENTER_CONTEXT, type PresenterContext } from '../post.presenter.js';
import { toThread, type ShownComment } from './comment-thread.js';

/** A comment as an import brings it. */
export interface BroughtComment {
  readonly sourceId: string;
  readonly parentId: string | null;
  readonly author: string;
  /** Address of the web; null for none. */
  readonly authorUrl: string | null;
  readonly writtenAt: Date;
  /** Unchecked. */
  readonly html: string;
}

/** The work of an import on the comments of a post. */
export interface BroughtCounts {
  readonly came: number;
  readonly changed: number;
  readonly gone: number;
}

/** A comment as operators see it. */
export interface CommentRecord {
  readonly slug: string;
  readonly id: string;
  readonly author: string;
  readonly writtenAt: string;
  readonly html: string;
  /** True for words that an import replaced or took away, and that are kept for its undoing. */
  readonly isFormer: boolean;
}

/** Which comments: of a post, or by a name, or both. */
export interface CommentChoice {
  readonly slug?: string;
  /** Ids within the post. */
  readonly ids?: readonly string[];
  /** The name that stands with them, in any capitals. */
  readonly author?: string;
}

/** The undoing of an import on the comments of a post. */
export interface UndoneComments {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Those that it brought, and that go. */
  readonly gone: number;
  /** Those that it changed or took away, and that are what they were. */
  readonly restored: number;
  /** Those that stay, as another import wrote them since. */
  readonly left: number;
  /** That import; null without any that stay. */
  readonly laterRun: number | null;
}

/** The post of a comment, as the activity names it. */
interface CommentedPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
}

/** The place of a comment whose former words were kept. */
interface FormerComment {
  readonly post_id: string;
  readonly source_id: string;
  readonly parent_id: string | null;
  readonly written_at: string;
}

const LINES = `jsonb_to_recordset(?::jsonb) as line
  (post_id uuid, source_id text, parent_id text, author text, author_url text, written_at timestamptz, html text)`;
const SAME = `(c.parent_id, c.author, c.author_url, c.written_at, c.html)
  is not distinct from (line.parent_id, line.author, line.author_url, line.written_at, line.html)`;
/** The words that are kept for the undoing of an import. */
const FORMER = `(select h.id as change_id, h.post_id, h.source_id, k.* from comment_changes h, jsonb_to_record(h.before) as
  k (author text, written_at timestamptz, html text) where h.before is not null) c`;
/** A comment that was removed here stays so. */
const REPLACING = `on conflict (post_id, source_id) do update set parent_id = excluded.parent_id, author = excluded.author,
  author_url = excluded.author_url, written_at = excluded.written_at, html = excluded.html where c.removed_at is null`;
/** The columns of a comment, as {@link CommentChange} keeps them. */
const KEPT = `jsonb_build_object('parent_id', c.parent_id, 'author', c.author, 'author_url', c.author_url,
  'written_at', c.written_at, 'html', c.html)`;
/** The changes of a run that are not undone, each with the run that changed the same comment since. */
const CHANGES = `(select h.*, (select l.run_id from comment_changes l
    where l.post_id = h.post_id and l.source_id = h.source_id and l.id > h.id order by l.id desc limit 1) as later
  from comment_changes h where h.run_id = ?) h`;

/** The archive of comments below imported posts. Readers see it where they see the post; nobody can write one. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: ConnectionPool,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly notifier: ContentNotifier,
    private readonly clock: Clock,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
  ) {}

  /** The comments of a post that readers may see; null without any. */
  async readPublished(postId: string): Promise<PostComments | null> {
    interface Row extends Omit<ShownComment, 'writtenAt'> {
      readonly writtenAt: string;
    }
    const rows = await this.pool.read<Row>(
      `select source_id as "sourceId", parent_id as "parentId", c.author, author_url as "authorUrl",
         to_json(written_at) as "writtenAt", html, removed_at is not null as "isRemoved"
       from post_comments c join blog_posts p on p.id = post_id
       where post_id = $1 and is_published and deleted_at is null order by written_at, source_id`,
      [postId],
    );
    const comments = rows.map((row) => ({ ...row, writtenAt: new Date(row.writtenAt) }));
    return toThread(comments, this.context.timeZone);
  }

  /**
   * Makes the comments of posts what the source has. Those that were removed here stay so. For administrators.
   * @param byKey all comments of each post, by the key of its source
   * @param runId of the import; null for a dry run, which writes nothing
   * @param created keys of the posts that the import creates: in a dry run they are not here yet
   * @returns counts by the key of the source
   */
  async bring(
    actor: Actor,
    byKey: ReadonlyMap<string, readonly BroughtComment[]>,
    runId: number | null,
    created: ReadonlySet<string>,
  ): Promise<Map<string, BroughtCounts>> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      const posts = await em.execute<{ id: string; key: string }[]>(
        `select id, source_key as key from blog_posts
         where deleted_at is null and source_key in (select jsonb_array_elements_text(?::jsonb)) order by id for update`,
        [JSON.stringify([...byKey.keys()])],
      );
      const ids = new Map(posts.map(({ id, key }) => [key, id]));
      const none = { came: 0, changed: 0, gone: 0 };
      const counts = new Map<string, BroughtCounts>();
      for (const [key, comments] of byKey) {
        const id = ids.get(key);
        const isToCome = runId === null && created.has(key);
        if (id !== undefined) counts.set(key, await this.bringTo(em, id, comments, runId));
        else counts.set(key, isToCome ? { ...none, came: comments.length } : none);
      }
      const all = [...counts.values()];
      const isChanged = all.some(({ came, changed, gone }) => came + changed + gone > 0);
      // Pages of before would show those that are gone for as long as the database is away.
      const isTakenBack = all.some(({ gone }) => gone > 0);
      if (isChanged && runId !== null) await this.notifier.notifyChanged(em, isTakenBack);
      return counts;
    });
  }

  /**
   * Takes back what a run did to comments, but for those that another one wrote since, and counts it by the post. For
   * administrators.
   */
  async takeBack(actor: Actor, runId: number, isDryRun: boolean): Promise<UndoneComments[]> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      // Whoever removes a comment for good meanwhile, removes what is kept of it first.
      if (!isDryRun) await em.execute('select from comment_changes where run_id = ? order by id for update', [runId]);
      const posts = await em.execute<UndoneComments[]>(
        `select p.id, slug, title, count(*) filter (where later is null and before is null)::int as gone,
           count(*) filter (where later is null and before is not null)::int as restored,
           count(later)::int as left, max(later) as "laterRun"
         from ${CHANGES} join blog_posts p on p.id = h.post_id group by p.id order by p.id`,
        [runId],
      );
      if (isDryRun || posts.every(({ gone, restored }) => gone + restored === 0)) return posts;
      await em.execute(
        `delete from post_comments c using ${CHANGES} where h.later is null and h.before is null
           and c.post_id = h.post_id and c.source_id = h.source_id and c.removed_at is null`,
        [runId],
      );
      await em.execute(
        `insert into post_comments as c (post_id, source_id, parent_id, author, author_url, written_at, html)
         select h.post_id, h.source_id, k.parent_id, k.author, k.author_url, k.written_at, k.html
         from ${CHANGES}, jsonb_to_record(h.before) as
           k (parent_id text, author text, author_url text, written_at timestamptz, html text)
         where h.later is null and h.before is not null ${REPLACING}`,
        [runId],
      );
      await em.execute(`delete from comment_changes d using ${CHANGES} where d.id = h.id and h.later is null`, [runId]);
      await this.notifier.notifyChanged(
        em,
        posts.some(({ gone }) => gone > 0),
      );
      return posts;
    });
  }

  /** The comments that are chosen, of drafts and the trash too. For administrators. */
  async listIncludingDrafts(actor: Actor, choice: CommentChoice): Promise<CommentRecord[]> {
    await this.roles.requireAdmin(actor);
    const { where, values } = toCondition(choice);
    return await this.em.fork({ disableTransactions: true }).execute<CommentRecord[]>(
      `select slug, source_id as id, author, to_json(written_at) as "writtenAt", html, is_former as "isFormer" from (
         select slug, source_id, c.author, written_at, html, false as is_former
         from post_comments c join blog_posts p on p.id = post_id where c.removed_at is null and ${where}
         union all
         select slug, source_id, c.author, written_at, html, true
         from ${FORMER} join blog_posts p on p.id = post_id where ${where}
       ) found order by slug, written_at, source_id, is_former`,
      [...values, ...values],
    );
  }

  /** Removes the comments that are chosen, for good: no import brings them again. For administrators. */
  async remove(actor: Actor, choice: CommentChoice): Promise<number> {
    await this.roles.requireAdmin(actor);
    const { where, values } = toCondition(choice);
    return await this.em.fork().transactional(async (em) => {
      const former = await em.execute<FormerComment[]>(
        `delete from comment_changes where id in (select c.change_id from ${FORMER} join blog_posts p on p.id = post_id
           where ${where}) returning post_id, source_id, before->>'parent_id' as parent_id, before->>'written_at' as written_at`,
        values,
      );
      if (former.length > 0) await this.keepAway(em, actor, former);
      return former.length + (await this.erase(em, actor, { where: `c.removed_at is null and ${where}`, values }));
    });
  }

  /** Erases comments in the transaction of `em`, whose caller has checked that the actor may. Returns how many. */
  async erase(
    em: EntityManager,
    actor: Actor,
    { where, values }: { readonly where: string; readonly values: readonly unknown[] },
  ): Promise<number> {
    // What is kept of them for the undoing of an import goes too, and first: an undoing that is at work has it locked.
    await em.execute(
      `delete from comment_changes h using post_comments c join blog_posts p on p.id = c.post_id
       where h.post_id = c.post_id and h.source_id = c.source_id and ${where}`,
      [...values],
    );
    const removed = await em.execute<CommentedPost[]>(
      `update post_comments c set removed_at = ?::timestamptz, author = '', author_url = null, html = ''
         from blog_posts p where p.id = c.post_id and ${where} returning p.id, p.title, p.slug`,
      [this.clock.now().toISOString(), ...values],
    );
    await this.recordRemoval(em, actor, removed);
    if (removed.length > 0) await this.notifier.notifyChanged(em, true);
    return removed.length;
  }

  /** @param removed the post of each comment */
  private async recordRemoval(em: EntityManager, actor: Actor, removed: readonly CommentedPost[]): Promise<void> {
    const posts = new Map(removed.map((post) => [post.id, post]));
    const events = [...posts.values()].map(({ id, title, slug }) => ({
      action: 'post.comments_removed',
      subjectType: 'post' as const,
      subjectId: id,
      subject: title || slug,
      details: { comments: String(removed.filter((line) => line.id === id).length) },
    }));
    await this.audit.recordAll(em, actor, events);
  }

  /**
   * Leaves rows without words of comments of which nothing but former words were left: an import would bring them again. Of
   * those that are there still, nothing changes.
   */
  private async keepAway(em: EntityManager, actor: Actor, former: readonly FormerComment[]): Promise<void> {
    await em.execute(
      `insert into post_comments (post_id, source_id, parent_id, author, written_at, html, removed_at)
       select distinct on (line.post_id, line.source_id)
         line.post_id, line.source_id, line.parent_id, '', line.written_at, '', ?::timestamptz
       from ${LINES} on conflict (post_id, source_id) do nothing`,
      [this.clock.now().toISOString(), JSON.stringify(former)],
    );
    const posts = await em.execute<CommentedPost[]>(
      `select p.id, title, slug from ${LINES} join blog_posts p on p.id = line.post_id`,
      [JSON.stringify(former)],
    );
    await this.recordRemoval(em, actor, posts);
    await this.notifier.notifyChanged(em, true);
  }

  private async bringTo(
    em: EntityManager,
    postId: string,
    comments: readonly BroughtComment[],
    runId: number | null,
  ): Promise<BroughtCounts> {
    const lines = JSON.stringify(
      comments.map(({ sourceId, parentId, author, authorUrl, writtenAt, html }) => ({
        ...{ post_id: postId, source_id: sourceId, parent_id: parentId, author, author_url: authorUrl },
        ...{ written_at: writtenAt.toISOString(), html: toCommentHtml(html) },
      })),
    );
    const [counts = { came: 0, changed: 0, gone: 0 }] = await em.execute<BroughtCounts[]>(
      `select count(*) filter (where c.post_id is null)::int as came,
         count(*) filter (where line.source_id is not null and c.removed_at is null and not (${SAME})
           and c.post_id is not null)::int as changed,
         count(*) filter (where line.source_id is null and c.removed_at is null)::int as gone
       from ${LINES} full join (select * from post_comments where post_id = ?::uuid) c
         on c.source_id = line.source_id`,
      [lines, postId],
    );
    if (runId === null || counts.came + counts.changed + counts.gone === 0) return counts;
    await em.execute(
      `insert into comment_changes (run_id, post_id, source_id, before)
       select ?::int, ?::uuid, coalesce(line.source_id, c.source_id), case when c.post_id is not null then ${KEPT} end
       from ${LINES} full join (select * from post_comments where post_id = ?::uuid) c on c.source_id = line.source_id
       where c.removed_at is null and (c.post_id is null or line.source_id is null or not (${SAME}))
       on conflict (run_id, post_id, source_id) do nothing`,
      [runId, postId, lines, postId],
    );
    await em.execute(
      `delete from post_comments c where post_id = ?::uuid and removed_at is null
         and not exists (select from ${LINES} where line.source_id = c.source_id)`,
      [postId, lines],
    );
    await em.execute(
      `insert into post_comments as c (post_id, source_id, parent_id, author, author_url, written_at, html)
       select line.* from ${LINES} ${REPLACING}`,
      [lines],
    );
    return counts;
  }
}

/** The comments of these posts, as an import could bring them, in the transaction of `em`. */
export async function readComments(
  em: EntityManager,
  postIds: readonly string[],
): Promise<ReadonlyMap<string, readonly BroughtComment[]>> {
  interface Row extends Omit<BroughtComment, 'writtenAt'> {
    readonly postId: string;
    readonly writtenAt: string;
  }
  const rows = await em.execute<Row[]>(
    `select post_id as "postId", source_id as "sourceId", parent_id as "parentId", author, author_url as "authorUrl",
       to_json(written_at) as "writtenAt", html
     from post_comments where post_id in (select jsonb_array_elements_text(?::jsonb)::uuid) and removed_at is null
     order by written_at, source_id`,
    [JSON.stringify(postIds)],
  );
  const comments = new Map<string, BroughtComment[]>();
  for (const { postId, writtenAt, ...rest } of rows) {
    const comment = { ...rest, writtenAt: new Date(writtenAt) };
    const others = comments.get(postId);
    if (others === undefined) comments.set(postId, [comment]);
    else others.push(comment);
  }
  return comments;
}

/** A choice of nothing is none of all comments. */
function toCondition({ slug, ids, author }: CommentChoice): { readonly where: string; readonly values: unknown[] } {
  const parts = [
    ...(slug === undefined ? [] : [{ text: 'p.slug = ?', value: slug.normalize('NFC') }]),
    ...(ids === undefined
      ? []
      : [{ text: 'c.source_id in (select jsonb_array_elements_text(?::jsonb))', value: JSON.stringify(ids) }]),
    ...(author === undefined ? [] : [{ text: 'lower(c.author) = lower(?)', value: author.trim() }]),
  ];
  return {
    where: parts.length === 0 ? 'false' : parts.map(({ text }) => text).join(' and '),
    values: parts.map(({ value }) => value),
  };
}
