import type { Picture, PostSummary } from '../../../src/shared/contracts/posts.js';
import { Cables } from '../../components/cables.js';
import { COVER_HEIGHT, drawCover, hashText } from '../../lib/cables.js';

/** Grounds of generated covers; a category always has the same one. */
const tones = ['green', 'paper', 'amber', 'ink'] as const;

interface PostCoverProps {
  readonly post: Pick<PostSummary, 'title' | 'category' | 'picture' | 'image_alt'>;
  /** How wide the image is shown, as a `sizes` value. */
  readonly sizes: string;
  /** 'lazy' below the fold, 'eager' above it, 'first' for the first image that the visitor sees. */
  readonly loading: 'lazy' | 'eager' | 'first';
  /** At the head of its post, in its own proportions, instead of on a card. */
  readonly isLead?: boolean;
}

/** Pixels below which an image would be blown up at the head of its post. */
const LEAD_WIDTH = 640;

/** Small and upright images are shown whole, in their own size, instead of enlarged and cut. */
function fillsLead({ width, height }: Picture): boolean {
  return width >= LEAD_WIDTH && width > height;
}

/** A post's image, or a drawing made from its category and title. */
export function PostCover(props: PostCoverProps) {
  const { post, isLead = false } = props;
  if (!post.picture) return <DrawnCover post={post} width={320} />;
  return (
    <div className={isLead && !fillsLead(post.picture) ? 'cover cover-whole' : 'cover'}>
      <CoverPicture {...props} picture={post.picture} />
    </div>
  );
}

function DrawnCover({ post, width }: Pick<PostCoverProps, 'post'> & { readonly width: number }) {
  const tone = tones[hashText(post.category ?? '') % tones.length] ?? tones[0];
  return (
    <div className={`cover cover-drawn cover-${tone}`}>
      <Cables
        drawing={drawCover(`${post.category ?? ''}/${post.title}`, width)}
        width={width}
        height={COVER_HEIGHT}
        isCropped
      />
    </div>
  );
}

/**
 * A hosted image with its renditions and its size, so that nothing shifts. Without a description, the title beside the
 * image has to be enough.
 */
function CoverPicture({ picture, post, sizes, loading }: PostCoverProps & { readonly picture: Picture }) {
  const { src, width, height, sources } = picture;
  return (
    <picture>
      {sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      <img
        loading={loading === 'lazy' ? 'lazy' : undefined}
        fetchPriority={loading === 'first' ? 'high' : undefined}
        src={src}
        width={width}
        height={height}
        alt={post.image_alt ?? ''}
        decoding="async"
      />
    </picture>
  );
}
