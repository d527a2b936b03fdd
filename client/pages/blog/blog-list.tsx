import { Suspense, useEffect, useRef } from 'react';
import { Await, useLoaderData, useRevalidator } from 'react-router-dom';
import type { PostSummary } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { PageHeader } from '../../components/page-header.js';
import { postCards } from '../../features/posts/post-card.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { IN_PAGE, type InPage } from '../../lib/page-state.js';
import { useSite } from '../../lib/site-context.js';
import { useRestoredScroll } from '../../lib/use-restored-scroll.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** The posts, or that they stand in the page that the server sent. */
type ListedPosts = readonly PostSummary[] | InPage;

interface BlogListData {
  readonly result: ListedPosts | Promise<ListedPosts>;
}

/** Blog listing (product.md 2.9): every published post, newest first. */
export function Component() {
  const site = useSite();
  const { result } = useLoaderData<BlogListData>();
  return (
    <>
      <Head
        title="IT & Tech Blog"
        description={`Stay updated with the latest IT news, tech tips, and industry insights from ${site.name}.`}
        jsonLd={[toBreadcrumbs(site, [{ name: 'Blogs', path: paths.blogs }])]}
      />
      <PageHeader
        title="IT & Tech Blog"
        lede="Stay updated with the latest IT news, tech tips, and industry insights"
      />
      <div className="wrap post-list">
        <Suspense fallback={<ListNote>Loading blog posts...</ListNote>}>
          <Await resolve={result} errorElement={<FailedList />}>
            {(posts: ListedPosts) => <PostList posts={posts} />}
          </Await>
        </Suspense>
      </div>
    </>
  );
}

function PostList({ posts }: { readonly posts: ListedPosts }) {
  if (posts.length === 0) return <ListNote>No blog posts available yet. Check back soon!</ListNote>;
  return <PostGrid posts={posts} />;
}

/** The cards are no elements of React: a thousand of them would keep the browser busy for seconds. */
function PostGrid({ posts }: { readonly posts: ListedPosts }) {
  const list = useRef<HTMLUListElement>(null);
  const handleClick = useRestoredScroll();
  const { revalidate } = useRevalidator();
  const html = posts === IN_PAGE ? '' : postCards(posts).html;
  useEffect(() => {
    // Only if hydration failed and React drew the page anew.
    if (!list.current?.hasChildNodes()) void revalidate();
  }, [revalidate]);
  return (
    <ul
      role="list"
      ref={list}
      className="post-grid"
      onClick={handleClick}
      // When hydrating, what the server sent stays.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** A list that could not be fetched stays empty (product.md 2.9). */
function FailedList() {
  return (
    <LogFailure what="The blog posts could not be fetched:">
      <PostList posts={[]} />
    </LogFailure>
  );
}

function ListNote({ children }: { readonly children: string }) {
  return (
    <p className="list-note" role="status">
      {children}
    </p>
  );
}
