import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsUUID, Max, Min } from 'class-validator';
import type { LinkState } from '../link-state.js';
import { Documented } from './documented.js';

/** The text that has a link: the one that readers see or will see, or edits that are not saved yet. */
export type LinkPlace = 'post' | 'edits';

/** The kind of an address in a post. */
export type LinkKind = 'link' | 'image';

/** The fault of an address: no page or image is there, a post that is not live, a place that its page does not have, another site without an answer. */
export type DeadLinkState = Exclude<LinkState, 'found'> | 'unreachable';

/** An address in a post that leads nowhere. */
export class DeadLink {
  readonly place: LinkPlace;

  readonly kind: LinkKind;

  /** As the post has it. */
  readonly address: string;

  readonly state: DeadLinkState;

  /** Goes on after the address of another site: 'answers 404'. */
  readonly reason: string | null;
}

/** A post with dead links. */
export class PostWithDeadLinks {
  readonly id: string;

  readonly slug: string;

  readonly title: string;

  readonly is_published: boolean;

  readonly links: DeadLink[];
}

/** A redirect whose target is no page. */
export interface UnusedRedirect {
  readonly path: string;
  readonly target: string;
}

/** A part of the posts with dead links. */
export class DeadLinkPage {
  readonly items: PostWithDeadLinks[];

  /** Posts with dead links in all parts. */
  readonly total: number;
}

const PAGE = { message: 'The page is a number.' };

/** The part of the posts with dead links that is wanted. */
export class DeadLinkQuery {
  @Transform(({ value }: { value: unknown }) => (value === undefined || value === '' ? 1 : Number(value)))
  @IsInt(PAGE)
  @Min(1, PAGE)
  @Max(10_000, PAGE)
  @Documented({ required: false })
  page: number = 1;
}

/** Posts whose dead links are counted at once. */
export const COUNTED_POSTS_MAX = 500;

/** Posts of a list, to learn which have dead links. */
export class DeadLinkCountInput {
  @IsArray({ message: 'The ids are missing' })
  @ArrayMaxSize(COUNTED_POSTS_MAX, { message: `At most ${COUNTED_POSTS_MAX} posts at once` })
  @IsUUID(undefined, { each: true, message: 'An id is a UUID' })
  ids: string[];
}

/** The number of dead links of a post, in its text and in edits that wait. */
export class DeadLinkCount {
  readonly id: string;

  readonly links: number;
}

/** The posts among those asked for that have dead links. */
export class DeadLinkCounts {
  readonly posts: DeadLinkCount[];
}

/** Posts in a part. */
export const DEAD_LINK_POSTS = 50;
