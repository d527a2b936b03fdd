import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { PublicationInput } from '../shared/contracts/admin-post-inputs.js';
import type { AdminPostListItem } from '../shared/contracts/admin-posts.js';
import { toAdminPostListItem, wasSaved } from './admin-post.presenter.js';
import { decideDate, toDatedEvent } from './chosen-date.js';
import { toChange, type PostChange } from './post-change.js';
import { requirePublisher } from './post-rights.js';
import { PostWriter, type PostEvent, type RowWrite } from './post-writer.js';
import type { PostRow } from './post.entity.js';
import { PostInputError, PostTrashedException, UnsavedChangesException } from './post.errors.js';
import { PRESENTER_CONTEXT, type PresenterContext } from './post.presenter.js';

/** Showing posts to readers and taking them back, and their dates. For administrators, and authors who may. */
@Injectable()
export class PublishingService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
    private readonly roles: RolesService,
  ) {}

  /**
   * Publishes or unpublishes a post, and chooses its date. What the post is already decides nothing.
   * @throws PostChangedException, PostTrashedException, UnsavedChangesException
   * @throws PostInputError for a draft that was never saved
   */
  async setPublication(actor: Actor, id: string, input: PublicationInput): Promise<AdminPostListItem> {
    const scope = await this.roles.requireAuthor(actor);
    const { version, is_published: isPublished, published_date } = input;
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      requirePublisher(scope);
      if (row.deletedAt) throw new PostTrashedException();
      const isChanging = !isAsWanted(row, isPublished);
      if (isChanging && isPublished) assertPublishable(row);
      await this.setDate(em, actor, row, published_date);
      if (isChanging) await this.publish(em, actor, [row], isPublished);
      return toAdminPostListItem(row, this.context);
    });
  }

  /**
   * Dates a row that is locked, in the transaction of `em`.
   * @param given ISO 8601; null leaves the date to the first publication, undefined leaves it as it is
   */
  async setDate(em: EntityManager, actor: Actor, row: PostRow, given: string | null | undefined): Promise<void> {
    const publishedDate = decideDate(row, given);
    if (publishedDate === undefined) return;
    const change = toChange(row, { publishedDate }, undefined, this.clock.now());
    await this.writer.write(em, actor, [{ row, change }]);
    await this.writer.record(em, actor, toDatedEvent(row));
  }

  /** Publishes or unpublishes rows that are locked and can be, in the transaction of `em`. */
  async publish(em: EntityManager, actor: Actor, rows: readonly PostRow[], isPublished: boolean): Promise<void> {
    const now = this.clock.now();
    const events = rows.map((row): PostEvent => ({ row, action: actionOf(row, isPublished) }));
    const writes = rows.map((row): RowWrite => ({ row, change: publicationOf(row, isPublished, now) }));
    await this.writer.write(em, actor, writes);
    await this.writer.record(em, actor, ...events);
  }
}

/** @throws UnsavedChangesException, PostInputError */
export function assertPublishable(row: PostRow): void {
  if (!wasSaved(row)) throw new PostInputError([{ field: 'title', message: 'Title is required' }]);
  if (row.workingCopy) throw new UnsavedChangesException();
}

/** A post that is planned is not as wanted when it is to stay hidden. */
export function isAsWanted(row: Pick<PostRow, 'isPublished' | 'scheduledAt'>, isPublished: boolean): boolean {
  return row.isPublished === isPublished && (isPublished || row.scheduledAt == null);
}

/** Returns the action to record; for a post that was only scheduled, the canceled schedule. */
function actionOf(row: PostRow, isPublished: boolean): PostEvent['action'] {
  if (isPublished) return 'post.published';
  return row.isPublished ? 'post.unpublished' : 'post.unscheduled';
}

function publicationOf(row: PostRow, isPublished: boolean, now: Date): PostChange {
  return { ...toChange(row, {}, isPublished, now), scheduledAt: null };
}
