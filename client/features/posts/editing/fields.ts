import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { fieldNames } from '../../../../src/shared/contracts/post-fields.js';
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
export function hasSameTexts(a: AdminPost, b: AdminPost): boolean {
  return isSameForm(a.saved, b.saved) && isSameForm(toForm(a), toForm(b));
}

/**
 * Returns the form with another title. The slug follows the title (product.md 5.4) until the post is published for the
 * first time: from then on people may have its address.
 */
export function withTitle(fields: PostForm, title: string, hasBeenPublished: boolean): PostForm {
  return { ...fields, title, slug: hasBeenPublished ? fields.slug : slugify(title) };
}
