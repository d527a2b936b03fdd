/** One thing wrong with one field of a post. */
export interface PostProblem {
  readonly field: string;
  /** A sentence of specification section 5. */
  readonly message: string;
  /** For a field that is too long: characters allowed and found. */
  readonly limit?: number;
  readonly length?: number;
}

/** Thrown for input that breaks a rule; holds every problem, in the order of the fields. */
export class PostInputError extends Error {
  override readonly name = 'PostInputError';

  constructor(readonly problems: readonly PostProblem[]) {
    super(problems[0]?.message ?? 'The post is not valid');
  }
}

/** Thrown when a post was changed by someone else since the writer read it. Nothing was written. */
export class PostChangedError extends Error {
  override readonly name = 'PostChangedError';
}
