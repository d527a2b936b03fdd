import type { ImportOptions } from '../shared/contracts/import-report.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { ImportedPost } from './imported-posts.service.js';
import { changedShare, LARGE_CHANGE } from './changed-words.js';
import type { ImportDraft } from './import-draft.js';
import { sourceOfKey } from './source-name.js';
import type { SourcePost } from './source-post.js';
import { hasFields, isEdited, isFromSame, isGainingImages, isLackingImages } from './source-fingerprint.js';

/** The decision about a draft. */
export type Decision =
  /**
   * @property id that the new post is to have; undefined for any
   * @property over a post whose creation was undone, in whose place it is created again
   */
  | { readonly kind: 'create'; readonly id: string | undefined; readonly over?: ImportedPost }
  | { readonly kind: 'update'; readonly target: ImportedPost }
  /** To be asked about before it is updated. */
  | { readonly kind: 'ask'; readonly target: ImportedPost; readonly question: LargeChange; readonly refusal: string }
  /** The source is the same; only images that could not be fetched are tried again. */
  | { readonly kind: 'retry'; readonly target: ImportedPost }
  /**
   * A post of the same id, or of the key that it had before sources had names, that was not made from this source:
   * whether it is the same, its fields will say.
   * @property otherwise if it is another one; undefined where the id says that it is not
   */
  | { readonly kind: 'compare'; readonly target: ImportedPost; readonly otherwise?: Decision }
  /** The contents stay; the post may become visible, or be known by another key. */
  | { readonly kind: 'keep'; readonly target: ImportedPost; readonly isSameSource: boolean }
  /** @property isRepeated true where an earlier item of the run is the same post */
  | { readonly kind: 'refuse'; readonly reason: string; readonly isRepeated?: true };

/** A change that takes more than half of the words of a post away. */
export interface LargeChange {
  readonly file: string;
  readonly slug: string;
  readonly title: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** Existing posts and claims on which decisions of a running import are based. */
export interface ImportKnowledge {
  /** The posts that share a source, an id or a slug with one of the drafts. */
  readonly posts: readonly ImportedPost[];
  /** Claims of earlier items of this run. */
  readonly claims: Claims;
}

/** The way on for a post that is none that is here. */
const OTHER_SLUG = '; if it is another one, --slug-prefix and --slug-suffix give it a slug of its own';
const EDITED = 'was edited here since its import; nothing was changed (--overwrite replaces the edits)';

/** Claims of the items of one run: each source, id and slug belongs to the first item that names it. */
export class Claims {
  private readonly files = new Map<string, string>();
  private readonly slugs = new Map<string, string>();

  /** The refusal of a draft that cannot have what it names; null if it can. */
  findConflict({ post, sourceKey, fields }: ImportDraft): Decision | null {
    const same = this.files.get(`key ${sourceKey}`) ?? this.files.get(`id ${post.id}`);
    if (same !== undefined)
      return { ...refuse(`the source holds it twice; it was read as ${same} already`), isRepeated: true };
    const holder = this.files.get(`slug ${fields.slug}`);
    return holder === undefined
      ? null
      : refuse(`the slug '${fields.slug}' is that of ${holder} already (--slug-prefix and --slug-suffix give others)`);
  }

  claim({ post, sourceKey, fields }: ImportDraft): void {
    const file = copyOf(post.file);
    this.files.set(`key ${sourceKey}`, file);
    if (post.id !== undefined) this.files.set(`id ${post.id}`, file);
    this.files.set(`slug ${fields.slug}`, file);
  }

