import { useMemo } from 'react';
import type { PostComments as Comments } from '../../../src/shared/contracts/posts.js';
import { trustHtml } from '../../lib/trusted-html.js';

/** The comments below a post of the site that it came from: an archive, to which nothing is added. */
export function PostComments({ comments }: { readonly comments: Comments | null }) {
  const html = comments?.html ?? '';
  const content = useMemo(() => ({ __html: trustHtml(html) }), [html]);
  // A server of the release before has none to tell of.
  if (!comments) return null;
  return (
    <section className="comments wrap wrap-narrow" aria-labelledby="post-comments">
      <h2 id="post-comments">
        Comments <span className="quiet">({comments.count.toLocaleString('en-US')})</span>
      </h2>
      <p className="small quiet">From when this post was on another site. New comments are not taken.</p>
      <div suppressHydrationWarning dangerouslySetInnerHTML={content} />
    </section>
  );
}
