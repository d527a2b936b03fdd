import { ConflictException, ForbiddenException, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import type { AdminPost } from '../shared/contracts/admin-posts.js';

/** One thing wrong with one field of a post. */
export interface PostProblem {
  readonly field: string;
  /** A message of product.md 5.3. */
  readonly message: string;
  /** For a field that is too long: characters allowed and found. */
  readonly limit?: number;
  readonly length?: number;
}

/** Thrown for input that breaks a rule; holds every problem, in the order of the fields. */
export class PostInputError extends UnprocessableEntityException {
  override readonly name = 'PostInputError';

  constructor(readonly problems: readonly PostProblem[]) {
    super({
      code: 'invalid_post',
      message: problems[0]?.message ?? 'The post is not valid',
      fields: Object.fromEntries(problems.map(({ field, message }) => [field, [message]])),
    });
  }
}

/** Thrown for a preview link that the post does not have. */
export class PreviewLinkNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'preview_link_not_found', message: 'There is no such preview link.' });
  }
}

/** Thrown when a post was changed by someone else since the writer read it. Nothing was written. */
export class PostChangedException extends ConflictException {
  /** @param current how the post stands now, for who can do something with it */
  constructor(current?: AdminPost) {
    super({
      code: 'post_changed',
      message: 'The post was changed in the meantime',
      ...(current === undefined ? {} : { current }),
    });
  }
}

/** Thrown when no post and no fact of the company shows the image that is to be replaced. Nothing was written. */
export class ImageNotShownException extends ConflictException {
  constructor() {
    super({
      code: 'image_not_shown',
      message:
        'Nothing shows this image any more, so nothing was changed: it was replaced or taken out in the meantime. The new one is in the library.',
    });
  }
}

/** Thrown when another post has the slug, or had it while it was published: earlier addresses lead on for ever. */
export class SlugTakenException extends ConflictException {
  /** @param freeSlug the next one that no post has, or had */
  constructor(slug: string, freeSlug: string) {
    const message = 'Another post has, or had, this address';
    super({ code: 'slug_taken', message, fields: { slug: [`${message}: ${slug}`] }, free_slug: freeSlug });
  }
}

/** The author may write the post; what readers see is decided by somebody else. */
export class MayNotPublishException extends ForbiddenException {
  constructor() {
    super({
      code: 'may_not_publish',
      message: 'You can write this post; an administrator publishes it, and changes what readers see.',
    });
  }
}

/** No post has that id. */
export class PostNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'post_not_found', message: 'There is no such post.' });
  }
}

/** The post has no revision of that id. */
export class RevisionNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'revision_not_found', message: 'There is no such version of this post.' });
  }
}

/** The post has edits that nobody saved: what would be published is not what its author sees. */
export class UnsavedChangesException extends ConflictException {
  constructor() {
    super({
      code: 'unsaved_changes',
      message: 'The post has changes that are not saved. Save or discard them first.',
    });
  }
}

/** Thrown for a change of a post in the trash, which has to be restored first. */
export class PostTrashedException extends ConflictException {
  constructor() {
    super({ code: 'post_trashed', message: 'The post is in the trash. Restore it first.' });
  }
}

/** Only what is in the trash can be restored or removed for good. */
export class PostNotTrashedException extends ConflictException {
  constructor() {
    super({ code: 'post_not_trashed', message: 'The post is not in the trash.' });
  }
}

/** The post cannot be published at that time. */
export class ScheduleException extends UnprocessableEntityException {
  constructor(message: string) {
    super({ code: 'invalid_schedule', message, fields: { publish_at: [message] } });
  }
}
