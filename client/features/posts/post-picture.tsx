import type { Picture } from '../../../src/shared/contracts/posts.js';

interface PostPictureProps {
  readonly picture: Picture;
  readonly sizes: string;
  readonly loading: 'lazy' | 'eager' | 'first';
}

/**
 * A hosted image in its renditions, with its size, so that nothing shifts. Featured images come without a text
 * alternative: the title beside them says what the post is about.
 */
export function PostPicture({ picture, sizes, loading }: PostPictureProps) {
  return (
    <picture>
      {picture.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      <img
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt=""
        loading={loading === 'lazy' ? 'lazy' : undefined}
        fetchPriority={loading === 'first' ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  );
}
