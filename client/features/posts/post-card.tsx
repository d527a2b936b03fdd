import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { PostCover } from './post-cover.js';
import { PostCategory, PostTags, TermLink } from './term-link.js';

const SIZES = '(min-width: 60rem) 23rem, (min-width: 38rem) 50vw, 100vw';

interface PostCardProps {
  readonly post: PostSummary;
  readonly loading: 'lazy' | 'eager' | 'first';
  readonly heading?: 'h2' | 'h3';
}

/** A post in the list (product.md 2.9). The whole card leads to the post, but for the names of its terms. */
export function PostCard({ post, loading, heading: Heading = 'h2' }: PostCardProps) {
  return (
    <li className="post-card">
      <PostCover post={post} sizes={SIZES} loading={loading} />
      <div className="post-card-text">
        <PostCategory category={post.category} />
        <Heading className="clamp-2">
          <a href={paths.blog(post.slug)}>{post.title}</a>
        </Heading>
        {post.excerpt ? <p className="clamp-3 quiet">{post.excerpt}</p> : null}
        <p className="post-by">
          <TermLink kind="author" name={post.author} />
          {' · '}
          <time dateTime={post.published.iso}>{post.published.short}</time>
        </p>
        <PostTags tags={post.tags} />
      </div>
    </li>
  );
}
