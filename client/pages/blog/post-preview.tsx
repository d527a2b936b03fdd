import { Suspense } from 'react';
import { Await, useLoaderData } from 'react-router-dom';
import type { PostDetail } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { PostArticle } from '../../features/posts/post-article.js';
import { PostLoading } from '../../features/posts/post-loading.js';
import { LostPage } from '../../features/shell/lost-page.js';
import { Head } from '../../lib/head.js';
import { LogFailure } from '../../lib/log-failure.js';

interface PreviewData {
  readonly result: PostDetail | null | Promise<PostDetail | null>;
}

/** A post as it will look, for people with the link. */
export function Component() {
  const { result } = useLoaderData<PreviewData>();
  return (
    <Suspense fallback={<PostLoading />}>
      <Await resolve={result} errorElement={<FailedPreview />}>
        {(post: PostDetail | null) => (post ? <FoundPreview post={post} /> : <MissingPreview />)}
      </Await>
    </Suspense>
  );
}

function FoundPreview({ post }: { readonly post: PostDetail }) {
  return (
    <>
      <Head title={`Preview: ${post.title}`} description="A preview of a post that may not be published." isHidden />
      <div className="wrap wrap-narrow preview-note">
        <Notice>
          <p>
            <strong>Preview.</strong> This is how the post would look. Only people who have this link can see it.
          </p>
        </Notice>
      </div>
      <PostArticle post={post} address={null} />
    </>
  );
}

function MissingPreview() {
  return (
    <>
      <Head title="Preview Not Found" description="There is no preview at this address." isHidden />
      <LostPage title="Preview Not Found" text="This link is wrong or has expired. Ask whoever sent it for a new one.">
        <ButtonLink to={paths.blogs}>Back to Blogs</ButtonLink>
      </LostPage>
    </>
  );
}

function FailedPreview() {
  return (
    <LogFailure what="The preview could not be fetched:">
      <MissingPreview />
    </LogFailure>
  );
}
