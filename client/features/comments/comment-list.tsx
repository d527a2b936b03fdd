import { useCallback, useState } from 'react';
import { COMMENT_SEARCH_MAX, type ManagedComment } from '../../../src/shared/contracts/comments.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { FoldedWords } from '../../components/folded-words.js';
import { LoadMore } from '../../components/load-more.js';
import { Modal } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { SearchField } from '../../components/search-field.js';
import { commentMessages as messages, countComments } from '../../content/comments.js';
import { passFocusOn } from '../../lib/pass-focus.js';
import { useCommentFilter, useCommentRemoval, useComments } from './use-comments.js';

/** The comments below posts, to be found and removed. */
export function CommentList() {
  const { filter, change } = useCommentFilter();
  const list = useComments(filter);
  const removal = useCommentRemoval();
  const [asked, setAsked] = useState<ManagedComment | null>(null);
  const { comments, total, isPending, isPaused, isSuccess, isPlaceholderData } = list;
  const isNarrowed = filter.search !== '' || filter.post !== '';
  const search = useCallback((text: string) => change({ search: text }), [change]);
  const loading = isPaused ? '' : messages.loading;
  const count = isPending ? loading : total > 0 ? countComments(total, filter.post !== '') : '';
  const none = isNarrowed ? messages.nothingFound : messages.empty;
  return (
    <div aria-busy={list.isFetching}>
      <div role="search" tabIndex={-1} className="filters">
        <SearchField label={messages.search} maxLength={COMMENT_SEARCH_MAX} value={filter.search} onSearch={search} />
        {isNarrowed ? (
          <div className="row">
            <Button ref={passFocusOn} kind="line" onClick={() => change({ search: '', post: '' })}>
              Show everything
            </Button>
          </div>
        ) : null}
      </div>
      <OutcomeNotice outcome={removal.outcome} onDismiss={removal.dismiss} />
      <FetchFailure query={list} message={messages.fetchFailed} isListShown={comments.length > 0} />
      <p role="status" className={comments.length === 0 ? 'list-note' : 'quiet numeric'}>
        {isSuccess && comments.length === 0 && !isPlaceholderData ? none : count}
      </p>
      {comments.length > 0 ? (
        <>
          <ol role="list" className="comment-rows">
            {comments.map((comment) => (
              <li key={`${comment.post_id} ${comment.id}`} tabIndex={-1}>
                <CommentRow comment={comment} isOfOnePost={filter.post !== ''} onRemove={() => setAsked(comment)} />
              </li>
            ))}
          </ol>
          <LoadMore
            count={comments.length}
            nouns={['comment', 'comments']}
            itemSelector=".comment-rows > li"
            list={list}
          />
        </>
      ) : null}
      {asked === null ? null : (
        <RemovalDialog
          comment={asked}
          onClose={() => setAsked(null)}
          onRemove={() => {
            setAsked(null);
            void removal.remove(asked);
          }}
        />
      )}
    </div>
  );
}

interface CommentRowProps {
  readonly comment: ManagedComment;
  /** True if all that are shown stand below the same post. */
  readonly isOfOnePost: boolean;
  readonly onRemove: () => void;
}

function CommentRow({ comment, isOfOnePost, onRemove }: CommentRowProps) {
  const { author, author_url: url, text, written_at: at, post_id: postId, post_title: title } = comment;
  const below = `${paths.admin.comments}?${new URLSearchParams({ post: postId }).toString()}`;
  return (
    <article className="comment-row">
      <div className="row-text">
        <p>
          <b>{author}</b> {comment.is_published ? null : <Badge>Not live</Badge>}
        </p>
        <FoldedWords text={text} className="comment-words" />
        <p className="row-meta">
          <Moment at={at} />
          <span>
            Below <a href={paths.admin.blog(postId)}>{title}</a>
          </span>
          {isOfOnePost ? null : (
            <a href={below}>
              All below it<span className="visually-hidden">: {title}</span>
            </a>
          )}
          {url === null ? null : <span>{url}</span>}
        </p>
      </div>
      <div className="row-actions">
        <Button kind="line" isSmall className="btn-danger" onClick={onRemove}>
          Remove<span className="visually-hidden"> the comment by {author}</span>
        </Button>
      </div>
    </article>
  );
}

interface RemovalDialogProps {
  readonly comment: ManagedComment;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

/** Shows all that was written, and says what happens before it does: it is erased. */
function RemovalDialog({ comment, onClose, onRemove }: RemovalDialogProps) {
  return (
    <Modal title={messages.question} onClose={onClose}>
      <p>
        <b>{comment.author}</b>
      </p>
      <p className="comment-words" dir="auto">
        {comment.text}
      </p>
      <p>{messages.consequence}</p>
      <div className="row">
        <Button kind="line" className="btn-danger" onClick={onRemove}>
          Remove
        </Button>
        <Button kind="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Modal>
  );
}
