import { createHash } from 'node:crypto';
import type { ShareImage } from '../shared/contracts/posts.js';
import { toPicture } from '../shared/media.js';
import { DIGEST_LENGTH, SHARE_IMAGE_SIZE, toShareImagePath } from '../shared/share-images.js';
import type { PostRow } from './post.entity.js';

/** The columns that decide which picture a post is shared with. */
export const sharedColumns = ['id', 'title', 'category', 'socialImage', 'imageUrl', 'imageAlt'] as const;

/** Settings that decide about share images. */
export interface ShareContext {
  /** Names what all drawn share images have in common; null where none are drawn. */
  readonly shareStamp: string | null;
  readonly publicBase: string | undefined;
}

/** The condition, in SQL, for posts of which a share image is drawn: published ones without a picture to share. */
export const DRAWN_POSTS =
  "is_published and deleted_at is null and social_image is null and coalesce(image_url, '') not like '/media/%'";

/**
 * Returns the picture that a post is shared with: its image for sharing, its featured image, or the drawn one, whose
 * address follows from what it shows.
 */
export function toShareImage(
  post: Pick<PostRow, (typeof sharedColumns)[number]>,
  { shareStamp, publicBase }: ShareContext,
): ShareImage | null {
  const { id, title, category, socialImage, imageUrl, imageAlt } = post;
  if (socialImage) return toHosted(socialImage, publicBase, title) ?? { ...UNKNOWN_SIZE, src: socialImage, alt: title };
  const featured = toHosted(imageUrl ?? '', publicBase, imageAlt || title);
  if (featured !== null || shareStamp === null) return featured;
  const digest = digestOf(shareStamp, title, category ?? null);
  return { src: toShareImagePath({ subject: id, digest }), ...SHARE_IMAGE_SIZE, alt: title };
}

const UNKNOWN_SIZE = { width: null, height: null };

function toHosted(url: string, publicBase: string | undefined, alt: string): ShareImage | null {
  const picture = toPicture(url, publicBase);
  return picture && { src: picture.src, width: picture.width, height: picture.height, alt };
}

/** Names what the drawn share image of a post shows; {@link DIGEST_IN_SQL} is the same in SQL. */
function digestOf(stamp: string, title: string, category: string | null): string {
  const shown = [stamp, title, category ?? ''].join('\n');
  return createHash('sha256').update(shown).digest('hex').slice(0, DIGEST_LENGTH);
}

/** The digest of the drawn share image of a row of `blog_posts`, in SQL; its one parameter is the stamp. */
export const DIGEST_IN_SQL = `left(encode(sha256(convert_to(concat_ws(e'\\n', ?::text, title, coalesce(category, '')), 'UTF8')), 'hex'), ${DIGEST_LENGTH})`;
