import { Suspense, useEffect } from 'react';
import { Await, useLoaderData, useParams } from 'react-router-dom';
import type { PostDetail } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PostArticle } from '../../features/posts/post-article.js';
import { PostNeighbours } from '../../features/posts/post-neighbours.js';
import { PostLoading } from '../../features/posts/post-loading.js';
import { LostPage } from '../../features/shell/lost-page.js';
import { focusPageIfWaiting } from '../../lib/focus-page.js';
import { toBlogPosting } from '../../lib/posting-data.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

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
      <PostArticle post={post} />
      <PostNeighbours post={post} />
    </>
  );
}

function MissingPost() {
  useEffect(focusPageIfWaiting, []);
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
