import { editorMessages } from '../../../content/post-editor.js';
import { showToast } from '../../../lib/toast.js';
import { ConflictDialog } from './conflict-dialog.js';
import { LeaveGuard } from './leave-guard.js';
import { OvertakingDialog } from './overtaking-dialog.js';
import { PicturesDialog, type UndescribedPicture } from './pictures-dialog.js';
import { PreviewDialog } from './preview-dialog.js';
import { RevisionsDialog } from './revisions-dialog.js';
import type { PostEditing } from './use-post-editor.js';

interface EditorDialogsProps {
  readonly editing: PostEditing;
  /** Puts the focus where a picture is described. */
  readonly onDescribe: (picture: UndescribedPicture) => void;
}

/** The questions that the editor asks, and the dialogs that were opened. */
export function EditorDialogs({ editing, onDescribe }: EditorDialogsProps) {
  const { saver, state, flow, tasks, dialog } = editing;
  const { question } = flow;
  return (
    <>
      <LeaveGuard saver={saver} state={state} onDiscard={tasks.throwAway} />
      <ConflictQuestion editing={editing} />
      {state.overtaking?.isAsked ? (
        <OvertakingDialog
          overtaking={state.overtaking}
          onClose={() => saver.acknowledge()}
          onSave={() => {
            saver.acknowledge();
            void flow.handleSave();
          }}
        />
      ) : null}
      {question ? (
        <PicturesDialog
          {...question}
          onDescribe={(picture) => {
            flow.setQuestion(null);
            onDescribe(picture);
          }}
          onClose={() => flow.setQuestion(null)}
          onProceed={() => {
            flow.setQuestion(null);
            question.proceed();
          }}
        />
      ) : null}
      {dialog.open === 'preview' ? (
        <PreviewDialog postId={editing.postId} createLink={tasks.createPreviewLink} onClose={dialog.close} />
      ) : null}
      {dialog.open === 'revisions' ? <Revisions editing={editing} /> : null}
    </>
  );
}

function ConflictQuestion({ editing }: { readonly editing: PostEditing }) {
  const { saver, state, flow, tasks, restoring, dialog } = editing;
  const { conflict } = state;
  if (!conflict || dialog.isDismissed(conflict)) return null;
  return (
    <ConflictDialog
      state={state}
      conflict={conflict}
      onClose={() => dialog.dismissConflict(conflict)}
      onBringBack={tasks.bringBack}
      onResolve={(resolution, isForced) => {
        const isResolved =
          resolution.kind === 'merged'
            ? saver.merge(resolution.fields, resolution.leftOut, { isForced })
            : saver.resolve(resolution.kind, { isForced });
        void restoring.refresh();
        if (isResolved && resolution.kind === 'merged') {
          showToast({ kind: 'success', title: editorMessages.merged, text: editorMessages.mergedHint });
          // After the dialog has given the focus back.
          requestAnimationFrame(() => flow.showField('content'));
        }
        return isResolved;
      }}
    />
  );
}

function Revisions({ editing }: { readonly editing: PostEditing }) {
  const { postId, state, restoring, dialog } = editing;
  return (
    <RevisionsDialog
      postId={postId}
      fields={state.fields}
      onRestore={(revision) => {
        dialog.close();
        restoring.restoreRevision(revision);
      }}
      onClose={dialog.close}
    />
  );
}
