import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { JobQueue } from '../database/job-queue.js';
import { propertiesOf } from '../posts/post-columns.js';
import { NO_WORKING_COPY, toChange, type PostChange } from '../posts/post-change.js';
import type { PostFields } from '../posts/post-preparation.js';
import { PostSlug } from '../posts/post-slug.entity.js';
import { PostWriter, type PostEvent, type RowWrite } from '../posts/post-writer.js';
import { Post, type PostRow } from '../posts/post.entity.js';
import { PostChangedException } from '../posts/post.errors.js';
import { toScheduledEvent, wakeForPost } from '../posts/scheduling.service.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import { fieldNames } from '../shared/contracts/post-fields.js';
import type { KeptRedirect, RedirectInput } from '../shared/contracts/redirects.js';
import { paths } from '../shared/paths.js';
import { ImportRunsService, toFormerPost } from './import-runs.service.js';

/** The columns of an existing post that an importer compares before it overwrites. */
export type ImportedPost = Pick<
  PostRow,
  | 'id'
  | 'version'
  | 'isPublished'
  | 'isDateChosen'
  | 'firstPublishedAt'
  | 'scheduledAt'
  | 'deletedAt'
  | 'sourceKey'
  | 'sourceFingerprint'
  | 'publishedDate'
> &
  Omit<PostFields, 'publishedDate'> & {
    /** Addresses at which it is or was published. */
    readonly formerSlugs: readonly string[];
    /** True when somebody canceled its schedule. */
    readonly isPlanTakenBack: boolean;
    /** True when an import had created it, the undoing of that import put it into the trash, and nobody touched it since. */
    readonly isUndone: boolean;
  };

/** Keys by which an importer looks for existing posts. */
export interface ImportSearch {
  readonly sourceKeys: readonly string[];
  readonly slugs: readonly string[];
  readonly ids?: readonly string[];
}

/** One post to write. */
export interface PostWrite {
  /** The post to change, as it was read; null for a new one. */
  readonly target: Pick<PostRow, 'id' | 'version'> | null;
  /** True for a post whose creation was undone: it is created again, in its place. */
  readonly isRecreated?: boolean;
  /** New contents, from `preparePost`; null to leave them as they are. */
  readonly fields: PostFields | null;
  /** Source of the contents of an imported post. */
  readonly source?: { readonly key: string; readonly fingerprint: string };
  /** Undefined leaves it as it is; a new post is a draft then. */
  readonly isPublished?: boolean;
  /** Creates the post under this id instead of a new one; exports carry ids. */
  readonly id?: string;
  /** Times of a post that was created, or last changed, elsewhere. */
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
  /** When a post that is not published is to be; null takes a plan back. */
  readonly scheduledAt?: Date | null;
  /** Paths of the post on another site. */
  readonly oldPaths?: readonly string[];
  /** Lists of another site in which it stood, and those here. */
  readonly lists?: readonly RedirectInput[];
}

