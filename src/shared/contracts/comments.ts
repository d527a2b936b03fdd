import { IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { Documented } from './documented.js';
import { OneText } from './one-text.js';

/** A comment below a post, as who looks after it sees it. */
export class ManagedComment {
  /** Its name within the post. */
  readonly id: string;

  readonly post_id: string;

  readonly post_title: string;

  readonly post_slug: string;

  /** True if readers see the post, and so the comment. */
  readonly is_published: boolean;

  /** The name that was given with it. */
  readonly author: string;

  /** @example "https://example.org/" */
  readonly author_url: string | null;

  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly written_at: string;

  /** Its words, without markup. */
  readonly text: string;
}

/** Some comments, the newest first. */
export class ManagedCommentPage {
  readonly items: ManagedComment[];

  /** Comments in all parts. */
  readonly total: number;

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}

/** The longest text to look for in comments. */
export const COMMENT_SEARCH_MAX = 200;

/** The comments that are wanted. A parameter that is empty, or there twice, narrows nothing. */
export class CommentQuery {
  /** In names, in what was written and in titles of posts. */
  @OneText()
  @IsOptional()
  @IsString()
  @MaxLength(COMMENT_SEARCH_MAX, { message: `Search for at most ${COMMENT_SEARCH_MAX} characters` })
  search?: string;

  /** The id of the post below which they stand. */
  @OneText()
  @IsOptional()
  @IsUUID(undefined, { message: 'The id of the post is a UUID' })
  post?: string;

  /** `next_cursor` of the part before. */
  @OneText()
  @IsOptional()
  @Matches(/^(?:\d{1,15}|-\d{1,14})_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_[^\0]{1,50}$/, {
    message: 'The cursor is not valid',
  })
  cursor?: string;
}
