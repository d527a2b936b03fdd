import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditService, type AuditEvent } from '../audit/audit.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { ContentNotifier } from '../database/content-notifier.js';
import { withTimeForLargeChange } from '../database/pool/database-limits.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import type { PostScope } from '../shared/post-scope.js';
import { Clock } from '../shared/clock.js';
import type { AdminPost, RevisionReason } from '../shared/contracts/admin-posts.js';
import { showingFields } from '../shared/contracts/post-fields.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import { titleOf, toAdminPost, toForm, toWorkingForm } from './admin-post.presenter.js';
import { withDateOfPost } from './chosen-date.js';
import { propertiesOf } from './post-columns.js';
import { removeDerivedRows, writeDerivedRows } from './derived-rows.js';
import { isPublic, touchesReaders, touchesTexts, type PostChange } from './post-change.js';
import { closeVersions, recordAutosave, recordRevision, recordRevisions } from './post-revisions.js';
import { claimSlugs, keepAddresses, keepLedAddresses } from './post-slugs.js';
import { Post, type PostRow } from './post.entity.js';
import { PostChangedException, PostNotFoundException } from './post.errors.js';
import { isWithin } from './post-rights.js';
import { PRESENTER_CONTEXT, type PresenterContext } from './post.presenter.js';
import { findImagesOfForm, findImagesOfRow } from './post-texts.js';
import { noteSearchPings } from './search-pings/search-ping-rows.js';

/** A write of one post: of a row from {@link PostWriter.lock}, or of a new one. */
export interface RowWrite {
  readonly row: PostRow | null;
  /** Id of a new post. */
  readonly id?: string;
  readonly change: PostChange;
  /** True when the working copy is discarded, wholly or in part, instead of continued. */
  readonly isDiscarding?: boolean;
  /** True when the working copy that is written says what the one before said: nobody's edits are replaced. */
  readonly isCarryingEdits?: boolean;
}

/** The result of {@link PostWriter.lockForSave}. */
export type LockedForSave =
  | { readonly row: PostRow | null; readonly isDone: false }
  | { readonly row: PostRow; readonly isDone: true };

/**
 * The one way to the rows of posts: whoever writes, a post's version is raised, its earlier addresses and its images
 * are kept, readers are told of what they can see and find it, and nobody's edits are replaced without being kept.
 */
@Injectable()
export class PostWriter {
  constructor(
    private readonly em: EntityManager,
    private readonly notifier: ContentNotifier,
    private readonly uploads: UploadsService,
    private readonly redirects: RedirectsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
    @Inject(CONFIG) private readonly config: Pick<Config, 'indexNow'>,
  ) {}

  /** A post as it stands. @throws PostNotFoundException */
  async read(id: string, scope: PostScope): Promise<AdminPost> {
    const em = this.em.fork({ disableTransactions: true });
    const row = await em.findOne(Post, { id });
    if (row === null || !isWithin(scope, row)) throw new PostNotFoundException();
    return await this.present(em, row, scope);
  }

  /** Does everything of `task`, or nothing; once more if another change was in its way, such as one that made the same post. */
  async transaction<T>(task: (em: EntityManager) => Promise<T>): Promise<T> {
    return await twiceIfRaced(() => this.em.fork().transactional(task));
  }

  /** As {@link transaction}, for a change of as many posts as there may be. */
  async largeTransaction<T>(task: (em: EntityManager) => Promise<T>): Promise<T> {
    return await withTimeForLargeChange(() => this.transaction(task));
  }

