import { Inject, Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { PublicationUndoInput } from '../shared/contracts/admin-post-inputs.js';
import type { AdminPostListItem } from '../shared/contracts/admin-posts.js';
import { toAdminPostListItem } from './admin-post.presenter.js';
import { requirePublisher } from './post-rights.js';
import { PostWriter } from './post-writer.js';
import { PostTrashedException, ScheduleException } from './post.errors.js';
import { PRESENTER_CONTEXT, type PresenterContext } from './post.presenter.js';
import { assertPublishable, isAsWanted, PublishingService } from './publishing.service.js';
import { SchedulingService } from './scheduling.service.js';

/** Takes back a publication, or its opposite: a second decision, recorded like the first. For administrators, and authors who may. */
@Injectable()
export class PublicationUndoService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
    private readonly roles: RolesService,
    private readonly publishing: PublishingService,
    private readonly scheduling: SchedulingService,
  ) {}

  /**
   * Makes a post what it was before the decision that left it at `version`. Readers get back the text that they had,
   * whatever edits wait beside it, and a plan that was dropped is made again.
   * @throws PostChangedException when anything else was done to the post since
   * @throws ScheduleException for a plan whose time is over
   * @throws PostTrashedException, UnsavedChangesException, PostInputError
   */
  async undo(actor: Actor, id: string, input: PublicationUndoInput): Promise<AdminPostListItem> {
    const scope = await this.roles.requireAuthor(actor);
    const { version, was_published: wasPublished, publish_at = null } = input;
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      requirePublisher(scope);
      if (row.deletedAt) throw new PostTrashedException();
      if (wasPublished) {
        // What readers had before is no news to anybody; a text that they never had must be what its author sees.
        if (!row.firstPublishedAt) assertPublishable(row);
        if (!row.isPublished) await this.publishing.publish(em, actor, [row], true);
        return toAdminPostListItem(row, this.context);
      }
      if (publish_at !== null && new Date(publish_at) <= this.clock.now()) {
        throw new ScheduleException('Its planned time is over, so the post stays as it is');
      }
      if (!isAsWanted(row, false)) await this.publishing.publish(em, actor, [row], false);
      if (publish_at !== null) await this.scheduling.plan(em, actor, [row], new Date(publish_at));
      return toAdminPostListItem(row, this.context);
    });
  }
}
