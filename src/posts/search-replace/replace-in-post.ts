import type { StoredPostForm } from '../../shared/contracts/admin-posts.js';
import { fieldNames, specOf, type PostField } from '../../shared/contracts/post-fields.js';
import { sanitizeContent } from '../content/sanitize-content.js';
import type { PostChange } from '../post-change.js';
import { propertyOf } from '../post-columns.js';
import { preparePost } from '../post-preparation.js';
import type { PostRow } from '../post.entity.js';
import { PostInputError } from '../post.errors.js';
import { readTexts } from '../post-texts.js';
import { replaceInContent } from './replace-in-content.js';
import { replaceWords, type FoundPlace, type Replacing } from './text-pattern.js';

/** Names of terms have commands and pages of their own, and an address is changed with its redirect. */
const NOT_REPLACED: readonly PostField[] = ['slug', 'author', 'category'];

/** The fields of one line in which words can be replaced, beside the text of the post and its links. */
export const replaceableFields = fieldNames(({ kind }, name) => kind === 'text' && !NOT_REPLACED.includes(name));

/** A part of a post in which words are replaced: its text, the addresses of its links, or a field. */
export type ReplacedPart = PostField | 'text' | 'links';

/** A replacement of words in posts. */
export interface PostReplacing extends Replacing {
  readonly parts: readonly ReplacedPart[];
  /** True to replace in code as well, where text is replaced. */
  readonly isInCode?: boolean;
}

/** A place in a post. */
export interface ReplacedPlace extends FoundPlace {
  readonly part: ReplacedPart;
  /** True for a place in edits that nobody saved. */
  readonly isUnsaved: boolean;
}

/** The result of a replacement in one post. */
export interface PostReplacement {
  /** Null for nothing. */
  readonly change: PostChange | null;
  readonly places: readonly ReplacedPlace[];
  /** Places that are left as they are, in words. */
  readonly notes: readonly string[];
  /** Why the post would not be one any more; nothing of it is changed then. */
  readonly refusal: string | null;
}

type Texts = Partial<Record<PostField, string | null>>;

/** Replaces words in a post, and in edits of it that wait. */
export function replaceInPost(row: PostRow, replacing: PostReplacing, pattern: RegExp): PostReplacement {
  const saved = replaceInTexts(textsOf(row), replacing, pattern);
  const copy = row.workingCopy;
  const unsaved = copy ? replaceInTexts(copy.fields, replacing, pattern) : null;
  const places = [
    ...saved.places.map((place) => ({ ...place, isUnsaved: false })),
    ...(unsaved?.places ?? []).map((place) => ({ ...place, isUnsaved: true })),
  ];
  const { notes } = saved;
  const checked = check(row, saved.changed);
  if (checked.refusal !== null) return { change: null, places, notes, refusal: checked.refusal };
  const edits =
    copy && unsaved && unsaved.places.length > 0
      ? {
          workingCopy: { ...copy, fields: { ...copy.fields, ...withCleanContent(unsaved.changed) } },
          ...(typeof unsaved.changed.title === 'string' ? { workingTitle: unsaved.changed.title } : {}),
        }
      : null;
  return { change: places.length === 0 ? null : { ...checked.columns, ...edits }, places, notes, refusal: null };
}

function textsOf(row: PostRow): Texts {
  return readTexts(row, [...replaceableFields, 'content']) as Texts;
}

function replaceInTexts(texts: Texts, replacing: PostReplacing, pattern: RegExp) {
  const { parts } = replacing;
  const changed: Texts = {};
  const places: Omit<ReplacedPlace, 'isUnsaved'>[] = [];
  const notes: string[] = [];
  const note = (count: number, words: string) => {
    if (count > 0) notes.push(`${count} ${count === 1 ? 'place' : 'places'} ${words}`);
  };
  for (const part of parts) {
    if (part === 'text' || part === 'links') continue;
    const text = texts[part];
    if (!text) continue;
    const replaced = replaceWords(text, pattern, replacing);
    if (replaced.places.length === 0) continue;
    changed[part] = replaced.text;
    for (const place of replaced.places) places.push({ ...place, part });
  }
  const isInText = parts.includes('text');
  const isInLinks = parts.includes('links');
  if (texts.content && (isInText || isInLinks)) {
    const isInCode = replacing.isInCode === true;
    const replaced = replaceInContent(texts.content, pattern, replacing, { isInText, isInLinks, isInCode });
    for (const place of replaced.inText) places.push({ ...place, part: 'text' });
    for (const place of replaced.inLinks) places.push({ ...place, part: 'links' });
    if (replaced.inText.length + replaced.inLinks.length > 0) changed.content = replaced.html;
    note(replaced.acrossMarkup, 'across bold words, links and the like left as they are');
    note(replaced.inCode, 'in code left as they are (--code)');
  }
  return { changed, places, notes };
}

/** Checks the changed fields by the rules of every save. What was wrong with others before, is none of this. */
function check(row: PostRow, changed: Texts): { readonly columns: PostChange; readonly refusal: string | null } {
  const names = Object.keys(changed) as PostField[];
  if (names.length === 0) return { columns: {}, refusal: null };
  try {
    const fields = preparePost({ ...readTexts(row, fieldNames()), ...changed });
    if (changed.content !== undefined && fields.content !== changed.content) {
      return { columns: {}, refusal: 'its text would not be stored as it is then: an address may not be one any more' };
    }
    const columns = names.map((name) => [propertyOf(name), fields[propertyOf(name)]] as const);
    return { columns: Object.fromEntries(columns), refusal: null };
  } catch (error) {
    if (!(error instanceof PostInputError)) throw error;
    const own = error.problems.filter(({ field }) => names.some((name) => name === field));
    const [problem = error.problems[0]] = own;
    return { columns: {}, refusal: `${specOf(problem?.field as PostField).label}: ${problem?.message ?? ''}` };
  }
}

/** Returns changed texts for a form. Words are replaced in texts only, so none of them is null. */
function withCleanContent(changed: Texts): StoredPostForm {
  const { content } = changed;
  return (content ? { ...changed, content: sanitizeContent(content) } : changed) as StoredPostForm;
}
