import { Suspense } from 'react';
import { Await, useLoaderData } from 'react-router-dom';
import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { Head } from '../../lib/head.js';

interface BlogListData {
  readonly result: readonly PostSummary[] | Promise<readonly PostSummary[]>;
}

export function Component() {
  const { result } = useLoaderData<BlogListData>();
  return (
    <>
      <Head
        title="IT & Tech Blog"
        description="Stay updated with the latest IT news, tech tips, and industry insights"
      />
      <h1>IT &amp; Tech Blog</h1>
      <Suspense fallback={<p>Loading blog posts...</p>}>
        <Await resolve={result}>
          {(posts: readonly PostSummary[]) => posts.map((post) => <p key={post.id}>{post.title}</p>)}
        </Await>
      </Suspense>
    </>
  );
}
