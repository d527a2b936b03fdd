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
  /** 'lazy' below the fold, 'eager' above it, 'first' for the first image that the visitor sees. */
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

/** Describes a post's image, or a drawing made from its category and title: the class of the box and its content. */
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
 * Writes a hosted image with its renditions and its size, so that nothing shifts. Without a description, the title
 * beside the image has to be enough.
 */
function writePicture({ src, width, height, sources }: Picture, { post, sizes, loading }: PostCoverProps): Markup {
  return markup`<picture>
    ${sources.map(({ type, srcset }) => markup`<source type="${type}" srcset="${srcset}" sizes="${sizes}"/>`)}
    <img src="${src}" width="${width}" height="${height}" alt="${post.image_alt}"${loadings[loading]} decoding="async"/>
  </picture>`;
}

/** A list is rendered again whenever one of its posts changes; the drawings of the others are remembered. */
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
