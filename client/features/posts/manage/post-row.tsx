import { memo, useId, type ReactNode } from 'react';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { Badge } from '../../../components/badge.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { formatDay } from '../../../lib/format-moment.js';
import { titleOf } from './describe-refusal.js';
import { StateLabel } from './state-label.js';
import type { PostActions } from './use-post-actions.js';

/** Days that the trash keeps a post (product.md 2.12). */
const TRASH_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

interface PostRowProps {
  readonly post: AdminPostListItem;
  readonly actions: PostActions;
  /** True while an action on the post is in progress. */
  readonly isBusy: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
}

/**
 * One post of the list (product.md 2.12) with its state and its actions. Rendered again only when something about it
 * changes, because there may be thousands.
 */
export const PostRow = memo(function PostRow({ post, actions, isBusy, isSelected, onSelect }: PostRowProps) {
  const id = useId();
  const title = titleOf(post);
  return (
    <article className="post-row" aria-labelledby={id} data-selected={isSelected || undefined} tabIndex={-1}>
      <label className="row-check">
        <input type="checkbox" checked={isSelected} onChange={(event) => onSelect([post.id], event.target.checked)} />
        <span className="visually-hidden">Select {title}</span>
      </label>
      <div className="row-text">
        <h2 id={id}>{title}</h2>
        {post.excerpt ? <p className="row-excerpt">{post.excerpt}</p> : null}
        <div className="row-meta">
          <StateLabel {...post} />
          {post.has_unsaved_changes ? <Badge kind="signal">Unsaved changes</Badge> : null}
          {post.category ? <Badge kind="quiet">{post.category}</Badge> : null}
          <span>
            By {post.author} • <time dateTime={post.published.iso}>{post.published.short}</time>
          </span>
          {post.deleted_at ? <TrashDates deletedAt={post.deleted_at} /> : null}
        </div>
      </div>
      <div className="row-actions">
        {post.state === 'trashed' ? (
          <TrashButtons post={post} actions={actions} isBusy={isBusy} />
        ) : (
          <PostButtons post={post} actions={actions} isBusy={isBusy} />
        )}
      </div>
    </article>
  );
});

function TrashDates({ deletedAt }: { readonly deletedAt: string }) {
  const end = new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString();
  return (
    <span>
      Deleted {formatDay(deletedAt)}, gone for good on {formatDay(end)}
    </span>
  );
}

type ButtonsProps = Pick<PostRowProps, 'post' | 'actions' | 'isBusy'>;

function PostButtons({ post, actions, isBusy }: ButtonsProps) {
  return (
    <>
      <ButtonLink kind="line" isSmall to={paths.admin.blog(post.id)}>
        <Named post={post}>Edit</Named>
      </ButtonLink>
      <RowButton post={post} isBusy={isBusy} onClick={actions.toggle}>
        {post.is_published ? 'Unpublish' : 'Publish'}
      </RowButton>
      <RowButton post={post} isBusy={isBusy} onClick={actions.duplicate}>
        Duplicate
      </RowButton>
      <RowButton post={post} isBusy={isBusy} onClick={actions.trash} isDangerous>
        Delete
      </RowButton>
    </>
  );
}

function TrashButtons({ post, actions, isBusy }: ButtonsProps) {
  return (
    <>
      <RowButton post={post} isBusy={isBusy} onClick={actions.restore}>
        Restore
      </RowButton>
      <RowButton post={post} isBusy={isBusy} onClick={actions.remove} isDangerous>
        Delete for good
      </RowButton>
    </>
  );
}

interface RowButtonProps extends Pick<ButtonsProps, 'post' | 'isBusy'> {
  readonly onClick: (post: AdminPostListItem) => void;
  readonly isDangerous?: boolean;
  readonly children: ReactNode;
}

function RowButton({ post, isBusy, onClick, isDangerous = false, children }: RowButtonProps) {
  return (
    <Button
      kind="line"
      isSmall
      className={isDangerous ? 'btn-danger' : undefined}
      // Not disabled: the focus would be lost.
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) onClick(post);
      }}
    >
      <Named post={post}>{children}</Named>
    </Button>
  );
}

/** A label with the post's title for screen readers. */
function Named({ post, children }: { readonly post: AdminPostListItem; readonly children: ReactNode }) {
  return (
    <span>
      {children}
      <span className="visually-hidden"> {titleOf(post)}</span>
    </span>
  );
}
