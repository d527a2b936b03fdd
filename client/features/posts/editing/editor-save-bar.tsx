import { Button } from '../../../components/button.js';
import { canSave } from './publishing-words.js';
import { SIDE_ID } from './editor-side.js';
import { SaveBar } from './save-bar.js';
import { hasUnsavedChanges } from './saving-words.js';
import type { PostEditing } from './use-post-editor.js';

/** The bar that saves, with the preview and with what helps where saving is held up. */
export function EditorSaveBar({ editing }: { readonly editing: PostEditing }) {
  const { state, isSaving, uploads, dialog, view, cancel } = editing;
  return (
    <SaveBar
      state={state}
      isSaving={isSaving}
      isUploading={uploads.isUploading}
      canSave={canSave(state, editing.person.mayPublish)}
      onCancel={cancel}
      remedy={<Remedy editing={editing} />}
    >
      <Button
        kind="line"
        className="save-bar-view"
        aria-expanded={view.shown === 'side'}
        aria-controls={SIDE_ID}
        onClick={view.turn}
      >
        {view.shown === 'side' ? 'Text' : 'Details'}
      </Button>
      <Button
        kind="line"
        className="save-bar-more"
        disabled={state.version === 0 && !hasUnsavedChanges(state)}
        onClick={() => dialog.show('preview')}
      >
        Preview
      </Button>
    </SaveBar>
  );
}

function Remedy({ editing: { state, dialog, tasks } }: { readonly editing: PostEditing }) {
  return (
    <>
      {state.conflict ? (
        <Button kind="line" isSmall onClick={dialog.showConflict}>
          Compare both versions
        </Button>
      ) : null}
      {state.trouble?.kind === 'session-expired' ? (
        <Button kind="line" isSmall onClick={tasks.signInAgain}>
          Enter password
        </Button>
      ) : null}
    </>
  );
}
