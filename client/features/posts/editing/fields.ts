import type { AdminPost, PostForm, StoredPostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { emptyTexts, fieldNames, mapFields } from '../../../../src/shared/contracts/post-fields.js';
import { slugify } from '../../../../src/shared/slug.js';

/** The fields in the order in which the form shows them. */
export const FIELDS: readonly (keyof PostForm)[] = fieldNames();

/** Returns the form of a post: the working copy if there is one, otherwise the saved text. */
export function toForm({ working_copy: kept, saved }: Pick<AdminPost, 'working_copy' | 'saved'>): PostForm {
  return kept?.fields ?? saved;
}

/** Returns true when both hold the same texts. */
export function isSameForm(a: PostForm, b: PostForm): boolean {
  return a === b || FIELDS.every((field) => a[field] === b[field]);
}

/**
 * Returns true when a post has the same texts in both states, whatever else has changed: published, scheduled, dated by
 * the server.
 */
export function hasSameTexts(before: AdminPost, answered: AdminPost): boolean {
  const post = completePost(answered, before);
  return isSameForm(before.saved, post.saved) && isSameForm(toForm(before), toForm(post));
}

/**
 * Returns a post with the fields that its answer lacks, because the release that gave it does not know them: it leaves them
 * as they were saved.
 * @param before the post as the server described it before; null if it did not
 */
export function completePost(post: AdminPost, before: AdminPost | null): AdminPost {
  const saved = { ...before?.saved, ...post.saved };
  const { working_copy: kept } = post;
  return { ...post, saved, working_copy: kept && { ...kept, fields: { ...saved, ...kept.fields } } };
}

/**
 * Returns true when the release that described the post does not know a field of the text. It throws that field away
 * without a word.
 */
export function lacksFields(post: AdminPost, sent: StoredPostForm): boolean {
  return FIELDS.some((field) => isLacking(post, sent, field));
}

/**
 * Returns the text that the server holds after it has taken one.
 * @param post its answer, which may be of a release that does not know all fields of the text
 * @param before the post as the server described it before; null if it did not
 */
export function toHeld(sent: PostForm, post: AdminPost, before: AdminPost | null): PostForm {
  if (!lacksFields(post, sent)) return sent;
  const known: StoredPostForm = toForm(completePost(post, before));
  return mapFields<PostForm>([...FIELDS], (field) =>
    isLacking(post, sent, field) ? (known[field] ?? emptyTexts[field]) : sent[field],
  );
}

function isLacking(post: AdminPost, sent: StoredPostForm, field: keyof PostForm): boolean {
  const answered: StoredPostForm = toForm(post);
  return answered[field] === undefined && sent[field] !== undefined;
}

/**
 * Returns the form with another title. The slug follows the title (product.md 5.4) until the post is published for the
 * first time: from then on people may have its address.
 */
export function withTitle(fields: PostForm, title: string, hasBeenPublished: boolean): PostForm {
  return { ...fields, title, slug: hasBeenPublished ? fields.slug : slugify(title) };
}
