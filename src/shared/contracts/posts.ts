import { Documented } from './documented.js';
import { classOfFields } from './field-class.js';
import { presentedField } from './field-schemas.js';
import { listedFields, readersFields, type PostTexts } from './post-fields.js';

/** Renditions of a picture in one format. */
export class PictureSource {
  /** @example "image/avif" */
  readonly type: string;

  /** Addresses and widths, as a `srcset` attribute has them. */
  readonly srcset: string;
}

/** A picture with everything a page needs to lay it out before it has loaded. */
export class Picture {
  /** Address of the fallback rendition. */
  readonly src: string;

  /** Intrinsic width in pixels of the fallback rendition. */
  readonly width: number;

  /** Intrinsic height in pixels of the fallback rendition. */
  readonly height: number;

  /** Renditions by format, best format first; empty for a picture we do not host. */
  readonly sources: PictureSource[];
}

/** The picture of a post where a link to it is shared. */
export class ShareImage {
  /** Address, of this site or absolute. */
  readonly src: string;

  /** Pixels; null for a picture that we do not host. */
  readonly width: number | null;

  /** Pixels; null for a picture that we do not host. */
  readonly height: number | null;

  readonly alt: string;
}

/** A date as pages show it: formatted on the server, in the site's zone, so that both sides print the same. */
export class DisplayDate {
  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly iso: string;

  /**
   * As lists show it.
   * @example "Jan 5, 2025"
   */
  readonly short: string;

  /**
   * As the page of a post shows it.
   * @example "January 5, 2025"
   */
  readonly long: string;
}

const ListedTexts = classOfFields<PostTexts<(typeof listedFields)[number]>>(listedFields, presentedField);

/**
 * A published post without its text, as `GET /api/posts` answers and the blog list shows it. Fields of the table
 * keep the names of product.md 3.1.
 */
export class PostSummary extends ListedTexts {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly published_date: string;

  /** `published_date` in words, in the time zone of the site. */
  readonly published: DisplayDate;

  /** `image_url` with size and renditions; null when there is no image. */
  readonly picture: Picture | null;
}

/** A published post as a link names it. */
export class PostLink {
  readonly slug: string;

  readonly title: string;
}

/** A heading of a post, as its table of contents lists it. */
export class PostHeading {
  /** Fragment of the address at which it stands, without `#`. */
  readonly id: string;

  /** Its words, without markup. */
  readonly title: string;
}

/** A part of a post under a heading of the first level. */
export class PostSection extends PostHeading {
  /** The headings of the second level in it. */
  readonly parts: PostHeading[];
}

/** The archive of comments below a post that came from another site. */
export class PostComments {
  readonly count: number;

  /** Lists in lists, sanitized: the oldest first, answers below what they answer. */
  readonly html: string;
}

type ShownTexts = PostTexts<(typeof readersFields)[number]>;

const SummaryWithTexts = classOfFields<PostSummary & ShownTexts>(readersFields, presentedField, PostSummary);

/**
 * A published post with its text, as `GET /api/posts/{slug}` answers and its page shows it. Hosted images in its
 * `content` are `<picture>` elements with their renditions, and its headings are links to themselves.
 */
export class PostDetail extends SummaryWithTexts {
  /** The image for sharing, the featured image, or one that is drawn; null where none are drawn. */
  readonly share_image: ShareImage | null;

  readonly reading_minutes: number;

  /** The table of contents; empty for a post that is short or has few headings. */
  readonly sections: PostSection[];

  /** When the post was last changed, ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly updated_at: string;

  /** The published post after this one; null for the newest, and in previews. */
  readonly newer: PostLink | null;

  /** The published post before this one; null for the oldest, and in previews. */
  readonly older: PostLink | null;

  /** Published posts that go with this one by tags, category and words, the best first; none in previews. */
  readonly related: PostSummary[];

  /** Comments that came with the post; null without any, and in previews. */
  readonly comments: PostComments | null;
}

/** A post as feeds tell it, without what helps to read it on its page. */
export type FeedPost = Omit<PostDetail, 'sections' | 'newer' | 'older' | 'related' | 'comments'>;
