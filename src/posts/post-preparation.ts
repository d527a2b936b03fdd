import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { characterCount, PostInput } from '../shared/contracts/post-input.js';
import { fieldNames, specOf, type FieldWith, type PostField } from '../shared/contracts/post-fields.js';
import { cleanCharacters } from './content/clean-characters.js';
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
 * The one door to the table: checks input against {@link PostInput} and sanitises the text.
 * @param input anything; properties that {@link PostInput} does not have are ignored
 * @param log notes what the sanitiser takes out
 * @throws PostInputError with every problem
 */
export function preparePost(input: object, log: RemovalLog | null = null): PostFields {
  return readPost(PostInput, input, log).fields;
}

/**
 * Does what {@link preparePost} does for a class that asks for more than a post.
 * @throws PostInputError with every problem
 */
export function readPost<T extends PostInput>(
  type: ClassConstructor<T>,
  input: unknown,
  log: RemovalLog | null = null,
): { readonly input: T; readonly fields: PostFields } {
  const post = plainToInstance(type, withCleanTexts(input));
  const problems = problemsOf(post);
  const content = typeof post.content === 'string' ? sanitizeContent(post.content, log) : '';
  const isContentKnownBad = problems.some((problem) => problem.field === 'content');
  if (!isContentKnownBad && isEmptyContent(content)) {
    problems.push({ field: 'content', message: 'Content is required' });
  }
  if (problems.length > 0) throw new PostInputError(problems);
  return { input: post, fields: toFields(post, content) };
}

/**
 * Reads what is asked for beside a post.
 * @throws PostInputError with every problem
 */
export function readInput<T extends object>(type: ClassConstructor<T>, input: unknown): T {
  const read = plainToInstance(type, isObject(input) ? input : {});
  const problems = problemsOf(read);
  if (problems.length > 0) throw new PostInputError(problems);
  return read;
}

function toFields(post: PostInput, content: string): PostFields {
  return {
    ...(toColumns({ ...post, content }) as Omit<PostFields, 'publishedDate'>),
    publishedDate: toDate(post.published_date),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problemsOf(input: object): PostProblem[] {
  return validateSync(input, { stopAtFirstError: true }).map(toProblem);
}

/** Without what the database cannot hold. */
function withCleanTexts(input: unknown): object {
  const entries = Object.entries(isObject(input) ? input : {}).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? cleanCharacters(value) : value,
  ]);
  return Object.fromEntries(entries) as object;
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
