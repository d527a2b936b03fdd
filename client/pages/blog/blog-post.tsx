import { Suspense, useEffect } from 'react';
import { Await, useLoaderData, useLocation, useParams } from 'react-router-dom';
import type { PostDetail } from '../../../src/shared/contracts/posts.js';
import type { Site } from '../../../src/shared/contracts/site.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PostArticle } from '../../features/posts/post-article.js';
import { PostComments } from '../../features/posts/post-comments.js';
import { PostNeighbours } from '../../features/posts/post-neighbours.js';
import { RelatedPosts } from '../../features/posts/related-posts.js';
import { SearchForm } from '../../features/search/search-form.js';
import { PostLoading } from '../../features/posts/post-loading.js';
import { LostPage } from '../../features/shell/lost-page.js';
import { toBlogPosting } from '../../lib/posting-data.js';
import { Head, toAbsoluteUrl } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';
import { useArrival } from '../../lib/use-arrival.js';

interface BlogPostData {
  readonly result: PostDetail | null | Promise<PostDetail | null>;
}

/** Single post (product.md 2.10). */
export function Component() {
  const { result } = useLoaderData<BlogPostData>();
  const { slug } = useParams();
  return (
    // The key: going from post to post shows the loading text too, instead of the post before.
    <Suspense key={slug} fallback={<PostLoading />}>
      <Await resolve={result} errorElement={<FailedPost />}>
        {(post: PostDetail | null) => (post ? <FoundPost post={post} /> : <MissingPost />)}
      </Await>
    </Suspense>
  );
}

function FoundPost({ post }: { readonly post: PostDetail }) {
  const site = useSite();
  useCountedRead(post.slug, site);
  useArrival();
  // In the zone of the site, as the archive has it.
  const year = post.published.short.slice(-4);
  const trail = [
    { name: 'Blogs', path: paths.blogs },
    { name: post.title, path: paths.blog(post.slug) },
  ];
  return (
    <>
      <Head
        title={post.seo_title ?? post.title}
        description={
          post.seo_description ??
          post.excerpt ??
          `${post.title}: an article by ${post.author} on the blog of ${site.name}.`
        }
        type="article"
        canonical={post.canonical_url}
        image={post.share_image}
        jsonLd={[toBlogPosting(site, post), toBreadcrumbs(site, trail)]}
      />
      <PostArticle post={post} address={toAbsoluteUrl(site.url, post.canonical_url ?? paths.blog(post.slug))} />
      <PostComments comments={post.comments} />
      <PostNeighbours post={post} />
      <RelatedPosts posts={post.related} />
      <div className="wrap wrap-narrow post-further">
        <SearchForm />
        <a className="link" href={paths.archive({ year })}>{`All posts of ${year}`}</a>
      </div>
    </>
  );
}

/** Tells the server that the post is read. Whoever only follows links within the site was led here by no other one. */
function useCountedRead(slug: string, { readCountsDays }: Site): void {
  const isFirst = useLocation().key === 'default';
  useEffect(() => {
    if (readCountsDays === null) return;
    const ending = new AbortController();
    void import('../../lib/count-read.js').then(
      ({ countRead }) => countRead(slug, isFirst ? document.referrer : '', ending.signal),
      // A page that goes on without its scripts is not counted.
      () => undefined,
    );
    return () => ending.abort();
  }, [slug, isFirst, readCountsDays]);
}

function MissingPost() {
  return (
    <>
      <Head title="Blog Post Not Found" description="There is no blog post at this address." isHidden />
      <LostPage title="Blog Post Not Found" text="The blog post you're looking for doesn't exist.">
        <ButtonLink to={paths.blogs}>Back to Blogs</ButtonLink>
      </LostPage>
    </>
  );
}

/** A post that could not be fetched looks like one that is missing (product.md 2.10). */
function FailedPost() {
  return (
    <LogFailure what="The blog post could not be fetched:">
      <MissingPost />
    </LogFailure>
  );
}
