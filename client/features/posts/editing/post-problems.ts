import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { FIELDS } from './fields.js';

/** An input that can break a rule: a field of the text, or the date beside it. */
export type ProblemField = keyof PostForm | 'published_date';

const PROBLEM_FIELDS: readonly ProblemField[] = [...FIELDS, 'published_date'];

/** The first message of each field that breaks a rule. */
export type PostProblems = Readonly<Partial<Record<ProblemField, string>>>;

/** The field of the first problem, in the order in which the form shows them. */
export function firstProblem(problems: PostProblems): ProblemField | undefined {
  return PROBLEM_FIELDS.find((field) => problems[field] !== undefined);
}

/** Returns true when the form has one of the fields with these names, so that it can show what is wrong with it. */
export function hasProblemField(names: readonly string[]): boolean {
  return PROBLEM_FIELDS.some((field) => names.includes(field));
}

/** The problems that are left after an edit: what was changed is not complained about before it is checked again. */
export function withoutChanged(problems: PostProblems, before: PostForm, after: PostForm): PostProblems {
  const left = Object.entries(problems).filter(([field]) => {
    const name = field as ProblemField;
    return name === 'published_date' || before[name] === after[name];
  });
  return Object.fromEntries(left);
}
