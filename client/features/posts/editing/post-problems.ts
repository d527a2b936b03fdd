import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { FIELDS } from './fields.js';

/** The first message of each field that breaks a rule. */
export type PostProblems = Readonly<Partial<Record<keyof PostForm, string>>>;

/** The field of the first problem, in the order in which the form shows them. */
export function firstProblem(problems: PostProblems): keyof PostForm | undefined {
  return FIELDS.find((field) => problems[field] !== undefined);
}

/** The problems that are left after an edit: what was changed is not complained about before it is checked again. */
export function withoutChanged(problems: PostProblems, before: PostForm, after: PostForm): PostProblems {
  const left = Object.entries(problems).filter(([field]) => {
    const name = field as keyof PostForm;
    return before[name] === after[name];
  });
  return Object.fromEntries(left);
}
