import type {
  AdminPost,
  AdminPostListItem,
  PostForm,
  PostState,
  WorkingCopy,
} from '../shared/contracts/admin-posts.js';
import { adminListFields } from '../shared/contracts/post-fields.js';
import { toDisplayDate } from '../shared/dates.js';
import { toPicture } from '../shared/media.js';
import type { PostScope } from '../shared/post-scope.js';
import { propertiesOf } from './post-columns.js';
import { chosenDateOf, unsavedDateOf, withDateOfPost } from './chosen-date.js';
import { completeForm, readTexts, toFormTexts } from './post-texts.js';
import type { UnsavedEdits, PostRow } from './post.entity.js';
import type { PresenterContext } from './post.presenter.js';
import { nameFor } from './post-rights.js';

/** The columns of the list of administrators. */
export const listFields = [
  'id',
  'version',
  'workingTitle',
  'isPublished',
  'publishedDate',
  'scheduledAt',
  'deletedAt',
  'keptAt',
  'createdAt',
  'updatedAt',
  ...propertiesOf(adminListFields),
] as const;

type ListRow = Pick<PostRow, (typeof listFields)[number]>;

/** Returns the state of a post for administrators. */
export function stateOf(post: Pick<PostRow, 'deletedAt' | 'isPublished' | 'scheduledAt'>): PostState {
  if (post.deletedAt) return 'trashed';
  if (post.isPublished) return 'published';
  return post.scheduledAt ? 'scheduled' : 'draft';
}

/** Returns true for a post that was saved; until then it only has a working copy. */
export function wasSaved(post: Pick<PostRow, 'title'>): boolean {
  return post.title !== '';
}

/** Returns the title of a post, saved or not. */
export function titleOf(post: Pick<PostRow, 'title' | 'workingTitle'>): string {
  return post.title || (post.workingTitle ?? '');
}

/** A post in the list of administrators. */
export function toAdminPostListItem(post: ListRow, { timeZone }: PresenterContext): AdminPostListItem {
  return {
    id: post.id,
    version: post.version,
    state: stateOf(post),
    ...readTexts(post, adminListFields),
    title: titleOf(post),
    slug: wasSaved(post) ? post.slug : '',
    is_published: post.isPublished,
    published: toDisplayDate(post.publishedDate, timeZone),
    scheduled_at: post.scheduledAt?.toISOString() ?? null,
    deleted_at: post.deletedAt?.toISOString() ?? null,
    has_unsaved_changes: post.keptAt != null,
    created_at: post.createdAt.toISOString(),
    updated_at: post.updatedAt.toISOString(),
  };
}

/** A post with everything the editor needs, for who reaches these posts; `savedBy`, `keptBy`, `deletedBy`
 * and `owner` are loaded. */
export function toAdminPost(post: PostRow, context: PresenterContext, scope: PostScope): AdminPost {
  const saved = toForm(post);
  const workingCopy = post.workingCopy ? toWorkingCopy(post, post.workingCopy, saved, scope) : null;
  return {
    ...toAdminPostListItem(post, context),
    published_date: chosenDateOf(post),
    saved: withDateOfPost(saved, post),
    working_copy: workingCopy,
    first_published_at: post.firstPublishedAt?.toISOString() ?? null,
    live_since: post.isPublished ? ((post.liveSince ?? post.firstPublishedAt)?.toISOString() ?? null) : null,
    picture: toPicture((workingCopy?.fields ?? saved).image_url, context.publicBase),
    saved_by: nameFor(scope, post.savedBy),
    deleted_by: nameFor(scope, post.deletedBy),
    owner: post.owner && !post.owner.deletedAt ? { id: post.owner.id, email: post.owner.email ?? null } : null,
    save_id: post.lastSaveId ?? null,
  };
}

/** The fields of a post as the form of the editor holds them. */
export function toForm(post: PostRow): PostForm {
  return {
    ...toFormTexts(post),
    slug: wasSaved(post) ? post.slug : '',
  };
}

/** The form as it is to be continued: with the edits that were kept, if there are any. */
export function toWorkingForm(post: PostRow): PostForm {
  return completeForm(post.workingCopy?.fields ?? {}, toForm(post));
}

function toWorkingCopy(post: PostRow, { fields }: UnsavedEdits, saved: PostForm, scope: PostScope): WorkingCopy {
  const unsavedDate = unsavedDateOf(post);
  return {
    fields: withDateOfPost(completeForm(fields, saved), post),
    ...(unsavedDate === undefined ? {} : { unsaved_date: unsavedDate }),
    kept_at: (post.keptAt ?? post.updatedAt).toISOString(),
    kept_by: nameFor(scope, post.keptBy),
  };
}
