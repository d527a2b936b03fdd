import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge, TagList } from '../../components/badge.js';
import { PostCover } from './post-cover.js';

/** Cards in the first row of the widest grid: their images are not put off. */
const FIRST_ROW = 3;

const SIZES = '(min-width: 60rem) 23rem, (min-width: 38rem) 50vw, 100vw';

interface PostCardProps {
  readonly post: PostSummary;
  /** Place in the list, from 0. */
  readonly index: number;
}

/** A post in the list (product.md 2.9). The whole card leads to the post. */
export function PostCard({ post, index }: PostCardProps) {
  return (
    <li className="post-card">
      <PostCover post={post} sizes={SIZES} loading={index === 0 ? 'first' : index < FIRST_ROW ? 'eager' : 'lazy'} />
      <div className="post-card-text">
        {post.category ? (
          <p>
            <Badge>{post.category}</Badge>
          </p>
        ) : null}
        <h2 className="clamp-2">
          <a href={paths.blog(post.slug)}>{post.title}</a>
        </h2>
        {post.excerpt ? <p className="clamp-3 quiet">{post.excerpt}</p> : null}
        <p className="post-by">
          {`${post.author} · `}
          <time dateTime={post.published.iso}>{post.published.short}</time>
        </p>
        <TagList tags={post.tags} />
      </div>
    </li>
  );
}