  /**
   * Lays claim to old addresses, of which each can lead to one post only.
   * @param spell gives the one spelling in which a redirect is recorded: `/a` and `/a/` are the same
   * @returns those that the post has, and why it does not have the others
   */
  claimPaths(
    { oldPaths: named, file }: SourcePost,
    spell: (path: string) => string,
  ): {
    readonly oldPaths: readonly string[];
    readonly warnings: string[];
  } {
    const oldPaths: string[] = [];
    const warnings: string[] = [];
    const seen = new Set<string>();
    for (const path of named) {
      const key = copyOf(spell(path));
      if (seen.has(key)) continue;
      seen.add(key);
      const holder = this.files.get(`path ${key}`);
      if (holder === undefined) {
        this.files.set(`path ${key}`, copyOf(file));
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
export function decide(draft: ImportDraft, knowledge: ImportKnowledge, options: ImportOptions): Decision {
  const conflict = knowledge.claims.findConflict(draft);
  if (conflict !== null) return conflict;
  const { posts } = knowledge;
  const known = posts.find((post) => post.sourceKey === draft.sourceKey);
  if (known?.isUndone === true) return decideToRecreate(known, draft, knowledge);
  if (known !== undefined) return decideAboutKnown(known, draft, knowledge, options);
  const keys = draft.post.formerKeys ?? [];
  const former = posts.filter(({ sourceKey, isUndone }) => sourceKey != null && keys.includes(sourceKey) && !isUndone);
  const same = former.find((post) => isFromSame(post, draft));
  if (same !== undefined) return decideAboutKnown(same, draft, knowledge, options);
  const otherwise = decideAboutNew(draft, knowledge);
  // The one whose address the draft is to have; else the shortest name, that of the folder that most people import.
  const target = former.find((post) => isHolder(post, draft.fields.slug, knowledge.claims)) ?? former[0];
  return target === undefined ? otherwise : { kind: 'compare', target, otherwise };
}

function decideAboutKnown(
  known: ImportedPost,
  draft: ImportDraft,
  knowledge: ImportKnowledge,
  options: ImportOptions,
): Decision {
  const isReplacing = isEdited(known) && options.isOverwriting === true;
  if (isFromSame(known, draft) && !isReplacing) return decideAboutSame(known, options);
  return refuseSlug(draft, known, knowledge) ?? decideToUpdate(known, draft, options);
}

function decideToUpdate(target: ImportedPost, draft: ImportDraft, options: ImportOptions): Decision {
  if (target.deletedAt) return refuse('is in the trash; restore it there first');
  if (isEdited(target) && options.isOverwriting !== true) return refuse(EDITED);
  return askAboutLargeChange(target, draft, options) ?? { kind: 'update', target };
}

function decideAboutNew(draft: ImportDraft, knowledge: ImportKnowledge): Decision {
  const target = knowledge.posts.find((post) => post.id === draft.post.id);
  // Whoever undoes an import to make another one of the same source expects its addresses to be free.
  const undone =
    target ?? knowledge.posts.find((post) => post.isUndone && isHolder(post, draft.fields.slug, knowledge.claims));
  if (undone?.isUndone === true) return decideToRecreate(undone, draft, knowledge);
  const refusal = refuseSlug(draft, target, knowledge);
  if (refusal !== null) return refusal;
  if (target === undefined) return { kind: 'create', id: draft.post.id };
  return target.deletedAt ? refuse('is in the trash; restore it there first') : { kind: 'compare', target };
}

function decideToRecreate(over: ImportedPost, draft: ImportDraft, knowledge: ImportKnowledge): Decision {
  return refuseSlug(draft, over, knowledge) ?? { kind: 'create', id: undefined, over };
}

/** Null if the post can have the slug. */
function refuseSlug(draft: ImportDraft, target: ImportedPost | undefined, { posts, claims }: ImportKnowledge) {
  const { slug } = draft.fields;
  const holder = posts.find((post) => post.id !== target?.id && isHolder(post, slug, claims));
  if (holder === undefined) return null;
  const hint = holder.sourceKey == null ? '' : hintAtName(holder.sourceKey, draft);
  return refuse(`the slug '${slug}' belongs to ${describeHolder(holder)}${hint}`);
}

/** The same post of a source of another name may be the same source, which has moved. */
function hintAtName(sourceKey: string, { sourceKey: own, post }: ImportDraft): string {
  const name = /^[a-z]+:(.*)#/.exec(sourceOfKey(sourceKey) + '#')?.[1];
  const isSameItem = sourceKey.endsWith(`#${post.itemKey}`) && kindOfKey(sourceKey) === kindOfKey(own);
  return isSameItem && name !== undefined ? ` (if it is the same source, --source ${name} goes on with it)` : '';
}

function kindOfKey(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** Null for changes that are none, small, or wanted. */
function askAboutLargeChange(target: ImportedPost, draft: ImportDraft, options: ImportOptions): Decision | null {
  const share = changedShare(target, draft.fields);
  if (share <= LARGE_CHANGE || options.isAcceptingChanges === true) return null;
  const part = `${percent(share)} of the words`;
  return ask(target, draft, share, `would take ${part} of the post '${target.title}', ${describeOrigin(target)}, away`);
}

function ask(target: ImportedPost, { post, fields }: ImportDraft, share: number, refusal: string, ways = ''): Decision {
  const question = { file: post.file, slug: fields.slug, title: target.title, share };
  return { kind: 'ask', target, question, refusal: `${refusal} (--accept-changes replaces them${ways})` };
}

/** Decides about a retry after images were fetched. */
export function settleRetry(
  { target }: Decision & { kind: 'retry' },
  draft: ImportDraft,
  unfetched: ReadonlySet<string>,
): Decision {
  if (isGainingImages(target, draft, unfetched)) return { kind: 'update', target };
  return { kind: 'keep', target, isSameSource: true };
}

/**
 * Decides about a comparison of fields.
 * @param fields with the addresses of images that are here
 */
export function settleComparison(
  { target, otherwise }: Decision & { kind: 'compare' },
  draft: ImportDraft,
  fields: PostFields,
  options: ImportOptions,
): Decision {
  if (hasFields(target, fields)) return { kind: 'keep', target, isSameSource: false };
  if (otherwise !== undefined) return settleFormer(target, otherwise, draft, options);
  if (options.isOverwriting === true) return askAboutLargeChange(target, draft, options) ?? { kind: 'update', target };
  const origin = describeOrigin(target);
  return refuse(`there is a post of this id with other contents, ${origin} (--overwrite replaces them)`);
}

/**
 * A post of the same former key and other contents: that of another source if there is little that they share. With title and
 * slug the same as well it is this post, whose source has changed, or is read in another way now; with the slug alone it may be,
 * which is a question, as the draft could not come beside it.
 */
function settleFormer(target: ImportedPost, otherwise: Decision, draft: ImportDraft, options: ImportOptions): Decision {
  const share = changedShare(target, draft.fields);
  const isLarge = share > LARGE_CHANGE;
  const hasSlug = target.slug === draft.fields.slug || target.formerSlugs.includes(draft.fields.slug);
  // Without the slug it is created beside it, or another post has what it needs.
  if (otherwise.kind === 'refuse' ? !hasSlug : isLarge) return otherwise;
  const update = decideToUpdate(target, draft, { ...options, isAcceptingChanges: true });
  const isNamedSo = target.title === draft.fields.title && target.slug === draft.fields.slug;
  if (!isLarge && (isNamedSo || update.kind !== 'update')) return update;
  const words = isLarge ? `, ${percent(share)} of whose words would go` : '';
  const origin = `'${target.title}' with changes, which was ${describeOrigin(target)} before sources had names${words}`;
  if (update.kind === 'refuse') return refuse(`may be the post ${origin}; it ${update.reason}`);
  if (options.isAcceptingChanges === true) return update;
  return ask(target, draft, share, `may be the post ${origin}`, isLarge ? OTHER_SLUG : '');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A part of a text keeps all of the text in memory, which here would be for as long as the import takes. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function decideAboutSame(target: ImportedPost, options: ImportOptions): Decision {
  const isTried = isLackingImages(target) && !isEdited(target) && !target.deletedAt && options.isFetching !== false;
  return isTried ? { kind: 'retry', target } : { kind: 'keep', target, isSameSource: true };
}

/** A post that was published keeps its earlier addresses. */
function isHolder(post: ImportedPost, slug: string, claims: Claims): boolean {
  return claims.slugOf(post) === slug || post.formerSlugs.includes(slug);
}

/** A post that has what another one wants, in words. */
export function describeHolder(post: ImportedPost): string {
  return `the post '${post.title}'${post.deletedAt ? ' in the trash' : ''}, ${describeOrigin(post)}`;
}

function describeOrigin({ sourceKey }: ImportedPost): string {
  const source = sourceKey?.replace(/^[a-z]+:/, '');
  return source === undefined ? 'which was written here' : `imported from ${source}`;
}

function refuse(reason: string): Extract<Decision, { kind: 'refuse' }> {
  return { kind: 'refuse', reason };
}
