import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { PostInput } from '../../../../src/shared/contracts/post-input.js';
import type { DateDecision } from './publication.js';
import type { PostProblems } from './post-problems.js';

/**
 * Checks a form, and the date that was chosen, by the class that the server checks with (product.md 5.3). Brings the validator with it, so the
 * editor imports this module by itself.
 * @returns null when there is nothing to say
 */
export function checkPost(fields: PostForm, date: DateDecision | null): PostProblems | null {
  const input = plainToInstance(PostInput, { ...fields, ...(date ? { published_date: date.to } : {}) });
  const errors = validateSync(input);
  if (errors.length === 0) return null;
  return Object.fromEntries(errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)[0]]));
}
