import { isCanonicalBase64url } from '../shared/base64url.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';
import type { PostFilterQuery, PostListQuery } from '../shared/contracts/admin-post-inputs.js';
import type { PostState } from '../shared/contracts/admin-posts.js';
import type { PostScope } from '../shared/post-scope.js';
import { isUuid } from '../shared/uuid.js';
import { PostInputError } from './post.errors.js';

interface Statement {
  readonly sql: string;
  readonly values: unknown[];
}

/** The place of a post in an order of the list. */
export interface ListKey {
  readonly id: string;
  /** As text of the database, which has more digits than a Date. */
  readonly key: string;
}

/** The expressions that have indexes. */
const sortKeys = {
  created: { sql: 'created_at', type: 'timestamptz', direction: 'desc' },
  updated: { sql: 'updated_at', type: 'timestamptz', direction: 'desc' },
  published: { sql: 'published_date', type: 'timestamptz', direction: 'desc' },
  title: { sql: 'lower(title)', type: 'text', direction: 'asc' },
} as const;

const conditionsOfStates: Readonly<Record<PostState, string>> = {
  draft: 'deleted_at is null and not is_published and scheduled_at is null',
  scheduled: 'deleted_at is null and not is_published and scheduled_at is not null',
  published: 'deleted_at is null and is_published',
  trashed: 'deleted_at is not null',
};

const MAX_WORDS = 10;

/**
 * The statement that finds one post more than wanted, from which it follows whether there are further ones.
 * @throws PostInputError for a cursor that is none
 */
export function buildListQuery(input: PostListQuery, scope: PostScope): Statement {
  const { sql: key, type, direction: usual } = sortKeys[input.sort];
  const direction = input.direction ?? usual;
  const { conditions, values } = narrow(input, scope);
  if (input.cursor !== undefined) {
    const last = readCursor(input.cursor, type);
    conditions.push(`(${key}, id) ${direction === 'asc' ? '>' : '<'} (?::${type}, ?::uuid)`);
    values.push(last.key, last.id);
  }
  const sql = `select id, ${key}::text as key from blog_posts where ${conditions.join(' and ')}
    order by ${key} ${direction}, id ${direction} limit ?`;
  return { sql, values: [...values, input.limit + 1] };
}

/** The statement that counts the posts of a filter. */
export function buildCountQuery(filter: PostFilterQuery, scope: PostScope): Statement {
  const { conditions, values } = narrow(filter, scope);
  return { sql: `select count(*)::int as count from blog_posts where ${conditions.join(' and ')}`, values };
}

function narrow(filter: PostFilterQuery, { ownerId }: PostScope) {
  const conditions = [filter.state === undefined ? 'deleted_at is null' : conditionsOfStates[filter.state]];
  const values: unknown[] = [];
  if (ownerId !== null) {
    conditions.push('owner_id = ?');
    values.push(ownerId);
  }
  if (filter.category !== undefined) {
    conditions.push('category = ?');
    values.push(filter.category);
  }
  if (filter.tag !== undefined) {
    conditions.push('tags @> array[?]::text[]');
    values.push(filter.tag);
  }
  for (const word of wordsOf(filter.q)) {
    conditions.push(`(${SEARCH_TEXTS.posts} ilike ? or ${SEARCH_TEXTS.postContents} ilike ?)`);
    values.push(toPattern(word), toPattern(escapeText(word)));
  }
  return { conditions, values };
}

function toPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Spells a word as stored HTML does. */
function escapeText(word: string): string {
  return word.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the cursor of the part that follows a post. */
export function nextCursor(last: ListKey | undefined): string | null {
  return last === undefined ? null : Buffer.from(JSON.stringify([last.key, last.id])).toString('base64url');
}

const TIMESTAMP = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)*$/;

function readCursor(cursor: string, type: 'timestamptz' | 'text'): ListKey {
  try {
    if (!isCanonicalBase64url(cursor)) throw new SyntaxError('Not one of ours');
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isKey = typeof key === 'string' && (type === 'text' ? !key.includes('\0') : TIMESTAMP.test(key));
    if (isKey && typeof id === 'string' && isUuid(id)) return { key, id };
  } catch {
    // Not one of ours.
  }
  throw new PostInputError([{ field: 'cursor', message: 'The cursor is not valid' }]);
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}
