import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { JobQueue } from '../database/job-queue.js';
import { CommentsService, type UndoneComments } from '../posts/comments/comments.service.js';
import { PostWriter } from '../posts/post-writer.js';
import type { PostChange } from '../posts/post-change.js';
import { Post, type PostRow } from '../posts/post.entity.js';
import { SlugTakenException } from '../posts/post.errors.js';
import { wakeForPost } from '../posts/scheduling.service.js';
import { TrashService } from '../posts/trash.service.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import { ImageGoneException } from '../uploads/uploads.service.js';
import { ImportRunPost, type ImportRunPostRow } from './import-run-post.entity.js';
import { fromFormerPost, ImportRunsService } from './import-runs.service.js';
import { isEdited } from './source-fingerprint.js';

/** The fate of a post: it goes into the trash, gets back what it was, or stays. */
export type UndoOutcome = 'trashed' | 'restored' | 'left';

/** A post that a run created or changed. */
export interface UndoneItem {
  readonly slug: string;
  readonly title: string;
  readonly outcome: UndoOutcome;
  /** Why it is left as it is; null if it is not. */
  readonly reason: string | null;
  /** Things that are not as they were, although the post is. */
  readonly notes: readonly string[];
}

/** How to undo. */
export interface UndoOptions {
  /** Only predicts the outcomes. */
  readonly isDryRun?: boolean;
}

/** Posts that are read, and taken back, in one transaction. */
const BATCH_SIZE = 50;

const EDITED = 'was edited here since';
const DECIDED = 'was published, taken back, dated, moved or deleted here since';

interface Undoing {
  readonly record: ImportRunPostRow;
  readonly row: PostRow;
  /** True when its plan published it since, which is all that happened to it. */
  readonly isOutByPlan: boolean;
}

