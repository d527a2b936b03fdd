import { Button } from '../../../components/button.js';
import { Notice } from '../../../components/notice.js';
import type { Draft } from './draft.js';
import type { LocalCopy } from './local-copies.js';
import type { SaverState } from './saver.js';

/** A text that was put into the form, and what was there before. */
export interface Restored {
  readonly what: string;
  readonly before: Draft;
  /** Where that lies on this device meanwhile, unless it was saved anyway. */
  readonly aside: LocalCopy | null;
  /** The copy of this device that it was; null for a revision. */
  readonly copy: LocalCopy | null;
}

interface EditorNoticesProps {
  readonly state: SaverState;
  readonly restored: Restored | null;
  readonly onUndo: (restored: Restored) => void;
  readonly onRestoreFromTrash: () => void;
}

/** What there is to say about the post as a whole. */
export function EditorNotices({ state, restored, onUndo, onRestoreFromTrash }: EditorNoticesProps) {
  return (
    <div role="status" className="editor-notices">
      {state.server?.state === 'trashed' ? (
        <Notice>
          <p>This post is in the trash, where it is removed for good 30 days after it was deleted.</p>
          <div className="row">
            <Button kind="line" isSmall onClick={onRestoreFromTrash}>
              Restore it as a draft
            </Button>
          </div>
        </Notice>
      ) : null}
      {restored ? (
        <Notice>
          <p>{restored.what} is in the form now. It is not saved until you save.</p>
          <div className="row">
            <Button kind="line" isSmall onClick={() => onUndo(restored)}>
              Undo
            </Button>
          </div>
        </Notice>
      ) : null}
    </div>
  );
}
