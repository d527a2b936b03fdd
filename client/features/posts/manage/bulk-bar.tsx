import { Button } from '../../../components/button.js';
import { bulkWords, type BulkAction } from '../../../content/admin-posts.js';

interface BulkBarProps {
  readonly count: number;
  readonly isTrash: boolean;
  readonly isBusy: boolean;
  readonly onApply: (action: BulkAction) => void;
  readonly onClear: () => void;
}

/** Actions on the selected posts; shown only while some are selected. */
export function BulkBar({ count, isTrash, isBusy, onApply, onClear }: BulkBarProps) {
  if (count === 0) return null;
  const actions: readonly BulkAction[] = isTrash ? ['restore'] : ['publish', 'unpublish', 'trash'];
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
    </section>
  );
}
