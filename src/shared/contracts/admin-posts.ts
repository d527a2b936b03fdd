import { Documented } from './documented.js';
import { classOfFields } from './field-class.js';
import { formField, presentedField } from './field-schemas.js';
import { adminListFields, emptyTexts, fieldNames, type FormTexts, type PostTexts } from './post-fields.js';
import type { DisplayDate, Picture } from './posts.js';

/** State of a post for administrators. A post in the trash has no other state, whatever it was before. */
export type PostState = 'draft' | 'scheduled' | 'published' | 'trashed';

const TypedTexts = classOfFields<FormTexts>(fieldNames(), formField);

/**
 * A post as the editor's form holds it: texts as they are typed, not yet checked. Nothing of its publication is a part
 * of it (decisions 32 and 49).
 */
export class PostForm extends TypedTexts {}

/** A form in an answer. Editors of the release before look for the date in it; it goes with the next version. */
export class AnsweredForm extends PostForm {
  /** The date of the post itself, as beside the form, whatever the form was kept with. ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly published_date?: string | null;
}

/** The form of a post that nobody has begun to write. */
export const EMPTY_FORM: PostForm = emptyTexts;

/** A form that a release wrote which did not know all fields of this one; what it lacks is as it was. */
export type StoredPostForm = Partial<PostForm>;

const ListedTexts = classOfFields<PostTexts<(typeof adminListFields)[number]>>(adminListFields, presentedField);

/** A post in the list of administrators: no text. The title of a draft that was never saved is that of the working copy. */
export class AdminPostListItem extends ListedTexts {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Every change names the version it started from. */
  readonly version: number;

  readonly state: PostState;

  readonly is_published: boolean;

  /** Like 'Jan 5, 2025', with its ISO form. */
  readonly published: DisplayDate;

  /** When it will be published; null unless it is scheduled. ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly scheduled_at: string | null;

  /** When it was put into the trash; it is removed for good 30 days later. Null unless it is there. */
  @Documented({ format: 'date-time' })
  readonly deleted_at: string | null;

  /** True when a working copy waits to be saved or discarded. */
  readonly has_unsaved_changes: boolean;

  @Documented({ format: 'date-time' })
  readonly created_at: string;

  @Documented({ format: 'date-time' })
  readonly updated_at: string;
}

/** Some posts of the list, and where it goes on. */
export class AdminPostPage {
  readonly items: AdminPostListItem[];

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}

/** The number of posts of a filter. */
export class AdminPostCount {
  readonly count: number;
}

/** The number of posts in each state. */
export class PostCounts implements Record<PostState, number> {
  readonly draft: number;
  readonly scheduled: number;
  readonly published: number;
  readonly trashed: number;
}

/** Filters of the list: the values in use, in alphabetical order, and the number of posts in each state. */
export class AdminPostFacets {
  readonly categories: string[];
  readonly tags: string[];
  readonly counts: PostCounts;
}

/** Edits that were kept but not saved: of a published post, or of a draft that cannot be saved as it stands. */
export class WorkingCopy {
  readonly fields: AnsweredForm;

  /**
   * A date shown to readers that was typed in the release before and not saved; null for one that was emptied there.
   * Absent when there is none. A save that names no date drops it.
   */
  @Documented({ format: 'date-time' })
  readonly unsaved_date?: string | null;

  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly kept_at: string;

  /** Email address of who made the edits, 'a colleague' for authors; null when the account is gone. */
  readonly kept_by: string | null;
}

/** The account whose post it is. */
export class PostOwner {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Null for accounts without one. */
  readonly email: string | null;
}

/** The owner of a post after it was given to somebody. */
export class GivenPost {
  readonly owner: PostOwner | null;
}

/** A post with everything the editor needs. */
export class AdminPost extends AdminPostListItem {
  /** The date shown to readers, if a person or an import chose it, ISO 8601, UTC; null leaves it to the first publication. */
  @Documented({ format: 'date-time' })
  readonly published_date: string | null;

