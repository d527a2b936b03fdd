import { useEffect, useMemo, useRef } from 'react';
import type { PostDetail } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { focusPageIfWaiting } from '../../lib/focus-page.js';
import { trustHtml } from '../../lib/trusted-html.js';
import { playVideo } from './play-video.js';
import { PostContents } from './post-contents.js';
import { PostCover } from './post-cover.js';
import { PostShare } from './post-share.js';
import { PostCategory, PostTags, TermLink } from './term-link.js';
import { useReadingAids } from './use-reading-aids.js';

interface PostArticleProps {
  readonly post: PostDetail;
  /** The address under which the post is shared; null where nobody is to share it, as in a preview. */
  readonly address: string | null;
}

/** A post as a page to read (product.md 2.10). */
export function PostArticle({ post, address }: PostArticleProps) {
  useEffect(focusPageIfWaiting, [post.id]);
  // React writes it anew, over a video that plays, unless it is the same object.
  const content = useMemo(() => ({ __html: trustHtml(post.content) }), [post.content]);
  const article = useRef<HTMLElement>(null);
  useReadingAids(article, content);
  return (
    <article className="post wrap wrap-narrow" ref={article}>
      <header className="post-head">
        <div className="post-head-text">
          <a href={paths.blogs} className="link post-back">
            <Icon shape={signs.back} />
            Back to Blogs
          </a>
          <PostCategory category={post.category} />
          <h1 dir="auto">{post.title}</h1>
          <p className="post-by">
            <TermLink kind="author" name={post.author} /> ·{' '}
            <time dateTime={post.published.iso}>{post.published.long}</time> · {post.reading_minutes} min read
          </p>
          {post.excerpt ? (
            <p className="post-excerpt" dir="auto">
              {post.excerpt}
            </p>
          ) : null}
        </div>
        <div className="post-picture">
          <PostCover post={post} sizes="(min-width: 60rem) 27rem, 100vw" loading="first" isLead />
          {post.picture && post.image_caption ? <p className="post-caption">{post.image_caption}</p> : null}
        </div>
      </header>
      <div className="post-body">
        <PostContents sections={post.sections} />
        <div
          className="prose"
          dir="auto"
          onClick={playVideo}
          // When the page is hydrated, the browser has spelled it its own way already.
          suppressHydrationWarning
          dangerouslySetInnerHTML={content}
        />
      </div>
      <footer className="post-foot">
        <PostTags tags={post.tags} />
        {address === null ? null : <PostShare address={address} />}
        <p className="post-end">
          <span>Something like this at your office?</span>
          <ButtonLink to={paths.contact} kind="line" isSmall>
            Ask us about it
          </ButtonLink>
        </p>
      </footer>
    </article>
  );
}
