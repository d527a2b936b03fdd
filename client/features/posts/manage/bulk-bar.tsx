import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { Button } from '../../../components/button.js';
import { bulkWords, type BulkAction } from '../../../content/admin-posts.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { describePlan } from './decision-words.js';

interface BulkBarProps {
  readonly posts: readonly AdminPostListItem[];
  readonly isTrash: boolean;
  readonly isBusy: boolean;
  readonly onApply: (action: BulkAction) => void;
  readonly onClear: () => void;
}

/** Actions on the selected posts, and what each will do; shown only while some are selected. */
export function BulkBar({ posts, isTrash, isBusy, onApply, onClear }: BulkBarProps) {
  const count = posts.length;
  const { mayPublish } = useAdminApi().person;
  if (count === 0) return null;
  const publishing: readonly BulkAction[] = mayPublish ? ['publish', 'unpublish'] : [];
  const actions: readonly BulkAction[] = isTrash ? ['restore'] : [...publishing, 'trash'];
  return (
    <section className="bulk-bar" aria-label="Selected posts">
      <p className="numeric">{count === 1 ? '1 post selected' : `${count} posts selected`}</p>
      <div className="row-actions">
        {actions.map((action) => (
          <Button
            key={action}
            kind="line"
            isSmall
            className={action === 'trash' ? 'btn-danger' : undefined}
            aria-disabled={isBusy}
            aria-describedby={`plan-${action}`}
            onClick={() => onApply(action)}
          >
            {bulkWords[action].button}
            <span className="visually-hidden"> selected posts</span>
          </Button>
        ))}
        <Button kind="line" isSmall onClick={onClear}>
          Clear selection
        </Button>
      </div>
      <dl className="bulk-plan">
        {actions.map((action) => (
          <div key={action}>
            <dt>{bulkWords[action].button}</dt>
            <dd id={`plan-${action}`}>{describePlan(action, posts)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
