import { Fetched } from '../../components/fetched.js';
import { OutcomeNotice } from '../../components/outcome.js';
import { termMessages as messages } from '../../content/terms.js';
import { TermList } from './term-list.js';
import { useRenaming, useTerms } from './use-terms.js';

/** Categories and tags with their counts, to rename and to merge. */
export function TermManager() {
  const query = useTerms();
  const { outcome, dismiss, ...renaming } = useRenaming();
  return (
    <div>
      <OutcomeNotice outcome={outcome} onDismiss={dismiss} />
      <Fetched query={query} messages={messages}>
        {({ categories, tags }) => (
          <div className="term-columns">
            <TermList kind="category" terms={categories} renaming={renaming} />
            <TermList kind="tag" terms={tags} renaming={renaming} />
          </div>
        )}
      </Fetched>
    </div>
  );
}
