import type { listedFields, PostTexts, readersFields } from './post-fields.js';

/** A picture with everything a page needs to lay it out before it has loaded. */
export interface Picture {
  /** Address of the fallback rendition. */
  readonly src: string;
  /** Intrinsic size in pixels of the fallback rendition. */
  readonly width: number;
  readonly height: number;
  /** Renditions by format, best format first, as `srcset` values; empty for a picture we do not host. */
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
}

/** A date as pages show it: formatted on the server, in the site's zone, so that both sides print the same. */
export interface DisplayDate {
  /** ISO 8601, UTC. */
  readonly iso: string;
  /** Like 'Jan 5, 2025' (lists). */
  readonly short: string;
  /** Like 'January 5, 2025' (single post). */
  readonly long: string;
}

/**
 * A published post without its text, as `GET /api/posts` answers and the blog list shows it. Fields of the table
 * keep the names of product.md 3.1.
 */
export interface PostSummary extends PostTexts<(typeof listedFields)[number]> {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly published_date: string;
  /** `published_date` in words. */
  readonly published: DisplayDate;
  /** `image_url` with size and renditions; null when there is no image. */
  readonly picture: Picture | null;
}

/**
 * A published post with its text, as `GET /api/posts/{slug}` answers and its page shows it. Hosted images in its
 * `content` are `<picture>` elements with their renditions.
 */
export interface PostDetail extends PostSummary, PostTexts<(typeof readersFields)[number]> {
  readonly reading_minutes: number;
  /** When the post was last changed, ISO 8601, UTC. */
  readonly updated_at: string;
}
