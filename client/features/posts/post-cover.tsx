import type { Picture, PostSummary } from '../../../src/shared/contracts/posts.js';
import { Cables } from '../../components/cables.js';
import { COVER_HEIGHT, drawCover, hashText } from '../../lib/cables.js';
import { PostPicture } from './post-picture.js';

/** Grounds of generated covers; a category always has the same one. */
const tones = ['green', 'paper', 'amber', 'ink'] as const;

interface PostCoverProps {
  readonly post: Pick<PostSummary, 'title' | 'category' | 'picture' | 'image_alt'>;
  /** How wide the image is shown, as a `sizes` value. */
  readonly sizes: string;
  /** 'lazy' below the fold, 'eager' above it, 'first' for what the visitor sees first. */
  readonly loading: 'lazy' | 'eager' | 'first';
  /** Draws a broad strip instead of 16 by 9. */
  readonly isStrip?: boolean;
}

/** Pixels below which an image would be blown up to fill the strip above a post. */
const STRIP_WIDTH = 800;

/** Small and upright images are shown whole, in their own size, instead of enlarged and cut. */
function fillsStrip({ width, height }: Picture): boolean {
  return width >= STRIP_WIDTH && width > height;
}

/** A post's image, or a drawing made from its category and title when it has none. */
export function PostCover({ post, sizes, loading, isStrip = false }: PostCoverProps) {
  if (post.picture) {
    return (
      <div className={isStrip && !fillsStrip(post.picture) ? 'cover cover-whole' : 'cover'}>
        <PostPicture picture={post.picture} alt={post.image_alt} sizes={sizes} loading={loading} />
      </div>
    );
  }
  const width = isStrip ? 960 : 320;
  const seed = `${post.category ?? ''}/${post.title}`;
  const tone = tones[hashText(post.category ?? '') % tones.length];
  return (
    <div className={`cover cover-drawn cover-${tone}`}>
      <Cables drawing={drawCover(seed, width)} width={width} height={COVER_HEIGHT} isCropped />
    </div>
  );
}
