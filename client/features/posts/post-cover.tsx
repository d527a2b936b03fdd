import type { Picture, PostSummary } from '../../../src/shared/contracts/posts.js';
import { cables } from '../../components/cables.js';
import { COVER_HEIGHT, drawCover, hashText } from '../../lib/cables.js';
import { markup, type Markup } from '../../lib/markup.js';

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

/** A post's image, or a drawing made from its category and title when it has none, as the box and what it holds. */
export function describeCover(props: PostCoverProps): { readonly className: string; readonly content: Markup } {
  const { post, isStrip = false } = props;
  if (post.picture) {
    const className = isStrip && !fillsStrip(post.picture) ? 'cover cover-whole' : 'cover';
    return { className, content: writePicture(post.picture, props) };
  }
  const tone = tones[hashText(post.category ?? '') % tones.length] ?? tones[0];
  return { className: `cover cover-drawn cover-${tone}`, content: recallDrawing(props) };
}

/** {@link describeCover} as an element. */
export function PostCover(props: PostCoverProps) {
  const { className, content } = describeCover(props);
  return <div className={className} dangerouslySetInnerHTML={{ __html: content.html }} />;
}

const loadings = {
  lazy: markup` loading="lazy"`,
  eager: null,
  first: markup` fetchpriority="high"`,
} as const;

/**
 * A hosted image in its renditions, with its size, so that nothing shifts. Where nobody has said what it shows, the
 * title beside it says enough.
 */
function writePicture({ src, width, height, sources }: Picture, { post, sizes, loading }: PostCoverProps): Markup {
  return markup`<picture>
    ${sources.map(({ type, srcset }) => markup`<source type="${type}" srcset="${srcset}" sizes="${sizes}"/>`)}
    <img src="${src}" width="${width}" height="${height}" alt="${post.image_alt}"${loadings[loading]} decoding="async"/>
  </picture>`;
}

/** A list is drawn anew whenever one of its posts changes; the other drawings stay what they were. */
const MAX_REMEMBERED = 5000;
const remembered = new Map<string, Markup>();

function recallDrawing({ post, isStrip = false }: PostCoverProps): Markup {
  const width = isStrip ? 960 : 320;
  const seed = `${post.category ?? ''}/${post.title}`;
  const key = `${width} ${seed}`;
  const known = remembered.get(key);
  if (known) return known;
  const drawn = cables(drawCover(seed, width), { width, height: COVER_HEIGHT, isCropped: true });
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, drawn);
  return drawn;
}
