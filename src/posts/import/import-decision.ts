import type { ImportOptions } from '../../shared/contracts/import-report.js';
import type { PostFields } from '../post-preparation.js';
import type { ImportedPost } from '../posts.service.js';
import type { ImportDraft } from './import-draft.js';
import type { SourcePost } from './source-post.js';
import { hasFields, isEdited, isFromSame, isGainingImages, isLackingImages } from './source-fingerprint.js';

/** What to do about a draft. */
export type Decision =
  /** @property id that the new post is to have; undefined for any */
  | { readonly kind: 'create'; readonly id: string | undefined }
  | { readonly kind: 'update'; readonly target: ImportedPost }
  /** The source is the same; only images that could not be fetched are tried again. */
  | { readonly kind: 'retry'; readonly target: ImportedPost }
  /** A post of the same id that was not made from this source: whether it is the same, its fields will say. */
  | { readonly kind: 'compare'; readonly target: ImportedPost }
  /** The contents stay; the post only becomes visible. */
  | { readonly kind: 'publish'; readonly target: ImportedPost }
  | { readonly kind: 'none' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** What is known while an import runs. */
export interface ImportKnowledge {
  /** The posts that share a source, an id or a slug with one of the drafts. */
  readonly posts: readonly ImportedPost[];
  /** What this run has come across already. */
  readonly claims: Claims;
}

const EDITED = 'was edited here since its import; nothing was changed (--overwrite replaces the edits)';

/** What the items of one run lay claim to: each source, id and slug belongs to the first that names it. */
export class Claims {
  private readonly files = new Map<string, string>();
  private readonly slugs = new Map<string, string>();

  /** Why the draft cannot have what it names; null if it can. */
  findTwin({ post, fields }: ImportDraft): string | null {
    const same = this.files.get(`key ${post.sourceKey}`) ?? this.files.get(`id ${post.id}`);
    if (same !== undefined) return `the source holds it twice; it was read as ${same} already`;
    const holder = this.files.get(`slug ${fields.slug}`);
    return holder === undefined ? null : `the slug '${fields.slug}' is that of ${holder} already`;
  }

  claim({ post, fields }: ImportDraft): void {
    const file = copyOf(post.file);
    this.files.set(`key ${post.sourceKey}`, file);
    if (post.id !== undefined) this.files.set(`id ${post.id}`, file);
    this.files.set(`slug ${fields.slug}`, file);
  }

  /**
   * Lays claim to old addresses, of which each can lead to one post only.
   * @returns those that the post has, and why it does not have the others
   */
  claimPaths({ oldPaths: named, file }: SourcePost): {
    readonly oldPaths: readonly string[];
    readonly warnings: string[];
  } {
    const oldPaths: string[] = [];
    const warnings: string[] = [];
    for (const path of new Set(named)) {
      const holder = this.files.get(`path ${path}`);
      if (holder === undefined) {
        this.files.set(`path ${path}`, copyOf(file));
        oldPaths.push(path);
      } else {
        warnings.push(`the old address ${path} leads to ${holder} already`);
      }
    }
    return { oldPaths, warnings };
  }

  /** Notes that a post is written with another slug: a dry run would not see it in the database. */
  noteMove(target: ImportedPost, slug: string): void {
    if (target.slug !== slug) this.slugs.set(target.id, slug);
  }

  /** The slug that a post has after what was decided so far. */
  slugOf(post: ImportedPost): string {
    return this.slugs.get(post.id) ?? post.slug;
  }
}

/**
 * Decides without looking anywhere else, so that a dry run comes to the same decisions:
 * an import never loses an edit made here, never takes another post's slug, and never unpublishes.
 */
export function decide(draft: ImportDraft, { posts, claims }: ImportKnowledge, options: ImportOptions): Decision {
  const { slug } = draft.fields;
  const twin = claims.findTwin(draft);
  if (twin !== null) return refuse(twin);
  const known = posts.find((post) => post.sourceKey === draft.post.sourceKey);
  const target = known ?? posts.find((post) => post.id === draft.post.id);
  if (known !== undefined && isFromSame(known, draft)) {
    if (!(isEdited(known) && options.isOverwriting === true)) return decideAboutSame(known, options);
  }
  const holder = posts.find((post) => post.id !== target?.id && isHolder(post, slug, claims));
  if (holder !== undefined) return refuse(`the slug '${slug}' belongs to ${describeHolder(holder)}`);
  if (target === undefined) return { kind: 'create', id: draft.post.id };
  if (target.deletedAt) return refuse('is in the trash; restore it there first');
  if (known === undefined) return { kind: 'compare', target };
  if (isEdited(target) && options.isOverwriting !== true) return refuse(EDITED);
  return { kind: 'update', target };
}

/** What the images that could be fetched this time make of a retry. */
export function settleRetry(
  { target }: Decision & { kind: 'retry' },
  draft: ImportDraft,
  unfetched: ReadonlySet<string>,
): Decision {
  return isGainingImages(target, draft, unfetched) ? { kind: 'update', target } : { kind: 'none' };
}

/**
 * What the fields make of a comparison.
 * @param fields with the addresses of images that are here
 */
export function settleComparison(
  { target }: Decision & { kind: 'compare' },
  fields: PostFields,
  options: ImportOptions,
): Decision {
  if (hasFields(target, fields)) return leave(target, options);
  if (options.isOverwriting === true) return { kind: 'update', target };
  const origin = describeOrigin(target);
  return refuse(`there is a post of this id with other contents, ${origin} (--overwrite replaces them)`);
}

/** A part of a text keeps all of the text in memory, which here would be for as long as the import takes. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function decideAboutSame(target: ImportedPost, options: ImportOptions): Decision {
  const left = leave(target, options);
  const isTried = isLackingImages(target) && !isEdited(target) && !target.deletedAt && options.isFetching !== false;
  return isTried && left.kind === 'none' ? { kind: 'retry', target } : left;
}

function leave(target: ImportedPost, options: ImportOptions): Decision {
  const isToBePublished = options.isPublishing === true && !target.isPublished && !target.deletedAt;
  return isToBePublished ? { kind: 'publish', target } : { kind: 'none' };
}

/** A post that was published keeps its earlier addresses. */
function isHolder(post: ImportedPost, slug: string, claims: Claims): boolean {
  return claims.slugOf(post) === slug || post.formerSlugs.includes(slug);
}

function describeHolder(post: ImportedPost): string {
  return `the post '${post.title}', ${describeOrigin(post)}`;
}

function describeOrigin({ sourceKey }: ImportedPost): string {
  const source = sourceKey?.replace(/^[a-z]+:/, '');
  return source === undefined ? 'which was written here' : `imported from ${source}`;
}

function refuse(reason: string): Decision {
  return { kind: 'refuse', reason };
}
