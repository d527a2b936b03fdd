import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { PostCard } from './post-card.js';

/** Posts that go with the one that was read, so that nobody has to search for them. */
export function RelatedPosts({ posts }: { readonly posts: readonly PostSummary[] }) {
  if (posts.length === 0) return null;
  return (
    <section className="wrap related" aria-labelledby="related-posts">
      <h2 id="related-posts">Related posts</h2>
      <ul role="list" className="post-grid">
        {posts.map((post) => (
          <PostCard key={post.id} post={post} heading="h3" loading="lazy" />
        ))}
      </ul>
    </section>
  );
}
