import { createHash } from 'node:crypto';
import type { PostFields } from '../post-preparation.js';
import type { ImportedPost } from '../posts.service.js';
import type { ImportDraft } from './import-draft.js';
import type { ImportOptions } from '../../shared/contracts/import-report.js';

/** What to do about a draft. */
export type Decision =
  | { readonly kind: 'create' }
  | { readonly kind: 'update'; readonly target: ImportedPost }
  /** The contents stay; the post only becomes visible. */
  | { readonly kind: 'publish'; readonly target: ImportedPost }
  | { readonly kind: 'none' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** What is known while an import runs. */
export interface ImportKnowledge {
  /** The posts that share a source or a slug with one of the drafts. */
  readonly posts: readonly ImportedPost[];
  /** Slugs of this run, with the file that has each. */
  readonly claimedSlugs: ReadonlyMap<string, string>;
}

/**
 * Decides without looking anywhere else, so that a dry run comes to the same decisions:
 * an import never loses an edit made here, never takes another post's slug, and never unpublishes.
 */
export function decide(draft: ImportDraft, knowledge: ImportKnowledge, options: ImportOptions): Decision {
  const { slug } = draft.fields;
  const twin = knowledge.claimedSlugs.get(slug);
  if (twin !== undefined) return refuse(`the slug '${slug}' is that of ${twin} already`);
  const target = knowledge.posts.find((post) => post.sourceKey === draft.sourceKey);
  const holder = knowledge.posts.find((post) => isHolder(post, slug) && post.id !== target?.id);
  const isSame = target !== undefined && sourceHashOf(target) === draft.sourceHash && options.isOverwriting !== true;
  if (isSame) {
    const isToBePublished = options.isPublishing === true && !target.isPublished && !target.deletedAt;
    return isToBePublished ? { kind: 'publish', target } : { kind: 'none' };
  }
  if (holder !== undefined) return refuse(`the slug '${slug}' belongs to ${describeHolder(holder)}`);
  if (target === undefined) return { kind: 'create' };
  if (target.deletedAt) return refuse('is in the trash; restore it there first');
  if (isEdited(target) && options.isOverwriting !== true) {
    return refuse('was edited here since its import; nothing was changed (--overwrite replaces the edits)');
  }
  return { kind: 'update', target };
}

/**
 * What an import leaves with the post: one half says which source it was made from, the other which fields it wrote.
 * From the first the next import sees a change of the source, from the second an edit made here.
 */
export function fingerprint(draft: ImportDraft, fields: PostFields): string {
  return draft.sourceHash + hashFields(fields);
}

function sourceHashOf(post: ImportedPost): string {
  return (post.sourceFingerprint ?? '').slice(0, 32);
}

function isEdited(post: ImportedPost): boolean {
  return (
    (post.sourceFingerprint ?? '').slice(32) !==
    hashFields({ ...post, publishedDate: post.isDateChosen ? post.publishedDate : null })
  );
}

/** A date that nobody chose changes with the first publication, which is no edit. */
function hashFields({ publishedDate, imageAlt, ...fields }: PostFields): string {
  const { slug, title, excerpt, content, imageUrl, category, tags, author } = fields;
  const values = [slug, title, excerpt ?? null, content, imageUrl ?? null, category ?? null, tags ?? null, author];
  const later = imageAlt == null ? [] : [imageAlt];
  const text = JSON.stringify([...values, publishedDate?.toISOString() ?? null, ...later]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A post that was published keeps its earlier addresses. */
function isHolder(post: ImportedPost, slug: string): boolean {
  return post.slug === slug || post.formerSlugs.includes(slug);
}

function describeHolder(post: ImportedPost): string {
  const source = post.sourceKey?.replace(/^[a-z]+:/, '');
  return `the post '${post.title}', ${source === undefined ? 'which was written here' : `imported from ${source}`}`;
}

function refuse(reason: string): Decision {
  return { kind: 'refuse', reason };
}
