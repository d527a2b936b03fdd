import { HttpException, Injectable } from '@nestjs/common';
import { withTimeForLargeChange } from '../database/pool/database-limits.js';
import type { Actor } from '../shared/actor.js';
import type { BulkInput } from '../shared/contracts/admin-post-inputs.js';
import type { BulkOutcome, BulkResult } from '../shared/contracts/admin-posts.js';
import { PostListService } from './post-list.service.js';
import {
  MayNotPublishException,
  PostChangedException,
  PostInputError,
  PostNotFoundException,
  PostNotTrashedException,
  PostTrashedException,
  ScheduleException,
  UnsavedChangesException,
} from './post.errors.js';
import { PublicationUndoService } from './publication-undo.service.js';
import { PublishingService } from './publishing.service.js';
import { TrashService } from './trash.service.js';

type Post = BulkInput['posts'][number];
type Decision = Pick<BulkInput, 'action' | 'is_undo'>;

/** One change of many posts, each by itself. For administrators and authors. */
@Injectable()
export class BulkService {
  constructor(
    private readonly list: PostListService,
    private readonly publishing: PublishingService,
    private readonly undoing: PublicationUndoService,
    private readonly trash: TrashService,
  ) {}

  /** Changes each post by itself; the result says what happened to it. */
  async apply(actor: Actor, input: BulkInput): Promise<BulkResult> {
    return await withTimeForLargeChange(() => this.applyToEach(actor, input));
  }

  private async applyToEach(actor: Actor, input: BulkInput): Promise<BulkResult> {
    const outcomes: { readonly id: string; readonly outcome: BulkOutcome }[] = [];
    const { posts } = input;
    for (const post of posts) outcomes.push({ id: post.id, outcome: await this.applyToOne(actor, input, post) });
    const ids = posts.map(({ id }) => id);
    const items = new Map((await this.list.findItems(actor, ids)).map((item) => [item.id, item]));
    return { results: outcomes.map(({ id, outcome }) => ({ id, outcome, post: items.get(id) ?? null })) };
  }

  private async applyToOne(actor: Actor, input: Decision, post: Post): Promise<BulkOutcome> {
    try {
      const { version } = await this.change(actor, input, post);
      return version === post.version ? 'unchanged' : 'done';
    } catch (error) {
      const outcome = error instanceof HttpException ? outcomeOf(error) : undefined;
      if (outcome === undefined) throw error;
      return outcome;
    }
  }

  private change(actor: Actor, { action, is_undo: isUndo = false }: Decision, { id, version, publish_at }: Post) {
    if (isUndo && (action === 'publish' || action === 'unpublish')) {
      // A post that was only planned gets its plan back.
      const before = publish_at ? { was_published: false, publish_at } : { was_published: action === 'publish' };
      return this.undoing.undo(actor, id, { version, ...before });
    }
    switch (action) {
      case 'publish':
        return this.publishing.setPublication(actor, id, { version, is_published: true });
      case 'unpublish':
        return this.publishing.setPublication(actor, id, { version, is_published: false });
      case 'trash':
        return this.trash.trash(actor, id, version);
      case 'restore':
        return this.trash.restore(actor, id, version);
    }
  }
}

function outcomeOf(error: HttpException): BulkOutcome | undefined {
  if (error instanceof PostChangedException) return 'changed-meanwhile';
  if (error instanceof UnsavedChangesException) return 'unsaved-changes';
  if (error instanceof PostInputError) return 'invalid';
  if (error instanceof PostNotFoundException || error instanceof PostTrashedException) return 'gone';
  if (error instanceof ScheduleException) return 'too-late';
  if (error instanceof PostNotTrashedException) return 'unchanged';
  if (error instanceof MayNotPublishException) return 'not-allowed';
  return undefined;
}
