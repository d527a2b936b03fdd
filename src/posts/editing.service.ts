import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { CreatePostInput, SavePostInput } from '../shared/contracts/admin-post-inputs.js';
import type { AdminPost } from '../shared/contracts/admin-posts.js';
import { assertOwnImages } from './added-images.js';
import { decideDate, toDatedEvent } from './chosen-date.js';
import { NO_WORKING_COPY, toChange, type PostChange } from './post-change.js';
import { isWhole, sanitizePost, type PostFields } from './post-preparation.js';
import { requireEditable, requirePublisher } from './post-rights.js';
import { PostWriter, type PostEvent } from './post-writer.js';
import type { PostRow } from './post.entity.js';
import { PostTrashedException } from './post.errors.js';
import { PRESENTER_CONTEXT, type PresenterContext } from './post.presenter.js';

/** A save as it comes from any door. */
interface Save {
  readonly id: string;
  readonly version: number;
  /** Given, or made up. */
  readonly saveId: string;
  readonly fields: PostFields;
  /** The writer's decision about publication; undefined without one. */
  readonly isPublished: boolean | undefined;
  readonly restoredFrom: string | undefined;
}

/** Reading posts to edit them, and saving them. For administrators and authors. */
@Injectable()
export class EditingService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    private readonly roles: RolesService,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
  ) {}

  /** @throws PostNotFoundException */
  async find(actor: Actor, id: string): Promise<AdminPost> {
    return await this.writer.read(id, await this.roles.requireAuthor(actor));
  }

  /**
   * @throws PostInputError, SlugTakenException, MayNotPublishException, or PostChangedException if the id is taken
   */
  async create(actor: Actor, input: CreatePostInput): Promise<AdminPost> {
    const fields = sanitizePost(input);
    const { id = randomUUID(), save_id: saveId = randomUUID(), is_published: isPublished } = input;
    return await this.saveFields(actor, { id, version: 0, saveId, fields, isPublished, restoredFrom: undefined });
  }

  /**
   * Saves a text. Whether the post is public, and its date, change only if the input says another thing than the post at
   * the version that it names.
   * @throws PostInputError, SlugTakenException, PostTrashedException, PostNotFoundException, PostChangedException,
   *   MayNotPublishException
   */
  async save(actor: Actor, id: string, input: SavePostInput): Promise<AdminPost> {
    const fields = sanitizePost(input);
    const { version, save_id: saveId = randomUUID(), is_published: isPublished, restored_from: restoredFrom } = input;
    return await this.saveFields(actor, { id, version, saveId, fields, isPublished, restoredFrom });
  }

  private async saveFields(actor: Actor, save: Save): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    const { id, fields, isPublished } = save;
    return await this.writer.transaction(async (em) => {
      const { row, isDone } = await this.writer.lockForSave(em, id, save, scope);
      if (isDone) return await this.writer.present(em, row, scope);
      const wasPublished = row?.isPublished ?? false;
      if (row !== null) requireEditable(scope, row);
      if (isPublished !== undefined && isPublished !== wasPublished) requirePublisher(scope);
      assertOwnImages(row, fields, this.context);
      if (row?.deletedAt && isPublished === true) throw new PostTrashedException();
      const publishedDate = decideDate(row, fields.publishedDate);
      const change: PostChange = {
        ...toChange(
          row,
          { ...fields, publishedDate },
          isPublished ?? (row === null ? false : undefined),
          this.clock.now(),
        ),
        ...NO_WORKING_COPY,
        savedBy: userIdOf(actor),
        lastSaveId: save.saveId,
      };
      // What the writer said nothing about is as it was saved: edits of it that were kept go to the revisions.
      const written = await this.writer.writeOne(em, actor, { row, id, change, isDiscarding: !isWhole(fields) });
      await this.writer.recordVersion(em, actor, written, 'saved');
      await this.writer.record(em, actor, ...toEvents(written, save, wasPublished));
      if (publishedDate !== undefined) await this.writer.record(em, actor, toDatedEvent(written));
      return await this.writer.present(em, written, scope);
    });
  }
}

function toEvents(row: PostRow, { version, restoredFrom }: Save, wasPublished: boolean): PostEvent[] {
  const details = restoredFrom === undefined ? {} : { details: { restored_from: restoredFrom } };
  const saved: PostEvent = { row, action: version === 0 ? 'post.created' : 'post.saved', ...details };
  if (row.isPublished === wasPublished) return [saved];
  return [saved, { row, action: row.isPublished ? 'post.published' : 'post.unpublished' }];
}
