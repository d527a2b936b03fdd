import { COVER_HEIGHT, drawCover, drawDisk, toneOf } from '../../../src/shared/cables.js';
import type { Picture, PostSummary } from '../../../src/shared/contracts/posts.js';
import { findCoverSubject } from '../../../src/shared/cover-subject.js';
import { glyphs } from '../../../src/shared/glyphs.js';

interface PostCoverProps {
  readonly post: Pick<PostSummary, 'title' | 'category' | 'picture' | 'image_alt' | 'image_focus'>;
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
  if (!post.picture) return <DrawnCover post={post} />;
  return (
    <div className={isLead && !fillsLead(post.picture) ? 'cover cover-whole' : 'cover'}>
      {isLead ? (
        <a
          className="picture-link"
          href={post.picture.src}
          aria-label={`Open the picture${post.image_alt ? `: ${post.image_alt}` : ''}`}
        >
          <CoverPicture {...props} picture={post.picture} />
        </a>
      ) : (
        <CoverPicture {...props} picture={post.picture} />
      )}
    </div>
  );
}

/** Size of the drawing; its sides are cropped where the cover has others. */
const WIDTH = 320;
const DISK = drawDisk(WIDTH);

/** A cover in the hand of the site: the subject of the category before cables that the title lays. */
function DrawnCover({ post: { title, category } }: Pick<PostCoverProps, 'post'>) {
  const { paths, lamps, lit } = drawCover(`${category ?? ''}/${title}`, WIDTH);
  return (
    <div className={`cover cover-drawn cover-${toneOf(category)}`}>
      <svg
        className="cables"
        viewBox={`0 0 ${WIDTH} ${COVER_HEIGHT}`}
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
      >
        <path d={paths.join('')} />
        <path className="lamps" d={lamps} />
        <path className="lamps lit" d={lit} />
        <path className="disk" d={DISK} />
        <path className="subject" d={glyphs[findCoverSubject(category)]} />
      </svg>
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
        style={post.image_focus ? { objectPosition: post.image_focus } : undefined}
        decoding="async"
      />
    </picture>
  );
}
