import type { ShareImage } from '../../src/shared/contracts/posts.js';
import { SHARE_IMAGE_SIZE, sharedPageOf, toShareImagePath } from '../../src/shared/share-images.js';

interface ShareTagsProps {
  /** The picture of what the page shows; null for that of the page, or of the part of the site. */
  readonly image: ShareImage | null;
  readonly pathname: string;
  /** Digest in the addresses of the images of pages; null where none are drawn. */
  readonly stamp: string | null;
  readonly title: string;
  readonly toAbsolute: (address: string) => string;
}

/** The tags of the picture with which a link is shared. Only programs that run no scripts read them: the server writes them. */
export function ShareTags({ image, pathname, stamp, title, toAbsolute }: ShareTagsProps) {
  const shown = image ?? imageOfPage(pathname, stamp, title);
  if (shown === null) return <meta name="twitter:card" content="summary" />;
  const { src, width, height, alt } = shown;
  return (
    <>
      <meta property="og:image" content={toAbsolute(src)} />
      {width === null ? null : <meta property="og:image:width" content={String(width)} />}
      {height === null ? null : <meta property="og:image:height" content={String(height)} />}
      <meta property="og:image:alt" content={alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function imageOfPage(pathname: string, stamp: string | null, alt: string): ShareImage | null {
  if (stamp === null) return null;
  return { src: toShareImagePath({ subject: sharedPageOf(pathname), digest: stamp }), ...SHARE_IMAGE_SIZE, alt };
}