  /** The posts of these ids that there are, kept from other writers until the transaction ends. */
  async lock(em: EntityManager, ids: readonly string[]): Promise<PostRow[]> {
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, refresh: true } as const;
    return await em.find(Post, { id: { $in: [...ids] } }, options);
  }

  /** One post, as {@link lock} gives it. @throws PostNotFoundException also for a post of somebody else */
  async lockOne(em: EntityManager, id: string, scope: PostScope): Promise<PostRow> {
    const [row] = await this.lock(em, [id]);
    if (row === undefined || !isWithin(scope, row)) throw new PostNotFoundException();
    return row;
  }

  /**
   * One post, as {@link lockOne} gives it.
   * @param version that the writer started from
   * @throws PostNotFoundException
   * @throws PostChangedException if it has another version now
   */
  async lockVersion(em: EntityManager, id: string, version: number, scope: PostScope): Promise<PostRow> {
    const row = await this.lockOne(em, id, scope);
    if (row.version !== version) throw new PostChangedException(await this.present(em, row, scope));
    return row;
  }

  /**
   * The row that a save is to be written over; null for one that is not there yet, and 'done' with a row where this
   * very attempt was made already and its answer was lost.
   * @throws PostNotFoundException, PostChangedException
   */
  async lockForSave(
    em: EntityManager,
    id: string,
    { version, saveId }: { readonly version: number; readonly saveId: string },
    scope: PostScope,
  ): Promise<LockedForSave> {
    const [row] = await this.lock(em, [id]);
    if (row === undefined && version > 0) throw new PostNotFoundException();
    if (row === undefined) return { row: null, isDone: false };
    // Whoever tries ids hears nothing of the posts of others.
    if (!isWithin(scope, row)) throw new PostNotFoundException();
    if (row.version === version) return { row, isDone: false };
    if (row.lastSaveId === saveId) return { row, isDone: true };
    throw new PostChangedException(await this.present(em, row, scope));
  }

  /**
   * Writes rows, all of them in the transaction of `em`.
   * @throws SlugTakenException
   * @throws ImageGoneException if a text shows an image that was removed
   */
  async write(em: EntityManager, actor: Actor, writes: readonly RowWrite[]): Promise<PostRow[]> {
    const now = this.clock.now();
    await claimSlugs(em, writes);
    for (const write of writes) await this.recordReplacedEdits(em, actor, write);
    const isSeen = writes.some(
      ({ row, change }) => touchesReaders(change) && (change.isPublished === true || (row !== null && isPublic(row))),
    );
    const publicSlugs = writes.map(({ row }) => (row !== null && isPublic(row) ? row.slug : null));
    const hadCopy = writes.map(({ row }) => row?.workingCopy != null);
    const former = writes.flatMap(({ row, change }) =>
      row !== null && change.slug !== undefined && change.slug !== row.slug ? [{ slug: row.slug, id: row.id }] : [],
    );
    const rows: PostRow[] = [];
    for (const { row, id, change } of writes) {
      const data = touchesReaders(change) ? { updatedAt: now, ...change } : change;
      if (row === null) {
        const owner = ownerFor(actor);
        const created = em.create(Post, { ...(id ? { id } : {}), createdAt: now, owner, ...data } as never);
        em.persist(created);
        rows.push(created);
        continue;
      }
      const isMoved = hasOtherKeys(row, change);
      // A save whose answer was lost is not the last one any more: who tries it again has to see these texts.
      const lastSave = touchesTexts(change) ? { lastSaveId: null } : {};
      rows.push(em.assign(row, { ...lastSave, ...data }));
      // The unit of work puts off all but the first change of a unique column, and fails where two are left over.
      if (isMoved) await em.flush();
    }
    await em.flush();
    const touched = rows.filter((_row, index) => touchesReaders(writes[index]?.change ?? {}));
    const hidden = touched.filter((row) => !isPublic(row));
    await writeDerivedRows(em, touched.filter(isPublic));
    await removeDerivedRows(
      em,
      hidden.map(({ id }) => id),
    );
    if (this.config.indexNow !== null) {
      const slugs = rows.flatMap((row, index) =>
        touchesReaders(writes[index]?.change ?? {}) ? [publicSlugs[index], isPublic(row) ? row.slug : null] : [],
      );
      await noteSearchPings(em, slugs);
    }
    for (const [index, row] of rows.entries()) await this.recordImages(em, row, writes[index], hadCopy[index] === true);
    await keepAddresses(
      em,
      rows.filter((row, index) => isPublic(row) && isAddressed(writes[index])),
    );
    await keepLedAddresses(em, former, (path) => this.redirects.spell(path));
    // What readers have had stays a version, also when its author takes it back and types on.
    const isPublishing = (_row: PostRow, index: number) => writes[index]?.change.isPublished === true;
    await closeVersions(
      em,
      rows.filter(isPublishing).map(({ id }) => id),
    );
    const isTakenBack = rows.some((row, index) => publicSlugs[index] != null && !isPublic(row));
    if (isSeen) await this.notifier.notifyChanged(em, isTakenBack);
    return rows;
  }

  /** Writes one row, as {@link write} does. */
  async writeOne(em: EntityManager, actor: Actor, write: RowWrite): Promise<PostRow> {
    const [row] = await this.write(em, actor, [write]);
    if (row === undefined) throw new Error('Nothing was written');
    return row;
  }

  /** Keeps a post as it is now among its revisions. */
  async recordVersion(em: EntityManager, actor: Actor, row: PostRow, reason: RevisionReason): Promise<void> {
    if (reason !== 'autosaved') return await this.recordVersions(em, actor, [row], reason);
    await recordAutosave(em, row, this.toRevision(actor, row));
    await this.uploads.recordUses(em, row.id, 'revision', findImagesOfRow(row));
  }

  /** Keeps posts as they are now among their revisions. */
  async recordVersions(
    em: EntityManager,
    actor: Actor,
    rows: readonly PostRow[],
    reason: Exclude<RevisionReason, 'autosaved'>,
  ): Promise<void> {
    const entries = rows.map((row) => ({ row, revision: { ...this.toRevision(actor, row), reason, begunAt: null } }));
    await recordRevisions(em, entries);
    for (const row of rows) await this.uploads.recordUses(em, row.id, 'revision', findImagesOfRow(row));
  }

  private toRevision(actor: Actor, row: PostRow) {
    const fields = withDateOfPost(toForm(row), row);
    return { fields, isPublished: row.isPublished, author: userIdOf(actor), createdAt: this.clock.now() };
  }

  /** Notes in the audit log what was done to posts. */
  async record(em: EntityManager, actor: Actor, ...events: readonly PostEvent[]): Promise<void> {
    await this.audit.record(em, actor, ...events.map(toAuditEvent));
  }

  /** As the editor sees the post, in the transaction of `em`. */
  async present(em: EntityManager, row: PostRow, scope: PostScope): Promise<AdminPost> {
    await em.populate(row, ['savedBy', 'keptBy', 'deletedBy', 'owner'], {
      fields: [
        ...(['savedBy.email', 'savedBy.deletedAt', 'keptBy.email'] as const),
        ...(['keptBy.deletedAt', 'deletedBy.email', 'deletedBy.deletedAt'] as const),
        ...(['owner.email', 'owner.deletedAt'] as const),
      ],
    });
    return toAdminPost(row, this.context, scope);
  }

  /** Edits that someone else kept, or that are thrown away, can be found among the revisions. */
  private async recordReplacedEdits(em: EntityManager, actor: Actor, write: RowWrite): Promise<void> {
    const { row, change, isDiscarding = false, isCarryingEdits = false } = write;
    if (change.workingCopy === undefined || !row?.workingCopy || isCarryingEdits) return;
    if (row.keptBy?.id === userIdOf(actor) && !isDiscarding) return;
    const fields = withDateOfPost(toWorkingForm(row), row);
    const { isPublished } = row;
    const createdAt = row.keptAt ?? this.clock.now();
    const author = row.keptBy?.id ?? null;
    await recordRevision(em, row, { reason: 'autosaved', fields, isPublished, author, createdAt, begunAt: null });
    await this.uploads.recordUses(em, row.id, 'revision', findImagesOfForm(fields));
  }

  private async recordImages(em: EntityManager, row: PostRow, write: RowWrite | undefined, hadCopy: boolean) {
    const change = write?.change ?? {};
    const { workingCopy } = change;
    if (propertiesOf(showingFields).some((property) => change[property] !== undefined)) {
      const names = findImagesOfRow(row);
      if (write?.row !== null || names.length > 0) await this.uploads.recordUses(em, row.id, 'post', names);
    }
    if (workingCopy || (workingCopy === null && hadCopy)) {
      const names = findImagesOfForm(workingCopy?.fields);
      await this.uploads.recordUses(em, row.id, 'working-copy', names);
    }
  }
}

/** The owner of a post that the actor makes: what an operator or the product makes belongs to nobody. */
function ownerFor(actor: Actor): string | null {
  return actor.kind === 'user' ? actor.userId : null;
}

/** Returns true for a change that gives a published post its address. */
function isAddressed(write: RowWrite | undefined): boolean {
  return write?.change.slug !== undefined || write?.change.isPublished === true;
}

/** An action on a post, for the audit log. */
export interface PostEvent {
  readonly row: PostRow;
  readonly action: `post.${string}`;
  readonly details?: AuditEvent['details'];
}

function toAuditEvent({ row, action, details }: PostEvent): AuditEvent {
  const subject = titleOf(row) || 'Untitled';
  return { action, subjectType: 'post', subjectId: row.id, subject, ...(details ? { details } : {}) };
}

/** True when the change gives the post another value in a column in which no two posts have the same. */
function hasOtherKeys(row: PostRow, { slug, sourceKey }: PostChange): boolean {
  return (slug !== undefined && slug !== row.slug) || (sourceKey !== undefined && sourceKey !== row.sourceKey);
}
