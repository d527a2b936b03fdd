import { toTags } from '../shared/contracts/post-input.js';
import type { RenameTermInput } from '../shared/contracts/terms.js';
import type { PostChange } from './post-change.js';
import type { PostRow } from './post.entity.js';

type TermRow = Pick<PostRow, 'category' | 'tags' | 'workingCopy'>;

/** Returns the change of a post, and of edits that wait beside it, when a term gets another name; null for none. */
export function renameIn(row: TermRow, { kind, from, to }: RenameTermInput): PostChange | null {
  const saved = kind === 'category' ? renameCategory(row, from, to) : renameTag(row, from, to);
  const workingCopy = renameInCopy(row.workingCopy, { kind, from, to });
  if (saved === null && workingCopy === null) return null;
  return { ...saved, ...(workingCopy === null ? {} : { workingCopy }) };
}

function renameCategory({ category }: TermRow, from: string, to: string): PostChange | null {
  return category === from ? { category: to } : null;
}

function renameTag({ tags }: TermRow, from: string, to: string): PostChange | null {
  return tags?.includes(from) ? { tags: replaceTag(tags, from, to) } : null;
}

/** Replaces a tag where it stands; nobody has a tag twice. */
function replaceTag(tags: readonly string[], from: string, to: string): string[] {
  return [...new Set(tags.map((tag) => (tag === from ? to : tag)))];
}

/** The form holds names as they were typed. */
function renameInCopy(copy: TermRow['workingCopy'], { kind, from, to }: RenameTermInput): TermRow['workingCopy'] {
  if (!copy) return null;
  const { fields } = copy;
  if (kind === 'category') {
    return isName(fields.category ?? '', from) ? { ...copy, fields: { ...fields, category: to } } : null;
  }
  const tags = toTags(fields.tags ?? '') as string[] | null;
  const typed = tags?.find((tag) => isName(tag, from));
  if (!tags || typed === undefined) return null;
  return { ...copy, fields: { ...fields, tags: replaceTag(tags, typed, to).join(', ') } };
}

function isName(typed: string, name: string): boolean {
  return typed.normalize('NFC').trim() === name;
}
