import { memo, useId, type ReactNode } from 'react';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { Badge } from '../../../components/badge.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { DropDown } from '../../../components/drop-down.js';
import { Icon } from '../../../components/icon.js';
import { signs } from '../../../components/signs.js';
import { UndoOffer } from '../../../components/undo-offer.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { countDeadLinks } from '../../../content/links.js';
import { formatDay } from '../../../lib/format-moment.js';
import { useSite } from '../../../lib/site-context.js';
import { describeDeletion, describeToggle } from './decision-words.js';
import { titleOf } from './describe-refusal.js';
import type { ShownDate } from './list-filter.js';
import { StateLabel } from './state-label.js';
import { wordsOf, type PostActions } from './use-post-actions.js';
import type { Decision } from './use-undo-offers.js';

/** Days that the trash keeps a post (product.md 2.12). */
const TRASH_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

interface PostRowProps {
  readonly post: AdminPostListItem;
  readonly deadLinks: number;
  readonly actions: PostActions;
  /** True while an action on the post is in progress. */
  readonly isBusy: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
  /** The date that the list is sorted by, if it is not the one that every row shows. */
  readonly shownDate: ShownDate | null;
  /** The decision that can still be undone here. */
  readonly decision: Decision | undefined;
  readonly onOfferEnd: (id: string) => void;
}

/**
 * One post of the list (product.md 2.12) with its state and its actions. Rendered again only when something about it
 * changes, because there may be thousands.
 */
export const PostRow = memo(function PostRow(props: PostRowProps) {
  const { post, deadLinks, actions, isBusy, isSelected, onSelect, shownDate, decision, onOfferEnd } = props;
  const { timeZone } = useSite();
  const id = useId();
  const title = titleOf(post);
  return (
    <article className="post-row" aria-labelledby={id} data-selected={isSelected || undefined} tabIndex={-1}>
      <label className="row-check">
        <input type="checkbox" checked={isSelected} onChange={(event) => onSelect([post.id], event.target.checked)} />
        <span className="visually-hidden">Select {title}</span>
      </label>
      <div className="row-text">
        <h2 id={id}>
          <a href={paths.admin.blog(post.id)}>
            <bdi>{title}</bdi>
          </a>
        </h2>
        {post.excerpt ? (
          <p className="row-excerpt">
            <bdi>{post.excerpt}</bdi>
          </p>
        ) : null}
        <div className="row-meta">
          <StateLabel {...post} />
          {post.has_unsaved_changes ? <Badge kind="signal">Unsaved changes</Badge> : null}
          {deadLinks > 0 ? <Badge kind="signal">{countDeadLinks(deadLinks)}</Badge> : null}
          {post.category ? <Badge kind="quiet">{post.category}</Badge> : null}
          <span>
            By {post.author} • <time dateTime={post.published.iso}>{post.published.short}</time>
          </span>
          {shownDate ? (
            <span>
              {shownDate.words}{' '}
              <time dateTime={post[shownDate.column]}>{formatDay(post[shownDate.column], timeZone)}</time>
            </span>
          ) : null}
          {post.deleted_at ? <TrashDates deletedAt={post.deleted_at} timeZone={timeZone} /> : null}
        </div>
      </div>
      <div className="row-actions">
        {post.state === 'trashed' ? (
          <TrashButtons post={post} actions={actions} isBusy={isBusy} />
        ) : (
          <PostButtons post={post} actions={actions} isBusy={isBusy} />
        )}
      </div>
      {decision ? (
        <UndoOffer
          words={`${wordsOf(decision.after)}.`}
          subject={title}
          onUndo={() => actions.undo(decision)}
          onEnd={() => onOfferEnd(post.id)}
        />
      ) : null}
    </article>
  );
});

function TrashDates({ deletedAt, timeZone }: { readonly deletedAt: string; readonly timeZone: string }) {
  const end = new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString();
  return (
    <span>
      Deleted {formatDay(deletedAt, timeZone)}, gone for good on {formatDay(end, timeZone)}
    </span>
  );
}

type ButtonsProps = Pick<PostRowProps, 'post' | 'actions' | 'isBusy'>;

function PostButtons({ post, actions, isBusy }: ButtonsProps) {
  const id = useId();
  const { mayPublish } = useAdminApi().person;
  return (
    <>
      {post.is_published ? (
        <ButtonLink kind="line" isSmall className="btn-quiet" to={paths.blog(post.slug)}>
          <Named post={post}>View</Named>
        </ButtonLink>
      ) : null}
      <ButtonLink kind="line" isSmall className="btn-quiet" to={paths.admin.blog(post.id)}>
        <Named post={post}>Edit</Named>
      </ButtonLink>
      {mayPublish ? (
        <RowButton post={post} isBusy={isBusy} does={describeToggle(post)} onClick={actions.toggle}>
          {post.is_published ? 'Unpublish' : 'Publish'}
        </RowButton>
      ) : null}
      {mayPublish || post.state === 'draft' ? (
        <RowButton post={post} isBusy={isBusy} does={describeDeletion(post)} onClick={actions.trash} isDangerous>
          Delete
        </RowButton>
      ) : null}
      <DropDown
        id={`more${id}`}
        edge="end"
        className="btn btn-line btn-small btn-quiet row-menu-button"
        label={
          <>
            <Icon shape={signs.more} />
            <span className="visually-hidden">More for {titleOf(post)}</span>
          </>
        }
      >
        <RowMenu post={post} actions={actions} isBusy={isBusy} />
      </DropDown>
    </>
  );
}

/** Seldom wanted actions on a post. */
function RowMenu({ post, actions, isBusy }: ButtonsProps) {
  const { role } = useAdminApi().person;
  const activity = new URLSearchParams({ subject_type: 'post', subject_id: post.id }).toString();
  return (
    <ul role="list" className="row-menu">
      <li>
        <RowButton post={post} isBusy={isBusy} does="Makes a draft with the same contents" onClick={actions.duplicate}>
          Duplicate
        </RowButton>
      </li>
      <li>
        <ButtonLink kind="line" isSmall className="btn-quiet" to={paths.admin.revisions(post.id)}>
          <Named post={post}>Versions</Named>
        </ButtonLink>
      </li>
      {role === 'admin' ? (
        <li>
          <ButtonLink kind="line" isSmall className="btn-quiet" to={`${paths.admin.audit}?${activity}`}>
            <Named post={post}>Activity</Named>
          </ButtonLink>
        </li>
      ) : null}
    </ul>
  );
}

function TrashButtons({ post, actions, isBusy }: ButtonsProps) {
  return (
    <>
      <RowButton post={post} isBusy={isBusy} does="Takes it out of the trash, as a draft" onClick={actions.restore}>
        Restore
      </RowButton>
      <RowButton
        post={post}
        isBusy={isBusy}
        does="Removes it with its versions; this cannot be undone"
        onClick={actions.remove}
        isDangerous
      >
        Delete for good
      </RowButton>
    </>
  );
}

interface RowButtonProps extends Pick<ButtonsProps, 'post' | 'isBusy'> {
  /** The effect, beside the name. */
  readonly does: string;
  readonly onClick: (post: AdminPostListItem) => void;
  readonly isDangerous?: boolean;
  readonly children: ReactNode;
}

function RowButton({ post, isBusy, does, onClick, isDangerous = false, children }: RowButtonProps) {
  return (
    <Button
      kind="line"
      isSmall
      className={isDangerous ? 'btn-quiet btn-quiet-danger' : 'btn-quiet'}
      title={does}
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
      {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
      <span>{children}</span>
      <span className="visually-hidden"> {titleOf(post)}</span>
    </span>
  );
}
