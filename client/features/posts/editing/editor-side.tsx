import { BeforeLive } from './checks/before-live.js';
import type { PostCheck } from './checks/post-checks.js';
import type { EditorParts } from './editor-parts.js';
import { FeaturedImagePanel, SharingPanel } from './image-panels.js';
import { PostDetails } from './post-form.js';
import { PostOwnerField } from './post-owner.js';
import { PostTools } from './post-tools.js';
import { PublishingPanel } from './publishing-panel.js';
import { canSave } from './publishing-words.js';
import type { ImagePlace, PostEditing } from './use-post-editor.js';

/** Id of the side, for the button that shows it on small screens. */
export const SIDE_ID = 'post-side';

interface EditorSideProps extends Pick<EditorParts, 'ImageField'> {
  readonly editing: PostEditing;
  /** Puts the focus where a check is put right. */
  readonly onShow: (check: PostCheck) => void;
}

/** Everything of a post beside its text: its publication, details and images, and what can be done with it. */
export function EditorSide({ editing, ImageField, onShow }: EditorSideProps) {
  const { saver, state, flow, tasks, dialog, uploads, isSaving, change, changePart, changeDate } = editing;
  const { fields } = state;
  const { mayPublish } = editing.person;
  const imagePanel = (place: ImagePlace) => ({
    fields,
    problems: flow.problems,
    ImageField,
    onUploadingChange: (isBusy: boolean) => uploads.note(place, isBusy),
    onChange: changePart,
  });
  return (
    <div className="editor-side" id={SIDE_ID}>
      <PublishingPanel
        state={state}
        problem={flow.problems.published_date}
        scheduleProblem={tasks.scheduleProblem}
        isBusy={state.isTaskRunning || isSaving || uploads.isUploading}
        mayPublish={mayPublish}
        onDate={changeDate}
        onDecide={(isPublished) => saver.decide(isPublished)}
        onSchedule={tasks.schedule}
        onUnschedule={tasks.unschedule}
      />
      <BeforeLive fields={fields} onShow={onShow} />
      <PostDetails
        fields={fields}
        problems={flow.problems}
        freeSlug={flow.freeSlug}
        hasBeenPublished={state.server?.first_published_at != null}
        onChange={change}
      />
      <FeaturedImagePanel {...imagePanel('featured')} />
      <SharingPanel {...imagePanel('sharing')} />
      {state.server ? (
        <PostTools
          state={state}
          onShowRevisions={() => dialog.show('revisions')}
          onDiscard={tasks.canDiscard(state) ? tasks.discard : null}
          onDuplicate={tasks.duplicate}
          owner={
            editing.person.role === 'admin' ? (
              <PostOwnerField postId={state.server.id} owner={state.server.owner} />
            ) : null
          }
          onDelete={mayPublish || (canSave(state, false) && !state.server.first_published_at) ? tasks.remove : null}
        />
      ) : null}
    </div>
  );
}
