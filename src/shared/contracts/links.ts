import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import type { LinkState } from '../link-state.js';
import { Documented } from './documented.js';

/** The text that has a link: the one that readers see or will see, or edits that are not saved yet. */
export type LinkPlace = 'post' | 'edits';

/** The kind of an address in a post. */
export type LinkKind = 'link' | 'image';

/** The fault of an address: no page or image is there, a post that is not live, another site without an answer. */
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

/** Posts in a part. */
export const DEAD_LINK_POSTS = 50;
