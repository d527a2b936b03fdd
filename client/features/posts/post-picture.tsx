import type { Picture } from '../../../src/shared/contracts/posts.js';

interface PostPictureProps {
  readonly picture: Picture;
  /** Alternative text; empty when it is decorative, null when nobody has said: then the title beside it says enough. */
  readonly alt: string | null;
  readonly sizes: string;
  readonly loading: 'lazy' | 'eager' | 'first';
}

/** A hosted image in its renditions, with its size, so that nothing shifts. */
export function PostPicture({ picture, alt, sizes, loading }: PostPictureProps) {
  return (
    <picture>
      {picture.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      <img
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt={alt ?? ''}
        loading={loading === 'lazy' ? 'lazy' : undefined}
        fetchPriority={loading === 'first' ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  );
}