  /** As saved last. All texts are empty when it never was. */
  readonly saved: AnsweredForm;

  /** Null when everything is saved. */
  readonly working_copy: WorkingCopy | null;

  /** Null until it has been published once; until then its slug follows its title. */
  @Documented({ format: 'date-time' })
  readonly first_published_at: string | null;

  /** When it was published last, if readers see it now; null for a post that they do not see. */
  @Documented({ format: 'date-time' })
  readonly live_since: string | null;

  /** The featured image with its size; null when there is none. */
  readonly picture: Picture | null;

  /** The account that made it, or that it was given to; null for imported and older posts, or when the account is gone. */
  readonly owner: PostOwner | null;

  /** Email address of the last saver, 'a colleague' for authors; null for an operator, or when the account is gone. */
  readonly saved_by: string | null;

  /**
   * Email address of who put it into the trash, 'a colleague' for authors; null for a post that is not there, for an
   * operator, or when the account is gone.
   */
  readonly deleted_by: string | null;

  /** Names the last attempt to save or to keep a text; null when the text never came from an editor. */
  readonly save_id: string | null;
}

/** Why a version of a post was kept. */
export type RevisionReason = 'saved' | 'autosaved' | 'imported';

/** One kept version of a post. */
export class RevisionSummary {
  readonly id: string;

  /** The version that the post had then. */
  readonly version: number;

  readonly reason: RevisionReason;

  readonly title: string;

  /** True when readers saw the post at that time. Restoring the version does not publish or unpublish it. */
  readonly is_published: boolean;

  /** Email address, 'a colleague' for authors; null for an operator, or when the account is gone. */
  readonly author: string | null;

  @Documented({ format: 'date-time' })
  readonly created_at: string;
}

/** One kept version of a post with its fields. */
export class Revision extends RevisionSummary {
  readonly fields: AnsweredForm;
}

/** The kept versions of a post, newest first. */
export class RevisionPage {
  readonly items: RevisionSummary[];

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}

/** A link at which a post can be read before it is published, by whoever has the link. */
export class PreviewLink {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Absolute address. */
  @Documented({ format: 'uri' })
  readonly url: string;

  @Documented({ format: 'date-time' })
  readonly created_at: string;

  @Documented({ format: 'date-time' })
  readonly expires_at: string;
}

/** The outcome of a bulk change for one post. */
export type BulkOutcome =
  | 'done'
  /** It was so already. */
  | 'unchanged'
  /** It was changed since the list was read. */
  | 'changed-meanwhile'
  /** It has edits that nobody saved or discarded, so publishing it would not publish what its author sees. */
  | 'unsaved-changes'
  /** It was never saved, as it lacks something that a post must have. */
  | 'invalid'
  /** The plan that it is to get back would be over by now. */
  | 'too-late'
  /** The author may not decide what readers see. */
  | 'not-allowed'
  | 'gone';

/** The outcome of a bulk change for one post, and the post as it is now. */
export class BulkPostResult {
  @Documented({ format: 'uuid' })
  readonly id: string;

  readonly outcome: BulkOutcome;

  /** Null when it is gone. */
  readonly post: AdminPostListItem | null;
}

/** The outcomes of a bulk change. */
export class BulkResult {
  readonly results: BulkPostResult[];
}

/** Body of a refusal. */
export class PostRefusal {
  /** Stable, for programs. */
  readonly code: string;

  /** A sentence for people. */
  readonly message: string;

  /** Messages by wrong field. */
  readonly fields?: Readonly<Record<string, string[]>>;

  /** With `post_changed`: how the post stands now. */
  readonly current?: AdminPost;

  /** With `slug_taken`: the next slug that no post has, or had. Nobody keeps it free. */
  readonly free_slug?: string;
}

/** Body of a 409 whose code is `post_changed`: the save was refused, and this is how the post stands now. */
export interface PostConflict extends PostRefusal {
  readonly code: 'post_changed';
  readonly current: AdminPost;
}
