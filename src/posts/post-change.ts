import { randomBytes } from 'node:crypto';
import { fieldNames, readersFields, type PostField } from '../shared/contracts/post-fields.js';
import { propertiesOf, type PropertyOf } from './post-columns.js';
import type { UnsavedEdits, PostRow } from './post.entity.js';
import type { PostFields } from './post-preparation.js';

type Columns = Pick<
  PostRow,
  | PropertyOf<PostField>
  | 'publishedDate'
  | 'isDateChosen'
  | 'isPublished'
  | 'firstPublishedAt'
  | 'liveSince'
  | 'scheduledAt'
  | 'deletedAt'
  | 'createdAt'
  | 'updatedAt'
  | 'lastSaveId'
  | 'workingTitle'
  | 'keptAt'
  | 'sourceKey'
  | 'sourceFingerprint'
>;

/** Columns of a post to change; accounts by their ids. */
export type PostChange = Partial<Columns> & {
  readonly workingCopy?: UnsavedEdits | null;
  readonly savedBy?: string | null;
  readonly keptBy?: string | null;
  readonly deletedBy?: string | null;
  readonly owner?: string | null;
};

/** The columns that decide what readers see. */
const readersColumns: readonly (keyof PostChange)[] = [
  ...propertiesOf(readersFields),
  'publishedDate',
  'isPublished',
  'deletedAt',
];

/** Returns true when readers can see the post. */
export function isPublic(row: Pick<PostRow, 'isPublished' | 'deletedAt'>): boolean {
  return row.isPublished && !row.deletedAt;
}

/** Returns true for a change that readers see when the post is published; edits of a working copy are none. */
export function touchesReaders(change: PostChange): boolean {
  return readersColumns.some((column) => change[column] !== undefined);
}

const textColumns: readonly (keyof PostChange)[] = [...propertiesOf(fieldNames()), 'workingCopy'];

/** Returns true for a change of what somebody wrote, saved or kept beside the post. */
export function touchesTexts(change: PostChange): boolean {
  return textColumns.some((column) => change[column] !== undefined);
}

/** Nothing is kept besides what is saved. */
export const NO_WORKING_COPY = { workingCopy: null, workingTitle: null, keptAt: null, keptBy: null } as const;

/** A post that has a place but no contents yet. */
export function emptyDraft(now: Date): PostChange {
  const slug = `untitled-${randomBytes(4).toString('hex')}`;
  return { title: '', slug, content: '', author: '', publishedDate: now, isPublished: false };
}

/**
 * New contents, and whether they are published from now on.
 * @param row the post so far; null for a new one
 * @param fields absent ones stay as they are
 * @param isPublished undefined leaves it as it is
 */
export function toChange(
  row: PostRow | null,
  fields: Partial<PostFields>,
  isPublished: boolean | undefined,
  now: Date,
): PostChange {
  const { publishedDate: chosen, ...texts } = fields;
  return {
    ...texts,
    ...toPublication(row, isPublished, now),
    ...toDate(row, chosen, isPublished === true, now),
  };
}

function toPublication(row: PostRow | null, isPublished: boolean | undefined, now: Date): PostChange {
  if (isPublished === undefined || row?.isPublished === isPublished) return {};
  if (!isPublished) return { isPublished: false };
  const firstPublishedAt = row?.firstPublishedAt ?? now;
  return { isPublished: true, scheduledAt: null, firstPublishedAt, liveSince: now };
}

/** The date shown to readers: as it was chosen, otherwise that of the first publication; until then there is none. */
function toDate(row: PostRow | null, chosen: Date | null | undefined, isPublishing: boolean, now: Date): PostChange {
  if (chosen instanceof Date) return { publishedDate: chosen, isDateChosen: true };
  const isKept = row !== null && (chosen === undefined ? row.isDateChosen : false);
  if (isKept) return {};
  if (row !== null && chosen === undefined && !isPublishing) return {};
  const publishedDate = row?.firstPublishedAt ?? (isPublishing ? now : (row?.createdAt ?? now));
  return { publishedDate, isDateChosen: false };
}