/** Finds the posts that an import may write over, and writes posts in groups. */
@Injectable()
export class ImportedPostsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
    private readonly redirects: RedirectsService,
    private readonly jobs: JobQueue,
    private readonly audit: AuditService,
    private readonly runs: ImportRunsService,
    private readonly clock: Clock,
  ) {}

  /** The posts, drafts and trash too, that came from one of these sources, have one of these ids or hold a slug. */
  async findForImportIncludingDrafts(actor: Actor, wanted: ImportSearch): Promise<ImportedPost[]> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const former = await em.find(PostSlug, { slug: { $in: [...wanted.slugs] } });
    const holders = former.map(({ post }) => post.id);
    const where = [
      { sourceKey: { $in: [...wanted.sourceKeys] } },
      { slug: { $in: [...wanted.slugs] } },
      { id: { $in: [...holders, ...(wanted.ids ?? [])] } },
    ];
    const rows = await em.find(Post, { $or: where });
    const formerSlugsOf = (id: string) => former.flatMap(({ post, slug }) => (post.id === id ? [slug] : []));
    const drafts = rows.filter(({ isPublished, scheduledAt }) => !isPublished && !scheduledAt);
    const unplanned = await this.audit.findPostsWith(
      em,
      'post.unscheduled',
      drafts.map(({ id }) => id),
    );
    const undone = await this.runs.findUndone(
      em,
      rows.filter(({ deletedAt }) => deletedAt),
    );
    return rows.map((row) => ({
      ...row,
      formerSlugs: formerSlugsOf(row.id),
      isPlanTakenBack: unplanned.has(row.id),
      isUndone: undone.has(row.id),
    }));
  }

  /**
   * Writes all of the posts or, if anything fails, none, and tells every process once.
   * @param runId of the import that keeps account of what it does
   * @throws PostChangedException if a target was changed since it was read
   * @throws SlugTakenException, and UniqueConstraintViolationException if a source is taken
   * @throws ImageGoneException if a post shows an image that was removed
   */
  async savePosts(actor: Actor, writes: readonly PostWrite[], runId: number | null = null): Promise<void> {
    await this.roles.requireAdmin(actor);
    if (writes.length === 0) return;
    await this.writer.transaction(async (em) => {
      const ids = writes.flatMap(({ target }) => (target === null ? [] : [target.id]));
      const known = new Map((await this.writer.lock(em, ids)).map((row) => [row.id, row]));
      const before = new Map([...known.values()].map((row) => [row.id, toFormerPost(row)]));
      const wasPublished = writes.map(({ target }) => target !== null && known.get(target.id)?.isPublished === true);
      const rows = await this.writer.write(
        em,
        actor,
        writes.map((write) => this.toWrite(write, known)),
      );
      const written = writes.flatMap((write, index) => {
        const row = rows[index];
        return row === undefined ? [] : [{ ...write, row, wasPublished: wasPublished[index] === true }];
      });
      const redirects = await this.follow(em, actor, written);
      if (runId === null) return;
      const posts = written.map(({ row, isRecreated }) => ({
        row,
        before: isRecreated === true ? null : (before.get(row.id) ?? null),
        redirects: redirects.get(row.id) ?? [],
      }));
      await this.runs.record(em, runId, posts);
    });
  }

  /**
   * Does what has to follow a write: versions, audit lines, wake-ups of plans, redirects.
   * @returns the redirects that were recorded, by the post
   */
  private async follow(
    em: EntityManager,
    actor: Actor,
    written: readonly WrittenPost[],
  ): Promise<Map<string, KeptRedirect[]>> {
    const changed = written.filter(({ fields }) => fields !== null).map(({ row }) => row);
    await this.writer.recordVersions(em, actor, changed, 'imported');
    await this.writer.record(em, actor, ...written.flatMap(toEvents));
    for (const { row, scheduledAt } of written) {
      if (scheduledAt && row.scheduledAt) await wakeForPost(em, this.jobs, row.id, scheduledAt);
    }
    const redirects = written.flatMap((post) => toRedirects(post).map((input) => ({ id: post.row.id, input })));
    const results = await this.redirects.keep(
      em,
      redirects.map(({ input }) => input),
    );
    const kept = new Map<string, KeptRedirect[]>();
    for (const [index, { id }] of redirects.entries()) {
      const redirect = results[index]?.kept ?? null;
      if (redirect !== null) kept.set(id, [...(kept.get(id) ?? []), redirect]);
    }
    return kept;
  }

  private toWrite(write: PostWrite, rows: ReadonlyMap<string, PostRow>): RowWrite {
    const { target, fields, source, isPublished, id, createdAt, updatedAt, scheduledAt } = write;
    if (target === null && fields === null) throw new Error('A new post needs contents');
    const row = target === null ? null : (rows.get(target.id) ?? null);
    if (target !== null && row?.version !== target.version) throw new PostChangedException();
    const former = write.isRecreated === true ? null : row;
    const isVisible = isPublished ?? (former === null ? false : undefined);
    return {
      row,
      ...(id === undefined ? {} : { id }),
      change: {
        ...(write.isRecreated === true ? toRebirth(this.clock.now()) : {}),
        ...toChange(former, fields ?? {}, isVisible, this.clock.now()),
        ...(createdAt === undefined ? {} : { createdAt }),
        ...(updatedAt === undefined ? {} : { updatedAt }),
        ...(scheduledAt === undefined || (isVisible ?? row?.isPublished) === true ? {} : { scheduledAt }),
        ...(source === undefined ? {} : { sourceKey: source.key, sourceFingerprint: source.fingerprint }),
      },
    };
  }
}

/** Empties a post that is created again: nothing of it counts but its place. */
function toRebirth(now: Date): PostChange {
  const none = Object.fromEntries(propertiesOf(fieldNames()).map((property) => [property, null]));
  const times = { firstPublishedAt: null, liveSince: null, scheduledAt: null, createdAt: now };
  return { ...none, ...times, ...NO_WORKING_COPY, deletedAt: null, deletedBy: null };
}

interface WrittenPost extends PostWrite {
  readonly row: PostRow;
  readonly wasPublished: boolean;
}

function toEvents({ row, source, fields, isPublished, scheduledAt, wasPublished }: WrittenPost): PostEvent[] {
  const details = source === undefined ? {} : { details: { source: source.key } };
  const events: PostEvent[] = fields === null ? [] : [{ row, action: 'post.imported', ...details }];
  if (scheduledAt && row.scheduledAt) events.push(toScheduledEvent(row, scheduledAt));
  if (scheduledAt === null) events.push({ row, action: 'post.unscheduled', ...details });
  if (isPublished === undefined || isPublished === wasPublished) return events;
  return [...events, { row, action: isPublished ? 'post.published' : 'post.unpublished' }];
}

function toRedirects({ row, oldPaths = [], lists = [] }: WrittenPost): RedirectInput[] {
  return [...oldPaths.map((path) => ({ path, target: paths.blog(row.slug) })), ...lists];
}
