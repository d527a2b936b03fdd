import type { ListedPosts } from '../../../src/shared/contracts/blog-list.js';
import { useRestoredScroll } from '../../lib/use-restored-scroll.js';
import type { Lines } from './kept-lines.js';
import { PostArchive } from './post-archive.js';
import { PostCard } from './post-card.js';

/** Cards in the first row of the widest grid: their images are not put off. */
const FIRST_ROW = 3;

/** Posts as cards, and those that have no room for one as lines. */
export function PostGrid({ list: { posts, years } }: { readonly list: ListedPosts<Lines> }) {
  const handleClick = useRestoredScroll();
  return (
    <div onClick={handleClick}>
      <ul role="list" className="post-grid">
        {posts.map((post, index) => (
          <PostCard key={post.id} post={post} loading={index === 0 ? 'first' : index < FIRST_ROW ? 'eager' : 'lazy'} />
        ))}
      </ul>
      <PostArchive years={years} />
    </div>
  );
}
