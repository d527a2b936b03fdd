import { Suspense } from 'react';
import { Await, useLoaderData } from 'react-router-dom';
import type { PostDetail } from '../../../src/shared/contracts/posts.js';
import { Head } from '../../lib/head.js';

interface BlogPostData {
  readonly result: PostDetail | null | Promise<PostDetail | null>;
}

export function Component() {
  const { result } = useLoaderData<BlogPostData>();
  return (
    <Suspense fallback={<p>Loading...</p>}>
      <Await resolve={result}>
        {(post: PostDetail | null) => (
          <>
            <Head title={post?.title ?? 'Blog Post Not Found'} description={post?.excerpt ?? ''} />
            <h1>{post?.title ?? 'Blog Post Not Found'}</h1>
          </>
        )}
      </Await>
    </Suspense>
  );
}