/** Takes back what an import did, where nobody has touched it since. For administrators. */
@Injectable()
export class ImportUndoService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly runs: ImportRunsService,
    private readonly writer: PostWriter,
    private readonly trash: TrashService,
    private readonly redirects: RedirectsService,
    private readonly comments: CommentsService,
    private readonly jobs: JobQueue,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes back all that a run did and was not taken back before, in groups. Posts that it created go into the trash, others
   * get back what they were, and its redirects go. A post that anybody touched since stays, with its redirects.
   * @throws Error while an import runs
   */
  async *undo(actor: Actor, runId: number, { isDryRun = false }: UndoOptions = {}): AsyncGenerator<UndoneItem> {
    await this.roles.requireAdmin(actor);
    if (isDryRun) {
      yield* withComments(await collect(this.predict(runId)), await this.comments.takeBack(actor, runId, true));
      return;
    }
    const items: UndoneItem[] = [];
    let failure: { readonly error: unknown } | null = null;
    try {
      // Held until the last post: what is yielded while it is held would wait for its reader.
      await this.runs.withoutImports(async () => {
        for await (const ids of this.readIds(runId)) items.push(...(await this.undoAll(actor, runId, ids)));
        const comments = await this.comments.takeBack(actor, runId, false);
        items.push(...withComments(items.splice(0), comments));
      });
    } catch (error) {
      failure = { error };
    }
    // What was taken back until it broke off stays so.
    yield* items;
    if (failure !== null) throw failure.error;
  }

  private async *predict(runId: number): AsyncGenerator<UndoneItem> {
    for await (const ids of this.readIds(runId)) {
      const em = this.em.fork({ disableTransactions: true });
      const posts = await this.load(em, runId, ids, await em.find(Post, { id: { $in: ids } }));
      const reasons = await this.findReasons(em, posts);
      yield* posts.map((post) => toItem(post, reasons.get(post.row.id) ?? null));
    }
  }

  /** The ids of the posts of a run that were not taken back yet, in groups. */
  private async *readIds(runId: number): AsyncGenerator<string[]> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.em.fork({ disableTransactions: true }).execute<{ post_id: string }[]>(
        `select post_id from import_run_posts where run_id = ? and undone_version is null and post_id > ?::uuid
         order by post_id limit ?`,
        [runId, last, BATCH_SIZE],
      );
      const ids = rows.map(({ post_id }) => post_id);
      if (ids.length > 0) yield ids;
      if (ids.length < BATCH_SIZE) return;
      last = ids.at(-1) ?? last;
    }
  }

  /** Takes a group back at once; if that fails, one by one, so that each failure stays with its post. */
  private async undoAll(actor: Actor, runId: number, ids: readonly string[]): Promise<UndoneItem[]> {
    try {
      return await this.writer.transaction((em) => this.undoGroup(em, actor, runId, ids));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null) throw error;
      if (ids.length === 1) return await this.leave(runId, ids, reason);
    }
    const items: UndoneItem[] = [];
    for (const id of ids) items.push(...(await this.undoAll(actor, runId, [id])));
    return items;
  }

  private async undoGroup(em: EntityManager, actor: Actor, runId: number, ids: readonly string[]) {
    const posts = await this.load(em, runId, ids, await this.writer.lock(em, ids));
    const reasons = await this.findReasons(em, posts);
    const doable = posts.filter(({ row }) => !reasons.has(row.id));
    const items = new Map(posts.map((post) => [post.row.id, toItem(post, reasons.get(post.row.id) ?? null)]));
    // Before their posts move: what leads to a former address keeps it.
    const left = new Map<string, string[]>();
    for (const post of doable) left.set(post.row.id, await this.takeRedirectsBack(em, post));
    const created = doable.filter(({ record }) => record.isCreated).map(({ row }) => row);
    if (created.length > 0) await this.trash.undoCreation(em, actor, created);
    const restored = await this.restore(
      em,
      actor,
      doable.filter(({ record }) => !record.isCreated),
    );
    for (const post of doable) {
      const notes = [...(restored.get(post.row.id) ?? []), ...(left.get(post.row.id) ?? [])];
      const item = items.get(post.row.id);
      if (item !== undefined) items.set(post.row.id, { ...item, notes });
    }
    const details = { details: { run: String(runId) } };
    await this.writer.record(
      em,
      actor,
      ...doable.map(({ row }) => ({ row, action: 'post.import_undone', ...details }) as const),
    );
    await this.noteUndone(em, runId, doable);
    return [...items.values()];
  }

  /** Gives posts back what they were, in one write; @returns what is not as it was, by their ids. */
  private async restore(em: EntityManager, actor: Actor, posts: readonly Undoing[]): Promise<Map<string, string[]>> {
    if (posts.length === 0) return new Map();
    const now = this.clock.now();
    const restorations = posts.map((post) => toRestoration(post, now));
    const wasPublished = posts.map(({ row }) => row.isPublished);
    const written = await this.writer.write(em, actor, restorations);
    await this.writer.recordVersions(em, actor, written, 'saved');
    for (const { id, scheduledAt } of written) if (scheduledAt) await wakeForPost(em, this.jobs, id, scheduledAt);
    const decided = written.filter((row, index) => row.isPublished !== wasPublished[index]);
    await this.writer.record(
      em,
      actor,
      ...decided.map((row) => ({ row, action: row.isPublished ? 'post.published' : 'post.unpublished' }) as const),
    );
    return new Map(restorations.map(({ row, notes }) => [row.id, notes]));
  }

  private async takeRedirectsBack(em: EntityManager, { record }: Undoing): Promise<string[]> {
    const left = await this.redirects.takeBack(em, record.redirects);
    return left.map((path) => `the old address ${path} leads elsewhere since, and stays so`);
  }

  /** A run before this one whose work is there again, or was and was then published by its plan, can be undone next. */
  private async noteUndone(em: EntityManager, runId: number, posts: readonly Undoing[]): Promise<void> {
    const lines = posts.map(({ record, row }) => ({ id: row.id, before: record.versionBefore, now: row.version }));
    await em.execute(
      `update import_run_posts r
       set undone_version = case when r.run_id = ?::int then line.now else r.undone_version end,
         version_after = case when r.run_id = ?::int then r.version_after
           else line.now - line.before + r.version_after end
       from jsonb_to_recordset(?::jsonb) as line (id uuid, before int, now int)
       where r.post_id = line.id
         and (r.run_id = ?::int or (r.undone_version is null and r.version_after between line.before - 1 and line.before))`,
      [runId, runId, JSON.stringify(lines), runId],
    );
  }

  private async load(
    em: EntityManager,
    runId: number,
    ids: readonly string[],
    rows: readonly PostRow[],
  ): Promise<Undoing[]> {
    const where = { run: runId, post: { $in: [...ids] }, undoneVersion: null };
    const records = await em.find(ImportRunPost, where, { disableIdentityMap: true });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = records.flatMap((record) => {
      const row = byId.get(record.post.id);
      return row === undefined ? [] : [{ record, row }];
    });
    const out = found.filter(({ record, row }) => isOnceTouched(record, row)).map(({ row }) => row.id);
    const byPlan = await this.audit.findPublishedByPlan(em, out);
    return found.map(({ record, row }) => ({ record, row, isOutByPlan: byPlan.has(row.id) }));
  }

  /** Why posts stay as they are, by their ids. */
  private async findReasons(em: EntityManager, posts: readonly Undoing[]): Promise<Map<string, string>> {
    const touched = posts.filter(({ record, row, isOutByPlan }) => row.version !== record.versionAfter && !isOutByPlan);
    if (touched.length === 0) return new Map();
    const lines = touched.map(({ record, row }) => ({ id: row.id, version: row.version, run: record.run.id }));
    const later = await em.execute<{ id: string; run: number }[]>(
      `select line.id, max(r.run_id) as run from jsonb_to_recordset(?::jsonb) as line (id uuid, version int, run int)
       join import_run_posts r on r.post_id = line.id and r.run_id <> line.run and r.undone_version is null
         and r.version_after = line.version
       group by line.id`,
      [JSON.stringify(lines)],
    );
    const runs = new Map(later.map(({ id, run }) => [id, run]));
    return new Map(touched.map(({ row }) => [row.id, whyTouched(row, runs.get(row.id))]));
  }

  private async leave(runId: number, ids: readonly string[], reason: string): Promise<UndoneItem[]> {
    const em = this.em.fork({ disableTransactions: true });
    const posts = await this.load(em, runId, ids, await em.find(Post, { id: { $in: [...ids] } }));
    return posts.map((post) => toItem(post, reason));
  }
}

