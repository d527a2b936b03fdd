import type { ReactNode } from 'react';
import { Button } from '../../../components/button.js';
import { passFocusOn } from '../../../lib/pass-focus.js';
import type { SaverState } from './saver.js';

interface PostToolsProps {
  readonly state: SaverState;
  /** Says whose the post is, for those who may give it away. */
  readonly owner: ReactNode;
  readonly onShowRevisions: () => void;
  /** Null when there is nothing to discard. */
  readonly onDiscard: (() => void) | null;
  readonly onDuplicate: () => void;
  /** Null where somebody else decides that. */
  readonly onDelete: (() => void) | null;
}

/** Actions on a post that exists. */
export function PostTools({ state, owner, onShowRevisions, onDiscard, onDuplicate, onDelete }: PostToolsProps) {
  const isHeldUp = state.conflict !== null || state.trouble !== null || state.isTaskRunning;
  // Not disabled while something else is under way: the focus would be lost.
  const held = (onPress: () => void) => ({ 'aria-disabled': isHeldUp, onClick: () => !isHeldUp && onPress() });
  return (
    <section className="panel side-panel" aria-labelledby="tools-title">
      <h2 id="tools-title" tabIndex={-1}>
        This post
      </h2>
      {owner}
      <div className="tool-buttons">
        <Button kind="line" isSmall onClick={onShowRevisions}>
          Versions
        </Button>
        {onDiscard ? (
          <Button ref={passFocusOn} kind="line" isSmall className="btn-danger" {...held(onDiscard)}>
            Discard changes
          </Button>
        ) : null}
        <Button kind="line" isSmall {...held(onDuplicate)}>
          Duplicate
        </Button>
        {state.server?.state === 'trashed' || onDelete === null ? null : (
          <Button kind="line" isSmall className="btn-danger" {...held(onDelete)}>
            Delete
          </Button>
        )}
      </div>
    </section>
  );
}
