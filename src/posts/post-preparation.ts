import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { characterCount, PostInput } from '../shared/contracts/post-input.js';
import { POST_LIMITS } from '../shared/limits.js';
import { isEmptyContent } from './content/plain-text.js';
import { sanitizeContent } from './content/sanitize-content.js';
import type { PostRow } from './post.entity.js';
import { PostInputError, type PostProblem } from './post.errors.js';

/** The fields of a post that a writer decides about, checked and clean. */
export type PostFields = Pick<
  PostRow,
  'slug' | 'title' | 'excerpt' | 'content' | 'imageUrl' | 'category' | 'tags' | 'author'
> & {
  /** Undefined when the writer did not say. */
  readonly publishedDate: Date | undefined;
};

const limits: Readonly<Record<string, number>> = POST_LIMITS;

/**
 * The one door to the table: checks input against {@link PostInput} and sanitises the text.
 * @param input anything; properties that {@link PostInput} does not have are ignored
 * @throws PostInputError with every problem
 */
export function preparePost(input: object): PostFields {
  const post = plainToInstance(PostInput, input);
  const problems = validateSync(post, { stopAtFirstError: true }).map(toProblem);
  const content = typeof post.content === 'string' ? sanitizeContent(post.content) : '';
  const isContentKnownBad = problems.some((problem) => problem.field === 'content');
  if (!isContentKnownBad && isEmptyContent(content)) {
    problems.push({ field: 'content', message: 'Content is required' });
  }
  if (problems.length > 0) throw new PostInputError(problems);
  return {
    slug: post.slug,
    title: post.title,
    excerpt: post.excerpt,
    content,
    imageUrl: post.image_url,
    category: post.category,
    tags: post.tags,
    author: post.author,
    publishedDate: post.published_date === undefined ? undefined : new Date(post.published_date),
  };
}

function toProblem(error: ValidationError): PostProblem {
  const [kind, message] = Object.entries(error.constraints ?? {})[0] ?? ['', 'is not valid'];
  const problem = { field: error.property, message };
  const value: unknown = error.value;
  const limit = limits[error.property];
  if (kind !== 'maxCharacters' || limit === undefined || typeof value !== 'string') return problem;
  return { ...problem, limit, length: characterCount(value) };
}
