/** The posts that somebody reaches, and what they may decide about them (decision 102). */
export interface PostScope {
  /** The account whose posts these are; null for all posts, also those of nobody. */
  readonly ownerId: string | null;
  /** True for who may decide what readers see. */
  readonly mayPublish: boolean;
}

/** The scope of administrators, operators and the product itself. */
export const ALL_POSTS: PostScope = { ownerId: null, mayPublish: true };
