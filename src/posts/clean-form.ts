import type { StoredPostForm } from '../shared/contracts/admin-posts.js';
import { cleanCharacters } from '../shared/clean-characters.js';
import { sanitizeContent } from './content/sanitize-content.js';
import { fieldNames, specOf, type PostField } from '../shared/contracts/post-fields.js';

/** The fields of a form without what the database cannot hold, and with a text that is safe to be shown. */
export function cleanForm(form: StoredPostForm): StoredPostForm {
  const given = fieldNames().flatMap((name) => {
    const value = form[name];
    return value === undefined ? [] : [[name, value === null ? null : cleanValue(name, value)] as const];
  });
  return Object.fromEntries(given);
}

function cleanValue(name: PostField, value: string): string {
  return specOf(name).kind === 'html' ? sanitizeContent(value) : cleanCharacters(value);
}
