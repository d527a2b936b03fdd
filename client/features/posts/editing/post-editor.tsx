import { useRef } from 'react';
import type { AdminPost } from '../../../../src/shared/contracts/admin-posts.js';
import { editorMessages } from '../../../content/post-editor.js';
import type { RichTextEditorHandle } from '../editor/editor-contract.js';
import type { PostCheck } from './checks/post-checks.js';
import { CopiesPanel } from './copies-panel.js';
import { EditorDialogs } from './editor-dialogs.js';
import { EditorNotices } from './editor-notices.js';
import type { EditorParts } from './editor-parts.js';
import { EditorSaveBar } from './editor-save-bar.js';
import { EditorSide } from './editor-side.js';
import type { UndescribedPicture } from './pictures-dialog.js';
import { PresenceLine } from './presence-line.js';
import { PostText } from './post-form.js';
import { toShownDate } from './publication.js';
import { useBarPlaces } from './use-bar-places.js';
import { useLaterParts } from './use-later-parts.js';
import { usePostEditor, type PostEditing } from './use-post-editor.js';

interface PostEditorProps extends EditorParts {
  readonly postId: string;
  /** As it was loaded; null for a post that does not exist yet. */
  readonly post: AdminPost | null;
}

/** The editor of one post. */
export function PostEditor({ postId, post, ScreenHead, ImageField, ImagePicker, uploadImage }: PostEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const text = useRef<RichTextEditorHandle>(null);
  const editing = usePostEditor(postId, post, { form, text });
  const { state, flow, uploads, view } = editing;
  useBarPlaces(form);
  useLaterParts();

  const handleDescribe = (picture: UndescribedPicture) => {
    view.show(picture.place === 'text' ? 'text' : 'side');
    // After the dialog has given the focus back.
    requestAnimationFrame(() => {
      if (picture.place === 'text') text.current?.focusImage(picture.image);
      else form.current?.querySelector<HTMLElement>('.featured-image input:not([type="file"])')?.focus();
    });
  };

  const handleShow = ({ field, place }: PostCheck) => {
    const [image] = place === 'picture' ? (text.current?.imagesWithoutAlternative() ?? []) : [];
    if (field === 'image_alt') return handleDescribe({ place: 'featured', url: state.fields.image_url });
    if (image) return handleDescribe({ place: 'text', image, url: image.url });
    flow.showField(field);
    if (place && place !== 'picture') text.current?.focusPlace(place);
  };

  return (
    <>
      <form ref={form} className="post-editor" data-view={view.shown} noValidate onSubmit={editing.handleSubmit}>
        <ScreenHead title={editing.isNew ? editorMessages.titleNew : editorMessages.titleEdit} />
        <EditorHead editing={editing} />
        <div className="editor-columns">
          <PostText
            fields={state.fields}
            problems={flow.problems}
            server={state.server}
            replaced={state.replaced}
            uploadImage={uploadImage}
            ImagePicker={ImagePicker}
            editorRef={text}
            onUploadingChange={(isBusy) => uploads.note('text', isBusy)}
            onChange={editing.change}
          />
          <EditorSide editing={editing} ImageField={ImageField} onShow={handleShow} />
        </div>
        <EditorSaveBar editing={editing} />
      </form>
      <EditorDialogs editing={editing} onDescribe={handleDescribe} />
    </>
  );
}

/** Texts that are left on this device, and notices about the post as a whole. */
function EditorHead({ editing: { api, saver, state, flow, tasks, restoring } }: { readonly editing: PostEditing }) {
  const { fields, version, server } = state;
  return (
    <>
      <CopiesPanel
        left={restoring.left}
        fields={fields}
        date={toShownDate(state)}
        version={version}
        savedAt={server?.working_copy?.kept_at ?? server?.updated_at ?? null}
        onRestore={(copy) => void restoring.restoreCopy(copy)}
        onDiscard={restoring.discardCopy}
      />
      <PresenceLine api={api} saver={saver} state={state} onShown={() => flow.showField('content')} />
      <EditorNotices
        state={state}
        restored={restoring.restored}
        onUndo={restoring.undo}
        onRestoreFromTrash={tasks.restoreFromTrash}
        onAcknowledge={() => saver.acknowledge()}
      />
    </>
  );
}
