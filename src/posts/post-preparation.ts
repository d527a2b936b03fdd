import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { characterCount, PostInput } from '../shared/contracts/post-input.js';
import { fieldNames, specOf, type FieldWith, type PostField } from '../shared/contracts/post-fields.js';
import { isEmptyContent } from './content/plain-text.js';
import type { RemovalLog } from './content/removal-log.js';
import { sanitizeContent } from './content/sanitize-content.js';
import { propertiesOf, type PropertyOf } from './post-columns.js';
import type { PostRow } from './post.entity.js';
import { PostInputError, type PostProblem } from './post.errors.js';
import { toColumns } from './post-texts.js';

type RequiredColumns = PropertyOf<FieldWith<{ isRequired: true }>>;

/** The fields of a post that a writer decides about, checked and clean. One that is absent stays as it is. */
export type PostFields = Pick<PostRow, RequiredColumns> &
  Partial<Pick<PostRow, Exclude<PropertyOf<PostField>, RequiredColumns>>> & {
    /** Null leaves it to the first publication; undefined when the writer did not say. */
    readonly publishedDate: Date | null | undefined;
  };

/** Returns true when the input has a value for every field. */
export function isWhole(fields: PostFields): boolean {
  return propertiesOf(fieldNames()).every((property) => fields[property] !== undefined);
}

/**
 * Checks input that has not passed the pipe of a controller against {@link PostInput}, and sanitizes the text.
 * @param input anything; properties that {@link PostInput} does not have are ignored
 * @param log notes what the sanitizer takes out
 * @throws PostInputError with every problem
 */
export function preparePost(input: object, log: RemovalLog | null = null): PostFields {
  const post = plainToInstance(PostInput, input);
  return toFields(post, validateSync(post, { stopAtFirstError: true }), log);
}

/**
 * Sanitizes the text of a post that was checked.
 * @throws PostInputError when nothing visible is left of its content
 */
export function sanitizePost(post: PostInput): PostFields {
  return toFields(post, [], null);
}

/** An error with every problem of input that breaks rules; of a post also that nothing visible is left of its content. */
export function toInputError(errors: readonly ValidationError[]): PostInputError {
  const post = errors[0]?.target;
  return new PostInputError(post instanceof PostInput ? judge(post, errors, null).problems : errors.map(toProblem));
}

function toFields(post: PostInput, errors: readonly ValidationError[], log: RemovalLog | null): PostFields {
  const { content, problems } = judge(post, errors, log);
  if (problems.length > 0) throw new PostInputError(problems);
  return {
    ...(toColumns({ ...post, content }) as Omit<PostFields, 'publishedDate'>),
    publishedDate: toDate(post.published_date),
  };
}

function judge(post: PostInput, errors: readonly ValidationError[], log: RemovalLog | null) {
  const problems = errors.map(toProblem);
  const content = typeof post.content === 'string' ? sanitizeContent(post.content, log) : '';
  const isContentKnownBad = problems.some(({ field }) => field === 'content');
  if (!isContentKnownBad && isEmptyContent(content)) {
    problems.push({ field: 'content', message: 'Content is required' });
  }
  return { content, problems };
}

function toDate(date: string | null | undefined): Date | null | undefined {
  return typeof date === 'string' ? new Date(date) : date;
}

function toProblem(error: ValidationError): PostProblem {
  const [kind, message] = Object.entries(error.constraints ?? {})[0] ?? ['', 'is not valid'];
  const problem = { field: error.property, message };
  const value: unknown = error.value;
  const { limit } = fieldNames().some((name) => name === error.property) ? specOf(error.property as PostField) : {};
  if (kind !== 'maxCharacters' || limit === undefined || typeof value !== 'string') return problem;
  return { ...problem, limit, length: characterCount(value) };
}
