import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { Cables } from '../../components/cables.js';
import { drawCover, hashText } from '../../lib/cables.js';
import { PostPicture } from './post-picture.js';

/** Grounds of generated covers; a category always has the same one. */
const tones = ['green', 'paper', 'amber', 'ink'] as const;

interface PostCoverProps {
  readonly post: Pick<PostSummary, 'title' | 'category' | 'picture'>;
  /** How wide the image is shown, as a `sizes` value. */
  readonly sizes: string;
  /** 'lazy' below the fold, 'eager' above it, 'first' for what the visitor sees first. */
  readonly loading: 'lazy' | 'eager' | 'first';
}

/** A post's image, or a drawing made from its category and title when it has none. */
export function PostCover({ post, sizes, loading }: PostCoverProps) {
  if (post.picture) {
    return (
      <div className="cover">
        <PostPicture picture={post.picture} sizes={sizes} loading={loading} />
      </div>
    );
  }
  const tone = tones[hashText(post.category ?? '') % tones.length];
  return (
    <div className={`cover cover-drawn cover-${tone}`}>
      <Cables drawing={drawCover(`${post.category ?? ''}/${post.title}`)} width={320} height={180} isCropped />
    </div>
  );
}
