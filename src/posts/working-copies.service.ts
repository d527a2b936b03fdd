import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { KeepWorkingCopyInput } from '../shared/contracts/admin-post-inputs.js';
import { EMPTY_FORM, type AdminPost, type PostForm } from '../shared/contracts/admin-posts.js';
import { assertOwnImages } from './added-images.js';
import { stateOf, toWorkingForm } from './admin-post.presenter.js';
import { nextUnsavedDate, withDateOfPost } from './chosen-date.js';
import { cleanForm } from './clean-form.js';
import { emptyDraft, NO_WORKING_COPY, toChange, type PostChange } from './post-change.js';
import { preparePost, type PostFields } from './post-preparation.js';
import { isSlugFree } from './post-slugs.js';
import { PostWriter } from './post-writer.js';
import type { PostRow } from './post.entity.js';
import { PostInputError } from './post.errors.js';
import { PRESENTER_CONTEXT, type PresenterContext } from './post.presenter.js';
import { completeForm } from './post-texts.js';

/** Edits that are kept without being asked, until they are saved or discarded. For administrators and authors. */
@Injectable()
export class WorkingCopiesService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    private readonly roles: RolesService,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
  ) {}

  /**
   * Keeps edits. A draft takes them as they are when they could be saved; whatever readers may see, and what cannot be
   * saved yet, waits beside the post. Neither changes whether the post is public, or its date.
   * @throws PostNotFoundException, PostChangedException
   */
  async keep(actor: Actor, id: string, input: KeepWorkingCopyInput): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    const { version, save_id: saveId = randomUUID(), fields } = input;
    const given = cleanForm(fields);
    return await this.writer.transaction(async (em) => {
      const { row, isDone } = await this.writer.lockForSave(em, id, { version, saveId }, scope);
      if (isDone) return await this.writer.present(em, row, scope);
      const form = completeForm(given, row === null ? EMPTY_FORM : toWorkingForm(row));
      const date = nextUnsavedDate(row, fields.published_date);
      const mayBeSaved = (row === null || stateOf(row) === 'draft') && date === undefined;
      const savable = mayBeSaved ? await this.findSavable(em, id, row, form) : null;
      const change = savable === null ? this.toCopy(actor, row, form, date) : this.toSave(actor, row, savable);
      const written = await this.writer.writeOne(em, actor, { row, id, change: { ...change, lastSaveId: saveId } });
      if (savable !== null) await this.writer.recordVersion(em, actor, written, 'autosaved');
      if (row === null) await this.writer.record(em, actor, { row: written, action: 'post.created' });
      return await this.writer.present(em, written, scope);
    });
  }

  /** Throws the kept edits away; they can be found among the revisions. @throws PostChangedException */
  async discard(actor: Actor, id: string, version: number): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      if (row.workingCopy != null) {
        await this.writer.writeOne(em, actor, { row, change: NO_WORKING_COPY, isDiscarding: true });
        await this.writer.record(em, actor, { row, action: 'post.working_copy_discarded' });
      }
      return await this.writer.present(em, row, scope);
    });
  }

  private toSave(actor: Actor, row: PostRow | null, fields: PostFields): PostChange {
    const contents = toChange(row, fields, row === null ? false : undefined, this.clock.now());
    return { ...contents, ...NO_WORKING_COPY, savedBy: userIdOf(actor) };
  }

  private toCopy(actor: Actor, row: PostRow | null, fields: PostForm, date: string | null | undefined): PostChange {
    const now = this.clock.now();
    return {
      ...(row === null ? emptyDraft(now) : {}),
      workingCopy: {
        fields: row === null ? { ...fields, published_date: null } : withDateOfPost(fields, row),
        is_published: row?.isPublished ?? false,
        unsaved_date: date === undefined ? null : { date },
      },
      workingTitle: fields.title,
      keptAt: now,
      keptBy: userIdOf(actor),
    };
  }

  /** Returns the fields of a form that could be saved as it is; otherwise null. */
  private async findSavable(
    em: EntityManager,
    id: string,
    row: PostRow | null,
    form: PostForm,
  ): Promise<PostFields | null> {
    try {
      const fields = preparePost(form);
      assertOwnImages(row, fields, this.context);
      return (await isSlugFree(em, fields.slug, id)) ? fields : null;
    } catch (error) {
      if (error instanceof PostInputError) return null;
      throw error;
    }
  }
}
