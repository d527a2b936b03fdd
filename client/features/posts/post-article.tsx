import { useEffect, useMemo } from 'react';
import type { PostDetail } from '../../../src/shared/contracts/posts.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge, TagList } from '../../components/badge.js';
import { ButtonLink } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { focusPageIfWaiting } from '../../lib/focus-page.js';
import { trustHtml } from '../../lib/trusted-html.js';
import { playVideo } from './play-video.js';
import { PostCover } from './post-cover.js';

/** A post as a page to read (product.md 2.10). */
export function PostArticle({ post }: { readonly post: PostDetail }) {
  useEffect(focusPageIfWaiting, [post.id]);
  // React writes it anew, over a video that plays, unless it is the same object.
  const content = useMemo(() => ({ __html: trustHtml(post.content) }), [post.content]);
  return (
    <article className="post wrap wrap-narrow">
      <header className="post-head">
        <div className="post-head-text">
          <a href={paths.blogs} className="link post-back">
            <Icon shape={signs.back} />
            Back to Blogs
          </a>
          {post.category ? (
            <p>
              <Badge>{post.category}</Badge>
            </p>
          ) : null}
          <h1>{post.title}</h1>
          <p className="post-by">
            {post.author} · <time dateTime={post.published.iso}>{post.published.long}</time> · {post.reading_minutes}{' '}
            min read
          </p>
          {post.excerpt ? <p className="post-excerpt">{post.excerpt}</p> : null}
        </div>
        <div className="post-picture">
          <PostCover post={post} sizes="(min-width: 60rem) 27rem, 100vw" loading="first" isLead />
          {post.picture && post.image_caption ? <p className="post-caption">{post.image_caption}</p> : null}
        </div>
      </header>
      <div
        className="prose"
        onClick={playVideo}
        // When the page is hydrated, the browser has spelled it its own way already.
        suppressHydrationWarning
        dangerouslySetInnerHTML={content}
      />
      <footer className="post-foot">
        <TagList tags={post.tags} />
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
