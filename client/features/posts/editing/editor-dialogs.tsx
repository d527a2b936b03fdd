import { editorMessages } from '../../../content/post-editor.js';
import { showToast } from '../../../lib/toast.js';
import { ConflictDialog } from './conflict-dialog.js';
import { LeaveGuard } from './leave-guard.js';
import { OvertakingDialog } from './overtaking-dialog.js';
import { PicturesDialog, type UndescribedPicture } from './pictures-dialog.js';
import { PreviewDialog } from './preview-dialog.js';
import { RevisionsDialog } from './revisions-dialog.js';
import type { Conflict } from './saving-state.js';
import type { PostEditing } from './use-post-editor.js';

interface EditorDialogsProps {
  readonly editing: PostEditing;
  /** Puts the focus where a picture is described. */
  readonly onDescribe: (picture: UndescribedPicture) => void;
}

/** The questions that the editor asks, and the dialogs that were opened. */
export function EditorDialogs({ editing, onDescribe }: EditorDialogsProps) {
  const { saver, state, tasks, dialog, uploads } = editing;
  return (
    <>
      <LeaveGuard saver={saver} state={state} isUploading={uploads.isUploading} onDiscard={tasks.throwAway} />
      <SavingQuestion editing={editing} onDescribe={onDescribe} />
      {dialog.open === 'preview' ? (
        <PreviewDialog postId={editing.postId} createLink={tasks.createPreviewLink} onClose={dialog.close} />
      ) : null}
      {dialog.open === 'revisions' ? <Revisions editing={editing} /> : null}
    </>
  );
}

/**
 * Asks what has to be answered before a text is saved, one question at a time. Nothing is saved while a conflict lasts,
 * and its dialog tells as well whether readers see the post, so that the others wait, or need no answer any more.
 */
function SavingQuestion({ editing, onDescribe }: EditorDialogsProps) {
  const { saver, state, flow } = editing;
  const { question } = flow;
  if (state.conflict) return <ConflictQuestion editing={editing} conflict={state.conflict} />;
  if (state.overtaking?.isAsked) {
    return (
      <OvertakingDialog
        overtaking={state.overtaking}
        onClose={() => saver.acknowledge()}
        onSave={() => {
          saver.acknowledge();
          void flow.handleSave();
        }}
      />
    );
  }
  if (question === null) return null;
  return (
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
  );
}

interface ConflictQuestionProps {
  readonly editing: PostEditing;
  readonly conflict: Conflict;
}

function ConflictQuestion({ editing, conflict }: ConflictQuestionProps) {
  const { saver, state, flow, tasks, restoring, dialog } = editing;
  if (dialog.isDismissed(conflict)) return null;
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