/**
 * True for a post to which one thing happened since. If it was not public before the run, and not published by a person, that
 * was its publication.
 */
function isOnceTouched({ before, versionAfter }: ImportRunPostRow, row: PostRow): boolean {
  const wasPublic = before?.['isPublished'] === true;
  return !wasPublic && row.isPublished && !row.deletedAt && !row.workingCopy && row.version === versionAfter + 1;
}

/**
 * The write that makes a post what it was before the run. A plan whose time is over publishes nothing, and what it
 * published stays public.
 */
function toRestoration({ record, row, isOutByPlan }: Undoing, now: Date) {
  const columns = fromFormerPost(record.before ?? {});
  const plan = columns.scheduledAt ?? null;
  if (plan === null || plan > now) return { row, change: columns, notes: [] };
  const change: PostChange = { ...columns, scheduledAt: null };
  return isOutByPlan
    ? {
        row,
        change: { ...change, ...publicationOf(row) },
        notes: ['was published since by a plan of before this import, and stays so'],
      }
    : { row, change, notes: [`was planned for ${plan.toISOString()}, which is over: it is a draft`] };
}

/** The columns that tell of the publication of a post. */
function publicationOf(row: PostRow): PostChange {
  const { isPublished, publishedDate, isDateChosen, firstPublishedAt, liveSince } = row;
  return { isPublished, publishedDate, isDateChosen, firstPublishedAt, liveSince };
}

function whyTouched(row: PostRow, laterRun: number | undefined): string {
  if (laterRun !== undefined) return `was written by import ${laterRun} since: undo that one first`;
  if (row.deletedAt) return 'is in the trash already';
  if (row.workingCopy) return 'has edits that nobody saved';
  return isEdited(row) ? EDITED : DECIDED;
}

/** The reason that an error gives to leave a post as it is; null for errors that are none of the post. */
function reasonOf(error: unknown): string | null {
  if (error instanceof SlugTakenException || error instanceof UniqueConstraintViolationException) {
    return 'cannot have its former address: another post has it, perhaps in the trash';
  }
  return error instanceof ImageGoneException ? 'showed an image that was removed since' : null;
}

function toItem({ record, row }: Undoing, reason: string | null): UndoneItem {
  const outcome = reason !== null ? 'left' : record.isCreated ? 'trashed' : 'restored';
  return { slug: row.slug, title: row.title, outcome, reason, notes: [] };
}

/** Notes what becomes of comments with the posts that the run wrote, and with others as items of their own. */
function withComments(items: readonly UndoneItem[], counts: readonly UndoneComments[]): UndoneItem[] {
  const bySlug = new Map(counts.map((count) => [count.slug, count]));
  const noted = items.map((item) => {
    const count = bySlug.get(item.slug);
    bySlug.delete(item.slug);
    return count === undefined ? item : { ...item, notes: [...item.notes, ...describeComments(count)] };
  });
  const others = [...bySlug.values()].map((count): UndoneItem => {
    const { slug, title, gone, restored } = count;
    const notes = describeComments(count);
    return gone + restored > 0
      ? { slug, title, outcome: 'restored', reason: null, notes }
      : { slug, title, outcome: 'left', reason: notes.join(', '), notes: [] };
  });
  return [...noted, ...others];
}

function describeComments({ gone, restored, left, laterRun }: UndoneComments): string[] {
  const many = (count: number, one: string, several: string) => (count === 1 ? `1 ${one}` : `${count} ${several}`);
  return [
    ...(gone > 0 ? [`${many(gone, 'comment goes', 'comments go')} that it brought`] : []),
    ...(restored > 0 ? [`${many(restored, 'comment is', 'comments are')} as before`] : []),
    ...(left > 0
      ? [`${many(left, 'comment was', 'comments were')} written by import ${laterRun} since: undo that one first`]
      : []),
  ];
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
