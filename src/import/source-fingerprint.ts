import { createHash } from 'node:crypto';
import { transferredFields, type PostField } from '../shared/contracts/post-fields.js';
import { nameProperties, propertyOf } from '../posts/post-columns.js';
import type { PostFields } from '../posts/post-preparation.js';
import type { ImportedPost } from './imported-posts.service.js';
import type { PendingImage } from './images/pending-image.js';
import { hashSource, type ImportDraft } from './import-draft.js';

/**
 * Returns the fingerprint that an import leaves with a post, 64 hexadecimal digits: 16 for the source, 16 for images
 * that could not be fetched (a bit each), and 32 for the fields as written. From the first the next import sees a
 * change of the source, from the second what to try again, from the third an edit made here.
 */
export function fingerprint(draft: ImportDraft, fields: PostFields, unfetched: ReadonlySet<string>): string {
  const lacking = toBits(draft.images, unfetched).toString(16).padStart(16, '0');
  return hashSource(draft) + lacking + hashFields(fields);
}

/** Returns true when the post was made from exactly this source. */
export function isFromSame(post: ImportedPost, draft: ImportDraft): boolean {
  return (post.sourceFingerprint ?? '').slice(0, 16) === hashSource(draft);
}

/** Returns true when the last import could not fetch all images of the post. */
export function isLackingImages(post: ImportedPost): boolean {
  return lackingBits(post) !== 0n;
}

/** Returns true when the post would gain images and lose none. */
export function isGainingImages(post: ImportedPost, draft: ImportDraft, unfetched: ReadonlySet<string>): boolean {
  const before = lackingBits(post);
  const now = toBits(draft.images, unfetched);
  return now !== before && (now & before) === now;
}

type FingerprintedRow = Omit<ImportedPost, 'formerSlugs' | 'isPlanTakenBack' | 'isUndone'>;

/** Returns true when an imported post was edited here. */
export function isEdited(post: FingerprintedRow): boolean {
  const publishedDate = post.isDateChosen ? post.publishedDate : null;
  return (post.sourceFingerprint ?? '').slice(32) !== hashFields({ ...post, publishedDate });
}

/**
 * The fingerprint of an imported post whose pictures are stored here from now on, which is no edit; null for a post that
 * was not imported, or was edited.
 */
export function carryFingerprint(row: FingerprintedRow, moved: Partial<PostFields>): string | null {
  if (row.sourceKey == null || row.sourceFingerprint == null || isEdited(row)) return null;
  const publishedDate = row.isDateChosen ? row.publishedDate : null;
  return row.sourceFingerprint.slice(0, 32) + hashFields({ ...row, publishedDate, ...moved });
}

/** Returns true when a post has these fields; a date that nobody chose counts like any other. */
export function hasFields(post: ImportedPost, fields: PostFields): boolean {
  const publishedDate = post.isDateChosen || fields.publishedDate ? post.publishedDate : null;
  return hashFields({ ...post, ...composeNames(post), publishedDate }) === hashFields(fields);
}

/** Names as they are written today: those of a post that was not written since may have separate accents. */
function composeNames(post: ImportedPost): Partial<PostFields> {
  const compose = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compose);
    return typeof value === 'string' ? value.normalize('NFC') : value;
  };
  return Object.fromEntries(nameProperties.map((name) => [name, compose(post[name])]));
}

/**
 * The fields that the first release hashed, in its order, and the one that the second added without its name. They
 * stay as they are: another hash would take every post that was imported before for edited.
 */
const HASHED_FIRST = ['slug', 'title', 'excerpt', 'content', 'image_url', 'category', 'tags', 'author'] as const;
const HASHED_SECOND = 'image_alt';
const hashedByName = transferredFields.filter((name) => ![...HASHED_FIRST, HASHED_SECOND].some((old) => old === name));

/**
 * A field that was added later counts only where it has a value, so that posts without it keep their hash. A date that
 * nobody chose changes with the first publication, which is no edit.
 */
function hashFields(fields: PostFields): string {
  const valueOf = (name: PostField) => fields[propertyOf(name)] ?? null;
  const second = valueOf(HASHED_SECOND);
  const named = hashedByName.flatMap((name) => (valueOf(name) === null ? [] : [[name, valueOf(name)]]));
  const text = JSON.stringify([
    ...HASHED_FIRST.map(valueOf),
    fields.publishedDate?.toISOString() ?? null,
    ...(second === null ? [] : [second]),
    ...named,
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function lackingBits(post: ImportedPost): bigint {
  const digits = (post.sourceFingerprint ?? '').slice(16, 32);
  return /^[0-9a-f]{16}$/.test(digits) ? BigInt(`0x${digits}`) : 0n;
}

/** A bit for each image that was not fetched; from the sixty-fourth on they share one. */
function toBits(images: readonly PendingImage[], unfetched: ReadonlySet<string>): bigint {
  return images.reduce((bits, { placeholder }, index) => {
    return unfetched.has(placeholder) ? bits | (1n << BigInt(Math.min(index, 63))) : bits;
  }, 0n);
}
