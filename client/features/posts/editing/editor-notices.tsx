import { useState } from 'react';
import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { Button } from '../../../components/button.js';
import { Notice } from '../../../components/notice.js';
import type { LocalCopy } from './local-copies.js';
import { toOvertakingText, toOvertakingTitle } from './overtaking-dialog.js';
import type { SaverState } from './saver.js';

/** A text that was put into the form, and what was there before. */
export interface Restored {
  readonly what: string;
  readonly before: PostForm;
  /** Copy on this device of the text that was replaced; null if it was saved anyway. */
  readonly aside: LocalCopy | null;
  /** The copy of this device that it was; null for a revision. */
  readonly copy: LocalCopy | null;
}

interface EditorNoticesProps {
  readonly state: SaverState;
  readonly restored: Restored | null;
  readonly onUndo: (restored: Restored) => void;
  readonly onRestoreFromTrash: () => void;
  /** They have read that the post was published or unpublished meanwhile. */
  readonly onAcknowledge: () => void;
}

/** Notices about the post as a whole. */
export function EditorNotices({ state, restored, onUndo, onRestoreFromTrash, onAcknowledge }: EditorNoticesProps) {
  const [isRefusalRead, setIsRefusalRead] = useState(false);
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
      {state.overtaking && !state.overtaking.isAsked ? (
        <Notice>
          <p>
            {toOvertakingTitle(state.overtaking)}. {toOvertakingText(state.overtaking)}
          </p>
          <div className="row">
            <Button kind="line" isSmall onClick={onAcknowledge}>
              OK
            </Button>
          </div>
        </Notice>
      ) : null}
      {state.wasCopyRefused && !isRefusalRead ? (
        <Notice>
          <p>
            This browser keeps no copy of what you write: its storage is full or switched off. Your text is sent to the
            server while you write; if the server cannot be reached, leave this page open until it can.
          </p>
          <div className="row">
            <Button kind="line" isSmall onClick={() => setIsRefusalRead(true)}>
              OK
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
