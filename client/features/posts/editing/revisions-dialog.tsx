import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PostForm, Revision, RevisionSummary } from '../../../../src/shared/contracts/admin-posts.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';
import { Notice } from '../../../components/notice.js';
import { describeError, OFFLINE } from '../../../lib/api-errors.js';
import { formatMoment } from '../../../lib/format-moment.js';
import { useSite } from '../../../lib/site-context.js';
import { Compare } from './compare.js';
import { usePostApi } from './use-saver.js';

const reasons: Readonly<Record<RevisionSummary['reason'], string>> = {
  saved: 'Saved',
  autosaved: 'Kept while writing',
  imported: 'Imported',
};

interface RevisionsDialogProps {
  readonly postId: string;
  /** The text in the form. */
  readonly fields: PostForm;
  readonly onRestore: (revision: Revision) => void;
  readonly onClose: () => void;
}

/** The kept versions of a post: who wrote them and when, what differs from the form, and the way back to one. */
export function RevisionsDialog({ postId, fields, onRestore, onClose }: RevisionsDialogProps) {
  const [chosen, setChosen] = useState<RevisionSummary | null>(null);
  return (
    <Modal title={chosen ? 'Compare with the form' : 'Versions of this post'} isWide onClose={onClose}>
      {chosen ? (
        <ChosenRevision
          postId={postId}
          chosen={chosen}
          fields={fields}
          onRestore={onRestore}
          onBack={() => setChosen(null)}
        />
      ) : (
        <RevisionList postId={postId} onChoose={setChosen} />
      )}
      <div className="row">
        <Button kind="line" onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  );
}

interface RevisionListProps {
  readonly postId: string;
  readonly onChoose: (revision: RevisionSummary) => void;
}

function RevisionList({ postId, onChoose }: RevisionListProps) {
  const { timeZone } = useSite();
  const api = usePostApi();
  const { data, error, hasNextPage, fetchNextPage, isPending, isPaused } = useInfiniteQuery({
    queryKey: ['revisions', postId],
    queryFn: ({ pageParam }) => api.listRevisions(postId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
  });
  const revisions = data?.pages.flatMap((page) => page.items) ?? [];
  const failure = error ? <Notice kind="error">{describeError(error)}</Notice> : null;
  if (error && !data) return failure;
  if (isPending) return <p>{isPaused ? OFFLINE : 'Loading versions...'}</p>;
  if (revisions.length === 0) return <p className="quiet">There are none yet: each time you save, one is kept.</p>;
  return (
    <>
      <ol role="list" className="revisions">
        {revisions.map((revision) => (
          <li key={revision.id}>
            <p>
              <b>{formatMoment(revision.created_at, timeZone)}</b>, {revision.author ?? 'the system'}
              <br />
              <span className="small quiet">
                {reasons[revision.reason]}
                {revision.is_published ? ', published' : ''}: {revision.title || 'without a title'}
              </span>
            </p>
            <Button kind="line" isSmall onClick={() => onChoose(revision)}>
              Compare
              <span className="visually-hidden"> the version of {formatMoment(revision.created_at, timeZone)}</span>
            </Button>
          </li>
        ))}
      </ol>
      {/* Those that are there can be brought back all the same. */}
      {failure}
      {hasNextPage ? (
        <Button kind="line" isSmall onClick={() => void fetchNextPage()}>
          Show older versions
        </Button>
      ) : null}
    </>
  );
}

interface ChosenRevisionProps {
  readonly postId: string;
  readonly chosen: RevisionSummary;
  readonly fields: PostForm;
  readonly onRestore: (revision: Revision) => void;
  readonly onBack: () => void;
}

function ChosenRevision({ postId, chosen, fields, onRestore, onBack }: ChosenRevisionProps) {
  const { timeZone } = useSite();
  const api = usePostApi();
  const { data: revision, error } = useQuery({
    queryKey: ['revisions', postId, chosen.id],
    queryFn: () => api.findRevision(postId, chosen.id),
  });
  return (
    <>
      <p>
        The version of {formatMoment(chosen.created_at, timeZone)} by {chosen.author ?? 'the system'}.
      </p>
      {error ? <Notice kind="error">{describeError(error)}</Notice> : null}
      {revision ? (
        <>
          <Compare before={revision.fields} beforeName="that version" after={fields} afterName="the form" />
          <p className="small quiet">
            Restoring puts that version into the form. Nothing is saved until you save, and it can be undone.
          </p>
        </>
      ) : null}
      <div className="row">
        <Button disabled={!revision} onClick={() => revision && onRestore(revision)}>
          Restore into the form
        </Button>
        <Button kind="line" onClick={onBack}>
          All versions
        </Button>
      </div>
    </>
  );
}
