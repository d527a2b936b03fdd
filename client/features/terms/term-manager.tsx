import { FetchFailure } from '../../components/fetch-failure.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { termMessages as messages } from '../../content/terms.js';
import { TermList } from './term-list.js';
import { useRenaming, useTerms } from './use-terms.js';

/** Categories and tags with their counts, to rename and to merge. */
export function TermManager() {
  const { data, error, isPending, isFetching, refetch } = useTerms();
  const { outcome, dismiss, ...renaming } = useRenaming();
  return (
    <div aria-busy={isFetching}>
      <OutcomeNotice outcome={outcome} onDismiss={dismiss} />
      <FetchFailure
        error={error}
        message={messages.fetchFailed}
        isListShown={data !== undefined}
        onRetry={() => void refetch()}
      />
      {isPending ? (
        <p role="status" className="list-note">
          {messages.loading}
        </p>
      ) : null}
      {data ? (
        <div className="term-columns">
          <TermList kind="category" terms={data.categories} renaming={renaming} />
          <TermList kind="tag" terms={data.tags} renaming={renaming} />
        </div>
      ) : null}
    </div>
  );
}
